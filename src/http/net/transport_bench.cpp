// SPDX-License-Identifier: Apache-2.0
// Measures a request over loopback: its time, and the CPU time of the client alone. The server runs in another process,
// because its CPU time would hide that of the client.
#include <pintle/http/net_transport.hpp>

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "http/test_support.hpp"
#include "test_support.hpp"

namespace pintle::http {
namespace {

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// A server in a child process. It ends when the parent closes its end of the pipe.
class ServerProcess {
 public:
  explicit ServerProcess(ServerOptions options) {
    int to_child[2];
    int to_parent[2];
    if (::pipe(to_child) != 0 || ::pipe(to_parent) != 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      ::close(to_child[1]);
      serve(std::move(options), to_child[0], to_parent[1]);
      ::_exit(0);
    }
    ::close(to_child[0]);
    ::close(to_parent[1]);
    pipe_ = to_child[1];
    (void)!::read(to_parent[0], &port_, sizeof(port_));
    ::close(to_parent[0]);
  }
  ~ServerProcess() {
    ::close(pipe_);
    ::waitpid(child_, nullptr, 0);
  }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  static void serve(ServerOptions options, int in, int out) {
    const auto executor = make_real_executor();
    const auto never = std::make_shared<Feed>(*executor);
    FunctionHandler handler([&](const Request& request) {
      if (request.target == "/watch") return Response{.stream = std::make_unique<FedStream>(never)};
      return Response{.headers = {{"Content-Type", "application/json"}}, .body = std::string(1000, 'x')};
    });
    Server server(*executor, handler, std::move(options));
    if (!server.start()) return;
    const std::uint16_t port = server.port();
    (void)!::write(out, &port, sizeof(port));
    char end = 0;
    (void)!::read(in, &end, 1);
  }

  pid_t child_ = -1;
  int pipe_ = -1;
  std::uint16_t port_ = 0;
};

ServerOptions server_options(const TestAuthority& authority, bool tls) {
  ServerOptions options;
  if (!tls) return options;
  const KeyPair identity = authority.server({"127.0.0.1"});
  options.certificate = identity.certificate;
  options.key = identity.key;
  return options;
}

void open_watches(Executor& executor, Transport& transport, const std::shared_ptr<Endpoint>& endpoint,
                  std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto watch = std::make_shared<Recorder>(executor);
    transport.start({.target = "/watch", .endpoint = endpoint, .timeout = {}}, watch);
    watch->wait_for_head();
  }
}

// Arguments: TLS, and the number of open watches.
void send_patches(benchmark::State& state) {
  const auto clock = make_real_executor();
  const TestAuthority authority(*clock);
  const ServerProcess server(server_options(authority, state.range(0) != 0));
  const auto endpoint = state.range(0) != 0 ? authority.endpoint(server.port()) : plain_endpoint(server.port());
  const auto executor = make_real_executor();
  const auto transport = make_network_transport(*executor);
  open_watches(*executor, *transport, endpoint, state.range(1));
  const Request request{
      .method = "PATCH",
      .target = "/apis/demo.pintle.dev/v1/namespaces/default/greetings/a/status",
      .headers = {{"Authorization", "Bearer token"}, {"Content-Type", "application/merge-patch+json"}},
      .body = std::string(200, 'x'),
      .endpoint = endpoint};

  const double before = cpu_seconds();
  for (auto _ : state) {
    if (!send(*transport, request)) state.SkipWithError("a request failed");
  }
  state.counters["client_cpu_us"] = (cpu_seconds() - before) * 1e6 / static_cast<double>(state.iterations());
}
BENCHMARK(send_patches)->ArgNames({"tls", "watches"})->ArgsProduct({{0, 1}, {0, 30}})->UseRealTime();

// The time from the cancellation of a watch to its end. Arguments: TLS, and the number of other watches.
void cancel_watch(benchmark::State& state) {
  const auto executor = make_real_executor();
  const TestAuthority authority(*executor);
  const ServerProcess server(server_options(authority, state.range(0) != 0));
  const auto endpoint = state.range(0) != 0 ? authority.endpoint(server.port()) : plain_endpoint(server.port());
  const auto transport = make_network_transport(*executor);
  open_watches(*executor, *transport, endpoint, state.range(1));
  std::vector<double> seconds;
  for (auto _ : state) {
    const auto watch = std::make_shared<Recorder>(*executor);
    const auto id = transport->start({.target = "/watch", .endpoint = endpoint, .timeout = {}}, watch);
    watch->wait_for_head();
    const Instant begin = executor->now();
    transport->cancel(id);
    (void)watch->wait_for_end();
    seconds.push_back(std::chrono::duration<double>(executor->now() - begin).count());
    state.SetIterationTime(seconds.back());
  }
  std::ranges::sort(seconds);
  state.counters["p99_us"] = seconds[seconds.size() * 99 / 100] * 1e6;
  state.counters["max_us"] = seconds.back() * 1e6;
}
BENCHMARK(cancel_watch)
    ->ArgNames({"tls", "watches"})
    ->ArgsProduct({{0, 1}, {0, 30}})
    ->Iterations(1'000)
    ->UseManualTime();

}  // namespace
}  // namespace pintle::http
