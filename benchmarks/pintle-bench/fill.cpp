// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "base/progress_line.hpp"
#include "connection.hpp"
#include "on_threads.hpp"

namespace pintle::benchmarks {
namespace {

// Returns the object as a client sends it, without the members that the server sets.
json::Value for_create(const std::string& text, const GroupVersionKind& kind, const std::string& namespace_) {
  json::Value object = json::parse(text).value();
  auto& members = object.as_object();
  members["apiVersion"] = kind.api_version();
  members["kind"] = kind.kind;
  members.erase("status");
  auto& metadata = members["metadata"].as_object();
  for (const char* given : {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"}) {
    metadata.erase(given);
  }
  metadata.erase("ownerReferences");  // an object whose owner does not exist is garbage-collected
  if (json::Value* spec = members.if_contains("spec"); spec != nullptr && spec->is_object()) {
    for (const char* account : {"serviceAccount", "serviceAccountName"})
      spec->as_object().erase(account);  // must exist
  }
  if (!namespace_.empty()) metadata["namespace"] = namespace_;
  return object;
}

Result<void> make_namespaces(Client& client, const std::string& only) {
  for (const std::string& name : only.empty() ? std::vector<std::string>{"n10k", "n40k"} : std::vector{only}) {
    const auto made = client.create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", name}}}});
    if (!made && made.error().code != ErrorCode::already_exists) return fail(made.error());
  }
  return {};
}

}  // namespace

Measured fill(const BenchOptions& options) {
  const GroupVersionKind kind = kind_named(options.kind);
  auto connection = connect(options, kind);
  if (!connection) return fail(std::move(connection.error()));
  if (auto made = make_namespaces(*connection->client, options.namespace_); !made) return fail(std::move(made.error()));
  Executor& executor = *connection->executor;
  const Instant begun = executor.now();
  ProgressLine progress(executor, "objects", options.count);
  const auto create = [&](std::size_t n) -> Result<void> {
    progress.add();
    const json::Value object = for_create(object_of(options.kind, n), kind, options.namespace_);
    const auto created = connection->client->create(object, {}, options.stop);
    if (created || created.error().code == ErrorCode::already_exists) return {};
    return fail(created.error());
  };
  auto done = on_threads(executor, options.concurrency, options.count, options.stop, create);
  if (!done) return fail(std::move(done.error()));
  return json::object{{"mode", "fill"},
                      {"kind", options.kind},
                      {"objects", options.count},
                      {"total_s", std::chrono::duration<double>(executor.now() - begun).count()}};
}

}  // namespace pintle::benchmarks
