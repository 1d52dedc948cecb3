// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <cstdio>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <pintle/apiserver/recorder.hpp>
#include <pintle/apiserver/request_info.hpp>
#include <pintle/apiserver/server.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/random_text.hpp>
#include <pintle/base/terminal.hpp>
#include <pintle/client/client.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>

#include "../kubeconfig_file.hpp"
#include "../serving.hpp"
#include "http/forwarder.hpp"

namespace pintle::tools {
namespace {

int print_record_error(int code, const std::string& what) {
  fmt::print(stderr, "pintle record: {}\n", escape_for_terminal(what));
  return code;
}

int print_record_error(const Error& error) {
  return print_record_error(error.code == ErrorCode::invalid ? 2 : 1, error.message);
}

// Refuses requests without the token. Otherwise any program of this machine could use the credentials for the cluster.
class TokenGuard final : public http::Handler {
 public:
  TokenGuard(http::Handler& inner, const std::string& token) : inner_(inner), wanted_("Bearer " + token) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override {
    if (request.headers.get("Authorization").value_or("") == wanted_) return inner_.handle(request);
    return ApiServer::error_response(401, "Unauthorized");
  }

 private:
  http::Handler& inner_;
  const std::string wanted_;
};

http::Forwarder::Options forwarding(const std::shared_ptr<pintle::Client>& client) {
  return {.transport = std::shared_ptr<http::Transport>(client, &client->transport()),
          // The request for a list contains the endpoint and the current credentials.
          .prepare = [client]() -> Result<http::Request> {
            const Resource any{.kind = {"v1", "Namespace"}, .plural = "namespaces"};
            return client->list_request(any, {});
          },
          .streams =
              [](const http::Request& request) {
                const auto info = request_info(request);
                return info && info->verb == "watch";
              },
          .error_response = &ApiServer::error_response};
}

}  // namespace

int run_record(const RecordOptions& options) {
  if (auto usable = check_kubeconfig_path(options.write_kubeconfig); !usable) return print_record_error(usable.error());
  auto cluster = find_cluster(options.kubeconfig, options.context);
  if (!cluster) return print_record_error(cluster.error());
  const auto executor = make_real_executor();
  const Log log(make_stderr_sink(), *executor, LogLevel::warning);
  const std::shared_ptr<http::Transport> transport = http::make_network_transport(*executor);
  const auto client = std::make_shared<pintle::Client>(ClientOptions{
      .transport = transport, .cluster = std::move(*cluster), .user_agent = "pintle", .log = log, .protobuf = false});
  const auto identity = http::make_self_signed_key_pair("pintle record", host_of(options.listen), executor->wall_now());
  if (!identity) return print_record_error(identity.error());
  http::Forwarder forwarder(forwarding(client));
  auto recorder = Recorder::open(*executor, forwarder, options.out);
  if (!recorder) return print_record_error(1, "--out: " + recorder.error().message);
  const std::string token = random_text(*executor);
  TokenGuard guard(**recorder, token);
  http::Server server(*executor, guard,
                      {.listen = options.listen,
                       .certificate = identity->server.certificate,
                       .key = identity->server.key,
                       .max_deferred = 32,  // each request that is not a watch waits for the cluster
                       .error_response = &ApiServer::error_response,
                       .log = log});
  if (auto started = server.start(); !started) return print_record_error(started.error());
  const KubeconfigContent content{.url = server.url(), .ca = identity->authority, .token = token};
  if (auto written = write_kubeconfig(options.write_kubeconfig, content); !written)
    return print_record_error(written.error());
  fmt::print("ready {}\n", server.url());
  std::fflush(stdout);
  wait_for_signal();
  server.stop();
  transport->stop();
  if (auto recorded = (*recorder)->finish(); !recorded)
    return print_record_error(1, "--out: " + recorded.error().message);
  return 0;
}

}  // namespace pintle::tools
