// What the resources of a pass cost when nothing has to be done, beside the pass of a bare controller.
#include <pintle/patterns/crud.hpp>

#include <atomic>
#include <functional>
#include <memory>

#include <benchmark/benchmark.h>

#include <pintle/api/everyday.hpp>
#include <pintle/http/memory_transport.hpp>
#include <pintle/runtime/manager.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::crud {
namespace {

using namespace std::chrono_literals;

constexpr int passes_at_once = 1'000;

// Passes over one object that asks to be looked at again, as they follow each other on one worker.
void passes(benchmark::State& state, const std::function<void(Manager&, const std::function<void()>& count)>& add) {
  const auto runtime = make_real_runtime(1);
  ApiServer server(*runtime);
  const auto transport = std::make_shared<http::MemoryTransport>(*runtime, server);
  std::atomic<int> left = 0;
  {
    Client user({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
    if (!user.create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}})) state.SkipWithError("no object");
    Manager manager({.name = "bench", .log_level = LogLevel::off, .runtime = runtime.get(), .transport = transport});
    add(manager, [&left] { --left; });
    if (auto started = manager.start(); !started) state.SkipWithError(started.error().to_string().c_str());
    for (auto _ : state) {
      left = passes_at_once;
      while (left > 0) runtime->sleep_for(100us);
    }
  }
  state.SetItemsProcessed(state.iterations() * passes_at_once);
  transport->shutdown();
  server.stop();
}

void bare_controller(benchmark::State& state) {
  passes(state, [](Manager& manager, const std::function<void()>& count) {
    manager.add(Controller<Object>{.watch = ConfigMap::type, .reconcile = [count](const Object&, Context&) {
                                     count();
                                     return look_again_in(Duration::zero());
                                   }});
  });
}
BENCHMARK(bare_controller)->UseRealTime();

void with_framework(benchmark::State& state, const std::function<Resource(const std::function<void()>&)>& make) {
  passes(state, [&](Manager& manager, const std::function<void()>& count) {
    const ResourceSet all({.handles = [](const Object&) { return true; }, .resources = {make(count)}});
    Framework framework(
        ConfigMap::type,
        {.name = "bench", .resource_router = ResourceRouter({.resource_sets = {all}}), .finalizer = false});
    framework.boot(manager);
  });
}

void one_plain_resource(benchmark::State& state) {
  with_framework(state, [](const std::function<void()>& count) -> Resource {
    const auto ensure = [count](const Object&, Context& context) -> Result<void> {
      count();
      come_back_in(context, Duration::zero());
      return {};
    };
    return PlainResource<Object>{.name = "plain", .ensure_created = ensure, .ensure_deleted = ensure};
  });
}
BENCHMARK(one_plain_resource)->UseRealTime();

void one_crud_resource(benchmark::State& state) {
  with_framework(state, [](const std::function<void()>& count) -> Resource {
    const auto get = [](const Object&, Context&) -> Result<int> { return 1; };
    const auto compare = [count](const Object&, int, int, Context& context) -> Result<Patch<int>> {
      count();
      come_back_in(context, Duration::zero());
      return Patch<int>{};
    };
    const auto apply = [](const Object&, int, Context&) -> Result<void> { return {}; };
    return CrudResource<Object, int>{.name = "crud",
                                     .get_current_state = get,
                                     .get_desired_state = get,
                                     .new_update_patch = compare,
                                     .new_delete_patch = compare,
                                     .apply_create_change = apply,
                                     .apply_delete_change = apply,
                                     .apply_update_change = apply};
  });
}
BENCHMARK(one_crud_resource)->UseRealTime();

}  // namespace
}  // namespace pintle::crud
