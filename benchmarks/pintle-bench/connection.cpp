// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <utility>

#include "objects.hpp"

namespace pintle::benchmarks {

Result<Connection> connect(const BenchOptions& options, const GroupVersionKind& kind) {
  auto cluster = find_cluster(options.kubeconfig);
  if (!cluster) return fail(std::move(cluster.error()));
  Connection made;
  made.executor = make_real_executor();
  made.transport = http::make_network_transport(*made.executor, {});
  made.client = std::make_unique<Client>(
      ClientOptions{.transport = made.transport, .cluster = std::move(*cluster), .user_agent = "pintle-bench"});
  auto resource = made.client->resource(kind, options.stop);
  if (!resource) return fail(with_advice(std::move(resource.error())));
  made.resource = std::move(*resource);
  return made;
}

Error with_advice(Error error) {
  const bool is_ours = error.message.find("bench.example.com") != std::string::npos;
  if (error.code == ErrorCode::unsupported && is_ours) error.message += " (it is in benchmarks/pintle-bench/crds)";
  return error;
}

Result<std::vector<ObjectKey>> some_gadgets(Client& client, const GroupVersionKind& kind, const BenchOptions& options) {
  const auto page =
      client.list(kind, {.namespace_ = options.namespace_, .limit = 500, .metadata_only = true}, options.stop);
  if (!page) return fail(page.error());
  std::vector<ObjectKey> keys;
  for (const Object& one : page->items) keys.push_back(one.key());
  if (!keys.empty()) return keys;
  return fail(ErrorCode::invalid, "there are no gadgets to write to; make some: pintle-bench fill --kind gadgets");
}

GroupVersionKind kind_named(const std::string& name) {
  if (name == "pods") return {"v1", "Pod"};
  return {"bench.example.com/v1", name == "widgets" ? "Widget" : "Gadget"};
}

std::string object_of(const std::string& kind, std::size_t n) {
  return kind == "pods" ? pod(n, 1) : kind == "widgets" ? widget(n) : gadget(n);
}

}  // namespace pintle::benchmarks
