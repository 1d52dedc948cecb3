// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/storage_migration.hpp>

#include <optional>
#include <utility>

#include <pintle/client/client.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/schema/crd.hpp>

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

}  // namespace

Result<MigratedStorage> migrate_storage(Client& client, const std::string& crd, const std::stop_token& stop) {
  const auto there = client.get(crd_type, {.name = crd}, stop);
  if (!there) return fail(Error(there.error()).with_operation("migrate the storage of CRD " + crd));
  const CrdView view(there->root());
  MigratedStorage done{.version = std::string(view.stored_version())};
  done.removed = other_versions(*there, done.version);
  if (done.removed.empty()) return done;

  const GroupVersionKind kind(std::string(view.group()) + "/" + done.version, view.kind());
  std::optional<Error> failed;
  const auto store = [&](const Object& object) {
    const auto patched = client.patch(kind, object.key(), json::Value(json::object{}), {}, stop);
    ++done.objects;
    if (patched || patched.error().code == ErrorCode::not_found) return true;
    failed = Error(patched.error()).with_operation("migrate the storage of " + object.key().to_string());
    return false;
  };
  if (auto listed = client.for_each(kind, {.metadata_only = true}, store, stop); !listed && !failed) {
    return fail(std::move(listed.error()).with_operation("migrate the storage of CRD " + crd));
  }
  if (failed) return fail(std::move(*failed));
  if (auto kept = keep_only(client, crd, done.version, stop); !kept) return fail(std::move(kept.error()));
  return done;
}

}  // namespace pintle
