// SPDX-License-Identifier: Apache-2.0
// The cost of the embedded API server, with one row for each of its budgets: `pintle dev` is ready in 20 ms and uses 10
// MB of private memory; 50,000 pods use 200 MB and are listed at 300 MB/s, with and without pages, and the cost of a
// list grows with its result; 20,000 small writes per second on one core, 8,000 over HTTP; a write reaches 1,000
// watchers in 10 ms. With a data file: 3,000 writes per second of 16 writers, and 50,000 pods are ready in a second.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <pintle/apiserver/server.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>
#include <pintle/json/pointer.hpp>

#include "objects.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

constexpr std::size_t pods = 50'000;
constexpr std::size_t page_size = 500;
constexpr std::size_t max_head_size = 500;  // bytes of a list before its items
constexpr std::string_view pods_everywhere = "/api/v1/pods";
constexpr std::string_view config_maps = "/api/v1/namespaces/default/configmaps";

// ---- requests to a server ----

http::Request request(std::string method, std::string_view target, std::string body = {}) {
  const bool patches = method == "PATCH";
  http::Request out{.method = std::move(method), .target = std::string(target), .body = std::move(body)};
  out.headers.set("User-Agent", "apiserver_bench");
  if (!out.body.empty()) {
    out.headers.set("Content-Type", patches ? "application/merge-patch+json" : "application/json");
  }
  return out;
}

// A server in this process.
class Served {
 public:
  explicit Served(ApiServerOptions options = {}) : api(*executor, std::move(options)) {}
  http::Response send(const http::Request& request) {
    http::Response response = api.handle(request);
    return response.deferred ? response.deferred() : std::move(response);
  }
  // Reads a response as a connection does, into one buffer, and passes each piece to `take`. Returns its size.
  template <class Take>
  std::size_t list(std::string_view target, const Take& take) {
    http::Response response = send(request("GET", target));
    std::size_t size = response.body.size();
    if (response.stream == nullptr) {
      take(std::string_view(response.body));
      return size;
    }
    response.stream->on_ready([] {});
    auto state = http::BodyStream::State::more;
    while (state == http::BodyStream::State::more) {
      piece_.clear();
      state = response.stream->read(piece_);
      size += piece_.size();
      take(std::string_view(piece_));
    }
    return size;
  }
  std::size_t list(std::string_view target) {
    return list(target, [](std::string_view /*piece*/) {});
  }
  // Returns whether the write succeeded.
  bool write(std::string method, std::string_view target, std::string body) {
    return send(request(std::move(method), target, std::move(body))).status < 300;
  }

  std::unique_ptr<Executor> executor = make_real_executor(1);
  ApiServer api;

 private:
  std::string piece_;
};

std::string small_config_map(std::string_view name) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + std::string(name) +
         R"(","labels":{"app":"bench"}},"data":{"replicas":"3","image":"registry.example.com/app:v1.2.0"}})";
}

std::string small_patch(std::size_t n) { return R"({"data":{"replicas":")" + std::to_string(n) + R"("}})"; }

std::string target_of(std::size_t n) { return std::string(config_maps) + "/config-" + std::to_string(n); }

// A pod as a client sends it, in a namespace of one hundred pods. Without owner references, because a pod whose owner
// does not exist would be garbage-collected, and with the default account, because the server checks that it exists.
json::Value pod_to_create(std::size_t n) {
  json::Value object = json::parse(pod(n)).value();
  auto& metadata = object.as_object()["metadata"].as_object();
  for (const char* given : {"uid", "resourceVersion", "ownerReferences", "managedFields"}) metadata.erase(given);
  metadata["namespace"] = "n" + std::to_string(n / 100);
  for (const char* account : {"serviceAccount", "serviceAccountName"}) object.at("spec").as_object().erase(account);
  return object;
}

