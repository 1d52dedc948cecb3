// SPDX-License-Identifier: Apache-2.0
// Converter: converts objects between the versions of their kind, by webhooks where the kind has one.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/json/arena.hpp>
#include <pintle/object/merge/managed_fields.hpp>
#include <pintle/object/object.hpp>

#include "apiserver/registry/catalog.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/resource.hpp"
#include "apiserver/webhooks/webhook_client.hpp"
#include "conversion_review.hpp"
#include "form_cache.hpp"

namespace pintle::apiserver {

// Only kinds with a WebhookConversion need webhooks; for all others, the functions neither block nor refuse. A refusal
// is that of kube-apiserver for a failed conversion. Thread-safe.
class Converter {
 public:
  Converter(Executor& executor, const Registry& registry, WebhookClient& client)
      : executor_(executor), registry_(registry), client_(client), cache_(executor), mutex_(executor) {}

  // Returns stored objects as Presenter takes them: converted to the version of `resource` if a webhook does that,
  // otherwise unchanged. May block.
  [[nodiscard]] StatusOr<Object> presentable(const Resource& resource, const Object& stored);
  [[nodiscard]] StatusOr<std::vector<Object>> presentable(const Resource& resource, std::vector<Object> stored);

  // As presentable(), without blocking: calls `done` on another thread, or before it returns.
  using Done = std::function<void(StatusOr<std::vector<Object>>)>;
  void start(const ResourcePtr& resource, std::vector<Object> stored, Done done);

  // Returns the form of a stored object in the version of `resource`, to change it. A form that prepare() has made is
  // used, as kube-apiserver uses that of its watch cache. May block.
  [[nodiscard]] StatusOr<json::Value> editable(const Resource& resource, const Object& stored, json::Arena& memory);

  // Converts an object in the version of `resource` to the stored form. May block.
  [[nodiscard]] StatusOr<json::Value> storable(const Resource& resource, json::Value shown);

  // Converts an object from one version of a kind to another. May block.
  [[nodiscard]] StatusOr<json::Value> between(const Resource& from, const Resource& to, json::Value object);

  // Returns how field managers see the versions of a kind; empty if all versions have the same fields.
  [[nodiscard]] ManagedVersions managed_versions(const Resource& resource);

  // Converts an object that has just been stored to the other versions that clients have read, for editable() and for
  // watches. Waits for at most a second; a failure is ignored. kube-apiserver does this in its watch caches.
  void prepare(const Resource& resource, const Object& stored);
  // Returns what prepare() or start() has made; nothing if the object must be converted.
  [[nodiscard]] Object prepared(const Resource& resource, const Object& stored) const;

 private:
  [[nodiscard]] ConversionTask task_for(const Resource& wanted, std::vector<json::Value> objects);
  [[nodiscard]] StatusOr<std::vector<json::Value>> convert(const Resource& wanted, std::vector<json::Value> objects,
                                                           std::chrono::seconds timeout);
  void note_use(const Resource& resource);

  Executor& executor_;
  const Registry& registry_;
  WebhookClient& client_;
  FormCache cache_;
  Mutex mutex_;
  std::set<std::pair<std::string, std::string>> used_ PINTLE_GUARDED_BY(mutex_);  // collections and versions
};

}  // namespace pintle::apiserver
