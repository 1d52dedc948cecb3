#include "connection.hpp"

#include <utility>

#include "objects.hpp"

namespace pintle::benchmarks {

Result<Connection> connect(const BenchOptions& options) {
  auto cluster = find_cluster(options.kubeconfig);
  if (!cluster) return fail(std::move(cluster.error()));
  Connection made;
  made.runtime = make_real_runtime();
  made.transport = http::make_network_transport(*made.runtime, {});
  made.client = std::make_unique<Client>(
      ClientOptions{.transport = made.transport, .cluster = std::move(*cluster), .user_agent = "pintle-bench"});
  return made;
}

Result<GroupVersionKind> kind_named(const std::string& name) {
  if (name == "pods") return GroupVersionKind("v1", "Pod");
  if (name == "widgets") return GroupVersionKind("bench.example.com/v1", "Widget");
  if (name == "gadgets") return GroupVersionKind("bench.example.com/v1", "Gadget");
  return fail(ErrorCode::invalid, "--kind \"" + name + "\" is none of pods, widgets, gadgets");
}

std::string object_of(const std::string& kind, std::size_t n) {
  return kind == "pods" ? pod(n) : kind == "widgets" ? widget(n) : gadget(n);
}

}  // namespace pintle::benchmarks