// Writes a pod as its creator and its kubelet do.
bool fill_in(Served& served, std::size_t n) {
  json::Value object = pod_to_create(n);
  const std::string space = "n" + std::to_string(n / 100);
  const std::string target = "/api/v1/namespaces/" + space + "/pods";
  if (n % 100 == 0 && !served.write("POST", "/api/v1/namespaces", R"({"metadata":{"name":")" + space + R"("}})")) {
    return false;
  }
  const json::Value status = json::object{{"status", object.at("status")}};
  const std::string name(object.at("metadata").at("name").as_string());
  return served.write("POST", target, json::print(object)) &&
         served.write("PATCH", target + "/" + name + "/status", json::print(status));
}

bool fill(Served& served, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) {
    if (!fill_in(served, n)) return false;
  }
  return true;
}

// ---- ready and empty ----

// A process of the program `pintle dev`, which is in the folder of this program.
class DevProcess {
 public:
  // Returns when the process has reported that it is ready, or could not be started.
  DevProcess() {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "pintle";
    int out[2];
    if (::pipe(out) != 0) return;
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addclose(&files, out[0]);
    std::string words[] = {program, "dev"};
    char* arguments[] = {words[0].data(), words[1].data(), nullptr};
    if (::posix_spawn(&process_, program.c_str(), &files, nullptr, arguments, environ) != 0) process_ = 0;
    ::posix_spawn_file_actions_destroy(&files);
    ::close(out[1]);
    char line[64];
    is_ready_ = process_ != 0 && ::read(out[0], line, sizeof(line)) > 0;
    ::close(out[0]);
  }
  ~DevProcess() {
    if (process_ == 0) return;
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
  }
  DevProcess(const DevProcess&) = delete;
  DevProcess& operator=(const DevProcess&) = delete;

  [[nodiscard]] bool is_ready() const noexcept { return is_ready_; }
  [[nodiscard]] int id() const noexcept { return process_; }

 private:
  pid_t process_ = 0;
  bool is_ready_ = false;
};

void ready_and_empty(benchmark::State& state) {
  double mb = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    const DevProcess dev;
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (!dev.is_ready()) state.SkipWithError("pintle dev beside this program did not start; build the target pintle");
    mb = private_dirty_mb_of(dev.id());
  }
  state.counters["private_mb"] = mb;
}
BENCHMARK(ready_and_empty)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(20);

// ---- storing and listing ----

// Shared by many rows, because filling it takes long.
Served& full_server() {
  static const auto server = [] {
    auto made = std::make_unique<Served>();
    if (!fill(*made, pods)) std::fputs("apiserver_bench: a pod was not created\n", stderr);
    return made;
  }();
  return *server;
}

