// SPDX-License-Identifier: Apache-2.0
// Admission: calls the webhooks of the stored configurations for each write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/json/value.hpp>

#include "admission_webhook.hpp"
#include "apiserver/access/authorizer.hpp"
#include "apiserver/conversion/converter.hpp"
#include "apiserver/registry/catalog.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/storage.hpp"
#include "apiserver/webhooks/webhook_client.hpp"
#include "attributes.hpp"

namespace pintle::apiserver {

// The two phases of one request. Both append the warnings of webhooks to `warnings`, also when they refuse. They may
// block. Thread-safe.
class Admission {
 public:
  Admission(Executor& executor, const Storage& storage, const Registry& registry, WebhookClient& client,
            Converter& converter, const Authorizer& authorizer, const Log& log)
      : executor_(executor),
        storage_(storage),
        registry_(registry),
        client_(client),
        converter_(converter),
        authorizer_(authorizer),
        log_(log),
        mutex_(executor) {}

  // True if there are webhooks, so that a write may block.
  [[nodiscard]] bool has_webhooks() const;

  // Lets mutating webhooks change `object`, one after the other, and calls some of them again (reinvocationPolicy).
  // `object` is null for a deletion, `old_object` for a creation.
  [[nodiscard]] StatusOr<void> mutate(const Attributes& attributes, json::Value& object, const json::Value& old_object,
                                      std::vector<std::string>& warnings) const;
  // Calls all validating webhooks at once. The first refusal that arrives counts.
  [[nodiscard]] StatusOr<void> validate(const Attributes& attributes, const json::Value& object,
                                        const json::Value& old_object, std::vector<std::string>& warnings) const;

 private:
  class Phase;
  class Mutation;
  using Webhooks = std::shared_ptr<const std::vector<AdmissionWebhook>>;
  // The webhooks of one phase, as of a version of the storage.
  struct Configured {
    Version version = 0;
    Webhooks webhooks{};
  };

  // Refuses a request whose thread must not wait: there were no webhooks when the thread was chosen.
  [[nodiscard]] StatusOr<void> check_may_wait() const;
  [[nodiscard]] Webhooks webhooks(std::string_view collection, Configured& configured) const PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const Storage& storage_;
  const Registry& registry_;
  WebhookClient& client_;
  Converter& converter_;
  const Authorizer& authorizer_;
  const Log& log_;
  mutable Mutex mutex_;
  mutable Configured mutating_ PINTLE_GUARDED_BY(mutex_);
  mutable Configured validating_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
