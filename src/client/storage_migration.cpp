// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/storage_migration.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <pintle/client/client.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/schema/crd.hpp>

#include "storage_progress.hpp"

namespace pintle {
namespace {

constexpr Type crd_type{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};
constexpr int max_attempts = 5;  // conflicts with other writers of the status

std::vector<std::string> other_versions(const Object& crd, std::string_view current) {
  std::vector<std::string> others;
  for (const json::View version : crd["/status/storedVersions"].elements()) {
    if (version.text() != current) others.emplace_back(version.text());
  }
  return others;
}

// Removes the other versions. The version of the CRD that was read before the migration must still be the current one
// in the members that matter; its status may have changed meanwhile.
Result<void> keep_only(Client& client, const std::string& crd, const std::string& version,
                       const std::stop_token& stop) {
  for (int attempt = 1;; ++attempt) {
    const auto there = client.get(crd_type, {.name = crd}, stop);
    if (!there) return fail(there.error());
    if (CrdView(there->root()).stored_version() != version) {
      return fail(ErrorCode::conflict, "CRD " + crd + " does not store version " + version +
                                           " any more; repeat the migration of its storage");
    }
    const json::Value patch{{"metadata", {{"resourceVersion", there->resource_version()}}},
                            {"status", {{"storedVersions", json::array{version}}}}};
    const auto patched = client.patch(crd_type, {.name = crd}, patch, {.subresource = "status"}, stop);
    if (patched) return {};
    if (patched.error().code != ErrorCode::conflict || attempt == max_attempts) return fail(patched.error());
  }
}

bool is_outage(ErrorCode code) {
  switch (code) {
    case ErrorCode::too_many_requests:
    case ErrorCode::timeout:
    case ErrorCode::unauthorized:
    case ErrorCode::unavailable:
    case ErrorCode::unreachable: return true;
    default: return false;
  }
}

// Sends an empty patch for each object, and collects those that cannot be written.
class StorageWriter {
 public:
  StorageWriter(Client& client, GroupVersionKind kind, const std::stop_token& stop)
      : client_(client), kind_(std::move(kind)), stop_(stop) {}

  // Returns false if the remaining objects should not be tried.
  bool write(const ObjectKey& key) {
    const auto patched = client_.patch(kind_, key, json::Value(json::object{}), {}, stop_);
    if (patched || patched.error().code == ErrorCode::not_found) {
      ++written_;
      outages_ = 0;
      return true;
    }
    const ErrorCode code = patched.error().code;
    if (!first_) first_ = Error(patched.error()).with_operation("migrate the storage of " + key.to_string());
    left_.push_back(key);
    outages_ = is_outage(code) ? outages_ + 1 : 0;
    const bool writes_nothing = written_ == 0 && left_.size() >= max_first_failures;
    is_stopped_ = code == ErrorCode::cancelled || outages_ >= max_outages || writes_nothing;
    return !is_stopped_;
  }
  [[nodiscard]] std::size_t written() const { return written_; }
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }
  [[nodiscard]] const std::vector<ObjectKey>& left() const { return left_; }  // those that cannot be written
  // Returns the first error; its message contains the number of the other ones.
  [[nodiscard]] Result<void> result() const {
    if (!first_) return {};
    Error error = *first_;
    if (is_stopped_) {
      error.message += "; the remaining objects were not tried";
    } else if (left_.size() > 1) {
      error.message += "; " + std::to_string(left_.size() - 1) + " more cannot be written";
    }
    return fail(std::move(error));
  }

 private:
  // If no write succeeds, more failures only repeat the first one, such as a missing permission.
  static constexpr std::size_t max_first_failures = 100;
  // In a row. A single one may be that of a webhook.
  static constexpr int max_outages = 3;

  Client& client_;
  const GroupVersionKind kind_;
  const std::stop_token& stop_;
  std::size_t written_ = 0;
  int outages_ = 0;
  bool is_stopped_ = false;
  std::vector<ObjectKey> left_;
  std::optional<Error> first_;
};

// Writes the objects that are left, or all of them.
Result<void> write_objects(Client& client, const GroupVersionKind& kind, StorageProgress& progress,
                           const std::stop_token& stop) {
  StorageWriter writer(client, kind, stop);
  std::vector<ObjectKey> untried;
  if (progress.left) {
    const std::vector<ObjectKey> keys = std::move(*progress.left);
    auto next = keys.begin();
    while (next != keys.end() && writer.write(*next++)) {}
    untried.assign(next, keys.end());
  } else {
    const auto write = [&](const Object& object) { return writer.write(object.key()); };
    const auto listed = client.for_each(kind, {.metadata_only = true}, write, stop);
    if (!listed) return fail(listed.error());
  }
  progress.objects += writer.written();
  if (progress.left || !writer.is_stopped()) {
    progress.left = writer.left();
    progress.left->insert(progress.left->end(), untried.begin(), untried.end());
  }
  return writer.result();
}

// An object can be written in each served version; the server stores it in the storage version.
Result<GroupVersionKind> written_kind(const CrdView& crd) {
  const std::vector<std::string> served = crd.served_versions();
  if (served.empty())
    return fail(ErrorCode::invalid, "the CRD serves no version; serve one until the migration is done");
  const bool is_served = std::find(served.begin(), served.end(), crd.stored_version()) != served.end();
  const std::string version = is_served ? std::string(crd.stored_version()) : served.front();
  return GroupVersionKind(std::string(crd.group()) + "/" + version, crd.kind());
}

}  // namespace

Result<MigratedStorage> migrate_storage(Client& client, const std::string& crd, StorageProgress& progress,
                                        const std::stop_token& stop) {
  const std::string operation = "migrate the storage of CRD " + crd;
  const auto there = client.get(crd_type, {.name = crd}, stop);
  if (!there) return fail(Error(there.error()).with_operation(operation));
  const CrdView view(there->root());
  MigratedStorage done{.version = std::string(view.stored_version())};
  done.removed = other_versions(*there, done.version);
  if (done.removed.empty()) return done;

  std::string definition = std::string(there->uid()) + "/" + std::to_string(there->generation());
  if (progress.definition != definition) progress = {.definition = std::move(definition)};
  const auto kind = written_kind(view);
  if (!kind) return fail(Error(kind.error()).with_operation(operation));
  if (auto written = write_objects(client, *kind, progress, stop); !written) {
    return fail(std::move(written.error()).with_operation(operation));
  }
  done.objects = progress.objects;
  if (auto kept = keep_only(client, crd, done.version, stop); !kept) return fail(std::move(kept.error()));
  return done;
}

Result<MigratedStorage> migrate_storage(Client& client, const std::string& crd, const std::stop_token& stop) {
  StorageProgress progress;
  return migrate_storage(client, crd, progress, stop);
}

}  // namespace pintle