// A file for data in the folder for temporary files, removed at the end.
class TemporaryData {
 public:
  TemporaryData() : folder_(std::filesystem::temp_directory_path() / ("pintle-bench-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TemporaryData() { std::filesystem::remove_all(folder_); }
  TemporaryData(const TemporaryData&) = delete;
  TemporaryData& operator=(const TemporaryData&) = delete;

  [[nodiscard]] std::shared_ptr<DataFile> open() {
    return DataFile::open(*executor_, (folder_ / "data").string()).value();
  }

 private:
  const std::filesystem::path folder_;
  const std::unique_ptr<Executor> executor_ = make_real_executor(1);
};

void restart_with_50000_pods(benchmark::State& state) {
  TemporaryData data;
  {
    Served served({.data = data.open()});
    if (!fill(served, pods)) state.SkipWithError("a pod was not created");
  }
  for (auto _ : state) {
    Served served({.data = data.open()});
    if (served.send(request("GET", "/api/v1/namespaces/n7/pods?limit=1")).status != 200) {
      state.SkipWithError("the pods are not served");
    }
  }
}
BENCHMARK(restart_with_50000_pods)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);

void hold_50000_pods(benchmark::State& state) {
  for (auto _ : state) {
    const double before = private_dirty_mb();
    Served& served = full_server();
    state.counters["private_mb"] = private_dirty_mb() - before;
    state.counters["bytes_per_pod"] = (private_dirty_mb() - before) * 1024 * 1024 / pods;
    state.counters["printed_bytes_per_pod"] = static_cast<double>(served.list("/api/v1/namespaces/n7/pods")) / 100;
  }
}
BENCHMARK(hold_50000_pods)->Unit(benchmark::kSecond)->Iterations(1);

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void list_whole(benchmark::State& state) {
  Served& served = full_server();
  std::size_t bytes = 0;
  for (auto _ : state) bytes += served.list(pods_everywhere);
  count_bytes(state, bytes);
}
BENCHMARK(list_whole)->Unit(benchmark::kMillisecond)->Iterations(2);

void list_in_pages(benchmark::State& state) {
  Served& served = full_server();
  std::size_t bytes = 0;
  for (auto _ : state) {
    std::string next;
    do {
      const std::string target = std::string(pods_everywhere) + "?limit=" + std::to_string(page_size) +
                                 (next.empty() ? "" : "&continue=" + next);
      next.clear();
      bytes += served.list(target, [&](std::string_view piece) {
        constexpr std::string_view token = R"("continue":")";
        const std::size_t begin = piece.substr(0, max_head_size).find(token);
        if (begin == std::string_view::npos) return;
        piece.remove_prefix(begin + token.size());
        next = piece.substr(0, piece.find('"'));
      });
    } while (!next.empty());
  }
  count_bytes(state, bytes);
}
BENCHMARK(list_in_pages)->Unit(benchmark::kMillisecond)->Iterations(2);

// Lists 100 of the stored pods, whose number is the argument. The time should not depend on this number.
void list_some_of(benchmark::State& state, std::string_view target) {
  Served few;
  const bool all = static_cast<std::size_t>(state.range(0)) == pods;
  if (!all && !fill(few, static_cast<std::size_t>(state.range(0)))) state.SkipWithError("a pod was not created");
  Served& served = all ? full_server() : few;
  std::size_t bytes = 0;
  for (auto _ : state) bytes += served.list(target);
  count_bytes(state, bytes);
}
BENCHMARK_CAPTURE(list_some_of, one_namespace, "/api/v1/namespaces/n0/pods")->ArgName("stored")->Arg(200)->Arg(pods);
BENCHMARK_CAPTURE(list_some_of, one_page, "/api/v1/pods?limit=100")->ArgName("stored")->Arg(200)->Arg(pods);

// ---- writing ----

