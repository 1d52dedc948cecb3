// SPDX-License-Identifier: Apache-2.0
// ApiServer: a Kubernetes API server inside the process, for tests and for programs without a cluster.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/apiserver/audit.hpp>
#include <pintle/apiserver/builtin_kinds.hpp>
#include <pintle/apiserver/data_file.hpp>
#include <pintle/apiserver/faults.hpp>
#include <pintle/apiserver/users.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// How the server calls the webhooks of webhook configurations and of CustomResourceDefinitions.
struct ApiServerWebhooks {
  /// Sends the calls; each request has an endpoint with the caBundle and the name that the certificate must have. The
  /// transport must outlive the server. Null: every call fails, and the failurePolicy decides.
  std::shared_ptr<http::Transport> transport{};
  /// The URLs of services: from "NAME.NAMESPACE" or "NAME.NAMESPACE:PORT" to "https://host:port". A webhook with a
  /// service that is not in this table cannot be called, because the server has no network of Pods.
  std::map<std::string, std::string> services{};
  /// Returns the URL of a service "NAME.NAMESPACE" that is not in the table, or nothing. It must not block.
  std::function<std::optional<std::string>(std::string_view service)> find_service{};
};

/// How the server reaches Pods for their subresource proxy, because it has no network of Pods.
struct ApiServerPods {
  std::shared_ptr<http::Transport> transport{};  ///< sends the requests; null: no Pod can be reached
  /// The URLs of Pods: from "NAMESPACE/NAME:PORT" to "http://host:port".
  std::map<std::string, std::string> urls{};
};

struct ApiServerOptions {
  /// The bearer token of the administrator `admin` in the group system:masters; empty: none. With a token or users,
  /// every request needs a valid token or a client certificate; if `authorization` is rbac, a request without
  /// credentials is from system:anonymous instead.
  std::string token{};
  std::vector<ApiServerUser> users{};  ///< further users
  ApiServerAuthorization authorization = ApiServerAuthorization::allow_all;
  /// Number of stored changes of each resource. Older versions return 410 Expired.
  std::size_t watch_history_size = 4'096;
  /// The server assigns the versions after this one, first to the namespaces that it creates at its start. Has no
  /// effect if `data` has objects. 0: the microseconds of the wall clock. All versions of an earlier server are then
  /// lower and return 410 Expired, as clients expect after a restart.
  std::uint64_t first_version = 0;
  std::size_t max_body_size = std::size_t{3} << 20U;  ///< bytes of a request body; a larger one returns 413
  /// Maximum rate of requests for resources, with a burst of one second. Further requests receive 429 with Retry-After.
  /// 0: no limit.
  double requests_per_second = 0;
  /// Minimum time for which an object stays in its terminating state if it is a namespace, a Pod on a node, or deleted
  /// with propagation Foreground or Orphan. In a real cluster, this is the time until the namespace controller, the
  /// kubelet or the garbage collector has processed the deletion.
  Duration termination_delay = std::chrono::milliseconds(200);
  /// Keeps the objects; see DataFile. Null: in memory only. With a file that has objects, versions continue after the
  /// newest one in the file. A watch from that version continues; older versions return 410 Expired.
  std::shared_ptr<DataFile> data{};
  /// Creates the objects that a kube-apiserver creates at its start, in addition to the namespaces: the Service
  /// `kubernetes` with its endpoints, the PriorityClasses `system-*`, flow control, APIServices, the ServiceCIDR and
  /// the ConfigMap `extension-apiserver-authentication`.
  bool cluster_objects = false;
  /// Also runs the controllers of a cluster that tests need: see docs/embedded-server.md. No container runs; the life
  /// of a Pod is a script in its annotation "pintle.dev/pod".
  bool controllers = false;
  /// The PEM certificate of the authority that signed the certificate of the server. With `controllers`, each namespace
  /// has it in its ConfigMap `kube-root-ca.crt`, and the tokens in Secrets contain it. Empty: those are empty.
  std::string ca_certificate{};
  ApiServerWebhooks webhooks{};
  ApiServerPods pods{};
  ServerFaults faults{};         ///< injected from the start
  std::string build = "pintle";  ///< appended to the Kubernetes version in the response to /version
  Log log{};
  /// The tables of the built-in kinds, which several servers may share. Null: the server makes its own.
  std::shared_ptr<const BuiltinKinds> kinds{};
};

/// Behaves as kube-apiserver 1.36 in these areas: storage with versions and a limited watch window, all built-in and
/// custom kinds, JSON patch, merge patch, strategic merge patch and server-side apply, garbage collection by owners,
/// the life cycle of namespaces, and resource quotas. Without ApiServerOptions::controllers it runs no other
/// controller: a Deployment creates no Pods, and Pods do not run.
///
/// It is an http::Handler: http::Server serves it on a socket, and http::InProcessTransport connects a client in this
/// process. Its thread waits through `executor`, which must outlive the ApiServer. The state is in memory, and
/// in a file if there is one (ApiServerOptions::data). Thread-safe. Streams and delayed responses that handle()
/// returned must be destroyed before the ApiServer.
class PINTLE_EXPORT ApiServer final : public http::Handler {
 public:
  explicit ApiServer(Executor& executor, ApiServerOptions options = {});
  ~ApiServer() override;  ///< as stop()
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  /// Returns a stream for a watch and for a list in compact JSON of 128 KiB or more; http::read_full_body() turns such
  /// a list into a body. Returns Response::deferred for a request that may wait for a webhook, a Pod or the data file.
  /// An exception, for example of a function in the options, is logged as an error, and the response has status 500.
  [[nodiscard]] http::Response handle(const http::Request& request) override;

  /// For http::ServerOptions::error_response: a Status for a request that does not reach handle().
  [[nodiscard]] static http::Response error_response(int status, std::string_view message);

  /// Ends the background thread and all watches. Requests are still handled, but without garbage collection.
  /// Idempotent.
  void stop();

  // ---- for tests, without HTTP ----

  /// Every object of a resource as stored, in key order: objects("configmaps"), objects("greetings.demo.pintle.dev").
  [[nodiscard]] std::vector<Object> objects(std::string_view resource) const;
  [[nodiscard]] std::uint64_t resource_version() const;
  /// Number of times that an object was stored or deleted, or that the server was rewound. A write that changes nothing
  /// does not count.
  [[nodiscard]] std::uint64_t writes() const;
  /// True if the background thread has processed every write and no later work is scheduled.
  [[nodiscard]] bool is_idle() const;
  /// The last 1,000 audit annotations of webhooks and admission policies, oldest first. The server has no audit log.
  [[nodiscard]] std::vector<AuditAnnotation> audit_annotations() const;
  /// Drops the history: all versions before the current one return 410 Expired from now on. A watch that has not yet
  /// read all changes ends.
  void compact();

  // ---- faults ----

  /// Replaces the faults for requests that arrive from now on. The counts of the new rules start at zero, and replicas
  /// no longer lag behind.
  void set_faults(ServerFaults faults);
  /// Number of times that a rule has hit a request; a test can check that it is not zero.
  [[nodiscard]] std::uint64_t injected_faults() const;
  /// Restores the state at `version`, as from a backup, and ends all watches. The next write gets the version after
  /// `version`, which is then assigned a second time. Errors: invalid if the version is in the future or older than a
  /// watch window; those of a write to the data file.
  [[nodiscard]] Result<void> rewind(std::uint64_t version);

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace pintle
