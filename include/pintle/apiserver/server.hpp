// ApiServer: a Kubernetes API server in this process, for programs without a cluster and for every test.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/apiserver/faults.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct ApiServerOptions {
  std::string token{};               // the bearer token that every request must carry; empty: none is asked for
  std::size_t watch_window = 4'096;  // changes kept of each resource; older versions answer 410 Expired
  // The versions begin behind this one. 0: behind the microseconds of the wall clock, so that those of an earlier
  // server are older than all of this one's and answer 410 Expired, as a client expects that finds its server
  // restarted.
  std::uint64_t first_version = 0;
  std::size_t body_limit = std::size_t{3} << 20U;  // larger request bodies answer 413
  // Answered of resources in a second, as many again at once; one more is told 429 with Retry-After. 0: no limit.
  double requests_per_second = 0;
  // How long a namespace, a Pod on a node, and an object deleted in the foreground or with orphans, stays in its
  // terminating state at least, as it does on a real cluster, where somebody else has to notice first.
  Duration settle = std::chrono::milliseconds(200);
  ServerFaults faults{};         // what goes wrong from the beginning
  std::string build = "pintle";  // what /version says this is, after the Kubernetes version it imitates
  Log log{};
};

// What it answers is what kube-apiserver 1.36 answers, as far as it goes: storage with versions and a bounded watch
// window, every built-in kind and custom ones, three kinds of patch and apply, owner garbage collection and the life of
// namespaces. No other controller runs behind it: a Deployment makes no Pods, and nothing runs a Pod. It is an
// http::Handler: http::Server puts it on a socket, http::MemoryTransport in reach of a client in this process. Its own
// thread waits through the Runtime, which must outlive it. State lives in memory and ends with it. Thread-safe; streams
// and delayed answers that handle() gave out must be destroyed before it is.
class ApiServer final : public http::Handler {
 public:
  explicit ApiServer(Runtime& runtime, ApiServerOptions options = {});
  ~ApiServer() override;  // as stop()
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  // A watch and a list of 128 KiB or more are answered with a stream; http::collect_body makes a body of the latter.
  [[nodiscard]] http::Response handle(const http::Request& request) override;

  // What http::ServerOptions::refusal wants: a Status for a request that never got here.
  [[nodiscard]] static http::Response refusal(int status, std::string_view message);

  // Ends the background thread and every watch. Requests are still answered, but nothing is collected any more.
  // Idempotent.
  void stop();

  // ---- what tests ask, past HTTP ----

  // Every object of a resource as stored, in key order: objects("configmaps"), objects("greetings.demo.pintle.dev").
  [[nodiscard]] std::vector<Object> objects(std::string_view resource) const;
  [[nodiscard]] std::uint64_t resource_version() const;
  // How often something was stored or deleted, or all went back; a write that changes nothing is none.
  [[nodiscard]] std::uint64_t writes() const;
  // Whether the background thread has seen every write and nothing is left for it to do, now or later.
  [[nodiscard]] bool idle() const;
  // Forgets the past: every version before the present one answers 410 Expired from now on, every watch that has not
  // read up to here ends.
  void compact();

  // ---- what goes wrong ----

  // In place of the faults it has, for requests from now on; the new rules count from the beginning, and a replica that
  // was behind is not any more.
  void set_faults(ServerFaults faults);
  // How often a rule has hit a request, so that a test can tell that it tested something.
  [[nodiscard]] std::uint64_t faults_done() const;
  // A backup is restored: everything is as it was at that version, and the next write gets the one behind it, again.
  // Every watch ends. Error: invalid, for a version that is still to come or that a watch window has no more.
  [[nodiscard]] Result<void> rewind(std::uint64_t version);

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace pintle