// Measures all CPU time that the process spends on a write, including the time of background threads.
void create_in_memory(benchmark::State& state) {
  Served served;
  std::size_t n = 0;
  for (auto _ : state) {
    if (!served.write("POST", config_maps, small_config_map("config-" + std::to_string(n++)))) {
      state.SkipWithError("a write was refused");
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(create_in_memory)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime();

constexpr std::size_t written_to = 1'000;

bool make_config_maps(Served& served) {
  for (std::size_t n = 0; n < written_to; ++n) {
    if (!served.write("POST", config_maps, small_config_map("config-" + std::to_string(n)))) return false;
  }
  return true;
}

void patch_in_memory(benchmark::State& state) {
  Served served;
  if (!make_config_maps(served)) state.SkipWithError("a write was refused");
  std::size_t n = 0;
  for (auto _ : state) {
    if (!served.write("PATCH", target_of(n % written_to), small_patch(n))) state.SkipWithError("a write was refused");
    ++n;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(patch_in_memory)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime();

// Sends patches over several connections. Each connection sends the next patch when the previous one has its response.
class Writers {
 public:
  Writers(http::Transport& transport, std::shared_ptr<const http::Endpoint> endpoint, std::size_t writes)
      : transport_(transport), endpoint_(std::move(endpoint)), writes_(writes) {}

  // Returns whether all patches succeeded.
  bool run(std::size_t connections) {
    for (std::size_t i = 0; i < connections; ++i) send_next();
    all_done_.wait();
    return failed_ == 0;
  }

 private:
  class Sent final : public http::ExchangeHandler {
   public:
    explicit Sent(Writers& writers) : writers_(writers) {}
    void on_head(const http::ResponseHead& head) override { is_good_ = head.status < 300; }
    void on_body(std::string_view /*chunk*/) override {}
    void on_end(Result<void> result) override {
      if (!result || !is_good_) ++writers_.failed_;
      writers_.send_next();
      writers_.all_done_.count_down();
    }

   private:
    Writers& writers_;
    bool is_good_ = false;
  };

  void send_next() {
    const std::size_t n = sent_++;
    if (n >= writes_) return;
    http::Request patch = request("PATCH", target_of(n % written_to), small_patch(n));
    patch.endpoint = endpoint_;
    transport_.start(std::move(patch), std::make_shared<Sent>(*this));
  }

  http::Transport& transport_;
  const std::shared_ptr<const http::Endpoint> endpoint_;
  const std::size_t writes_;
  std::atomic<std::size_t> sent_ = 0;
  std::latch all_done_{static_cast<std::ptrdiff_t>(writes_)};
  std::atomic<std::size_t> failed_ = 0;
};

void patch_over_http(benchmark::State& state) {
  constexpr std::size_t writes = 20'000;
  TemporaryData data;
  const bool keeps = state.range(0) != 0;
  const std::size_t connections = keeps ? 16 : 8;
  Served served({.data = keeps ? data.open() : nullptr});
  http::Server server(*served.executor, served.api, {.max_deferred = 32});
  if (!make_config_maps(served) || !server.start()) state.SkipWithError("there is no server");
  const auto endpoint =
      std::make_shared<const http::Endpoint>(http::Endpoint{.host = "127.0.0.1", .port = server.port()});
  const auto transport = http::make_network_transport(*served.executor);
  for (auto _ : state) {
    Writers writers(*transport, endpoint, writes);
    if (!writers.run(connections)) state.SkipWithError("a write was refused");
    transport->stop();
  }
  state.SetItemsProcessed(writes);
}
BENCHMARK(patch_over_http)
    ->ArgName("with_data_file")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Iterations(1);

// ---- watching ----

void fan_out(benchmark::State& state, const std::string& created, const std::string& collection) {
  constexpr std::size_t watchers = 1'000;
  Served served;
  const json::Value object = json::parse(created).value();
  const std::string target = collection + "/" + std::string(json::find(object, "/metadata/name")->as_string());
  if (!served.write("POST", collection, created)) state.SkipWithError("a write was refused");
  std::vector<std::unique_ptr<http::BodyStream>> streams;
  std::string text;
  for (std::size_t i = 0; i < watchers; ++i) {
    streams.push_back(served
                          .send(request("GET", collection + "?watch=true&resourceVersion=" +
                                                   std::to_string(served.api.resource_version())))
                          .stream);
    streams.back()->on_ready([] {});
    (void)streams.back()->read(text);
  }
  std::size_t n = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string patch = R"({"metadata":{"labels":{"n":")" + std::to_string(n++) + R"("}}})";
    if (!served.write("PATCH", target, patch)) state.SkipWithError("a write was refused");
    for (const auto& stream : streams) {
      text.clear();
      (void)stream->read(text);
      bytes += text.size();
      if (text.empty()) state.SkipWithError("a watcher was not told");
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK_CAPTURE(fan_out, of_a_small_object, small_config_map("one"), std::string(config_maps))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(
    fan_out, of_a_pod,
    [] {
      json::Value object = pod_to_create(0);
      object.at("metadata").as_object()["namespace"] = "default";
      return json::print(object);
    }(),
    std::string("/api/v1/namespaces/default/pods"))
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pintle::benchmarks
