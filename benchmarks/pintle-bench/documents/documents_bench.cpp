// SPDX-License-Identifier: Apache-2.0
// The cost of a cached object, by kind and by level of sharing. The bytes are those that the allocator provides for
// documents and pool together. The budgets are: at most 2 KB for a pod, 0.5 us for a read, 1 us to compare two
// versions.
#include <malloc.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include <pintle/base/executor.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/json/value.hpp>

#include "../objects.hpp"
#include "churn.hpp"
#include "parser_alone.hpp"

namespace pintle::benchmarks {
namespace {

constexpr std::size_t chunk = 65536;  // the size of the pieces in which a transport delivers bytes

struct Kind {
  std::string api_version;
  std::string kind;
  std::size_t count;
  std::function<std::string(std::size_t)> text;
};

std::size_t allocated() {
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

// Reads the objects of a list that arrives in chunks.
std::vector<json::Document> read(std::string_view list, const Kind& kind, json::Pool* pool) {
  std::vector<json::Document> objects;
  objects.reserve(kind.count);
  json::Reader reader({.pool = pool,
                       .parts = "items",
                       .on_part = [&](json::Document object) { objects.push_back(std::move(object)); },
                       .defaults = {{"apiVersion", kind.api_version}, {"kind", kind.kind}},
                       .projection = {.drop = {"/metadata/managedFields"}}});
  for (; !list.empty(); list.remove_prefix(std::min(chunk, list.size()))) {
    if (!reader.add(list.substr(0, chunk))) return {};
  }
  if (!reader.finish()) return {};
  return objects;
}

void sync(benchmark::State& state, const Kind& kind, json::Sharing sharing) {
  const std::string list = list_of(kind.api_version, kind.kind, kind.count, kind.text);
  const auto executor = make_real_executor(1);
  std::size_t bytes = 0;
  std::size_t shared = 0;
  for (auto _ : state) {
    const std::size_t before = allocated();
    json::Pool pool(*executor, {.sharing = sharing});
    const std::vector<json::Document> objects = read(list, kind, &pool);
    state.PauseTiming();
    if (objects.size() != kind.count) state.SkipWithError("the list was not read");
    bytes = allocated() - before;
    shared = pool.stats().bytes;
    state.ResumeTiming();
  }
  const auto count = static_cast<double>(kind.count);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kind.count));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
  state.counters["bytes_per_object"] = static_cast<double>(bytes) / count;
  state.counters["of_it_shared"] = static_cast<double>(shared) / count;
}

// The time of `sync` is compared with the time of this function.
void parse(benchmark::State& state, const Kind& kind) {
  const std::string list = list_of(kind.api_version, kind.kind, kind.count, kind.text);
  for (auto _ : state) {
    if (!parse_alone(list)) state.SkipWithError("the list is no JSON");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kind.count));
}

const Kind pods{"v1", "Pod", 50'000, [](std::size_t n) { return pod(n); }};
const Kind pods_all_different{"v1", "Pod", 20'000, [](std::size_t n) { return pod(n, 1); }};
const Kind widgets{"bench.example.com/v1", "Widget", 50'000, widget};
const Kind config_maps{"v1", "ConfigMap", 20'000, config_map};
const Kind secrets{"v1", "Secret", 200, [](std::size_t n) { return secret(n); }};

void register_all() {
  const struct {
    const char* name;
    const Kind* kind;
  } kinds[] = {{"pods", &pods},
               {"pods, no two deployments alike", &pods_all_different},
               {"custom resources", &widgets},
               {"ConfigMaps", &config_maps},
               {"Secrets of 100 KB", &secrets}};
  const struct {
    const char* name;
    json::Sharing level;
  } levels[] = {{"keys", json::Sharing::keys},
                {"shapes", json::Sharing::shapes},
                {"strings", json::Sharing::strings},
                {"subtrees", json::Sharing::subtrees}};
  for (const auto& kind : kinds) {
    const std::string alone = std::string("sync/") + kind.name + "/parser alone";
    benchmark::RegisterBenchmark(alone.c_str(), [&kind = *kind.kind](benchmark::State& state) { parse(state, kind); })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
    for (const auto& level : levels) {
      const std::string name = std::string("sync/") + kind.name + "/" + level.name;
      benchmark::RegisterBenchmark(name.c_str(), [&kind = *kind.kind, level = level.level](
                                                     benchmark::State& state) { sync(state, kind, level); })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
    }
  }
}

// Five million replacements are enough to see a growth of memory, and fifty million to exclude it.
void register_churn() {
  for (const std::uint64_t replacements : {5'000'000, 50'000'000}) {
    const std::string name = "churn/" + std::to_string(replacements);
    benchmark::RegisterBenchmark(name.c_str(), churn, replacements)->Unit(benchmark::kSecond)->Iterations(1);
  }
}

// 2,000 pods, which the benchmarks use in turn.
class Pods : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State&) override {
    const Kind some{"v1", "Pod", 2'000, pods.text};
    objects = read(list_of("v1", "Pod", some.count, some.text), some, &pool);
    for (const json::Document& object : objects) {
      json::Value next = object.root().to_value();
      next.at("metadata").at("resourceVersion") = "99999";
      newer.push_back(json::Document(json::Document(next).root(), &pool));
    }
  }
  void TearDown(const benchmark::State&) override {
    objects.clear();
    newer.clear();
  }

 protected:
  std::unique_ptr<Executor> executor = make_real_executor(1);
  json::Pool pool{*executor};
  std::vector<json::Document> objects;
  std::vector<json::Document> newer;
  std::size_t at = 0;
};

BENCHMARK_F(Pods, a_nested_field_and_a_label)(benchmark::State& state) {
  for (auto _ : state) {
    const json::View root = objects[++at % objects.size()].root();
    benchmark::DoNotOptimize(root["/spec/containers/0/image"].text());
    benchmark::DoNotOptimize(root["/metadata/labels"].member("app.kubernetes.io/name").text());
  }
}

BENCHMARK_F(Pods, equality_of_the_specs_of_two_versions)(benchmark::State& state) {
  for (auto _ : state) {
    ++at;
    benchmark::DoNotOptimize(objects[at % objects.size()].root().member("spec") ==
                             newer[at % objects.size()].root().member("spec"));
  }
}

BENCHMARK_F(Pods, equality_of_two_documents)(benchmark::State& state) {
  for (auto _ : state) {
    ++at;
    const json::View object = objects[at % objects.size()].root();
    const json::View other = newer[at % objects.size()].root();
    for (const auto [name, value] : object.members()) {
      if (name != "metadata") benchmark::DoNotOptimize(value == other.member(name));
    }
  }
}

}  // namespace
}  // namespace pintle::benchmarks

int main(int argc, char** argv) {
  pintle::benchmarks::register_all();
  pintle::benchmarks::register_churn();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
