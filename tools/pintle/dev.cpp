// SPDX-License-Identifier: Apache-2.0
#include "dev.hpp"

#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <pintle/apiserver/recorder.hpp>
#include <pintle/apiserver/server.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/file.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/random_text.hpp>
#include <pintle/base/terminal.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>
#include <pintle/http/server_url.hpp>

#include "kubeconfig_file.hpp"
#include "load_manifests.hpp"
#include "serving.hpp"
#include "standing_clock.hpp"

namespace pintle::tools {
namespace {

// The server checks the path and the method of a request before the size of its body, so larger bodies reach it.
constexpr std::size_t max_body = std::size_t{8} << 20U;

int print_error(int code, const std::string& what) {
  fmt::print(stderr, "pintle dev: {}\n", escape_for_terminal(what));
  return code;
}

int print_error(const Error& error) { return print_error(error.code == ErrorCode::invalid ? 2 : 1, error.message); }

// Prints one line for each error.
int print_errors_of_file(const std::string& path, const Error& error) {
  if (error.causes.empty()) return print_error(2, fmt::format("{}: {}", path, error.message));
  for (const StatusCause& cause : error.causes) {
    print_error(2, fmt::format("{}: {}{}{}", path, cause.field, cause.field.empty() ? "" : ": ", cause.message));
  }
  return 2;
}

int print_errors_of_load(const Error& error) {
  for (const StatusCause& cause : error.causes) {
    print_error(1, fmt::format("--load: {}: {}", cause.field, cause.message));
  }
  return 1;
}

// Checks the combination of options.
Result<void> check(const DevOptions& options) {
  if (!options.kubeconfig.empty() && !options.token.empty() && !options.tls) {
    return fail(ErrorCode::invalid,
                "kubectl sends no token over plain HTTP, so --token with --kubeconfig requires --tls too");
  }
  if (options.client_certificate && (!options.tls || options.kubeconfig.empty())) {
    return fail(ErrorCode::invalid,
                "--client-certificate requires --tls and --kubeconfig; the certificate is written to the kubeconfig");
  }
  if (options.authorization == "rbac" && options.kubeconfig.empty() && options.token.empty() &&
      options.token_file.empty()) {
    return fail(ErrorCode::invalid,
                "--authorization rbac requires --kubeconfig, --token or --token-file; otherwise no client could "
                "authenticate");
  }
  return options.kubeconfig.empty() ? Result<void>() : check_kubeconfig_path(options.kubeconfig);
}

// Gives the kubeconfig the credentials of an administrator if other clients are authenticated or authorized. kubectl
// sends a token over HTTPS only.
DevOptions with_administrator(DevOptions options, Executor& executor) {
  const bool distinguishes_users = options.authorization == "rbac" || !options.token_file.empty();
  if (!distinguishes_users || options.kubeconfig.empty() || options.client_certificate || !options.token.empty()) {
    return options;
  }
  options.token = random_text(executor);
  options.tls = true;
  return options;
}

Result<std::vector<ApiServerUser>> read_users(const std::string& path) {
  if (path.empty()) return std::vector<ApiServerUser>();
  const auto text = read_file(path);
  if (!text) return fail(text.error());
  auto users = parse_token_file(*text);
  if (!users) users.error().message.insert(0, path + ": ");
  return users;
}

// A client certificate, and the authority that signed it.
struct Client {
  http::KeyPair identity{};
  std::string authority{};
};
Result<Client> make_client(WallTime now) {
  constexpr auto day = std::chrono::hours(24);
  const http::CertificateOptions options{.common_name = "pintle",
                                         .organizations = {"system:masters"},
                                         .not_before = now - day,
                                         .not_after = now + 3650 * day};
  auto authority = http::make_authority(options);
  if (!authority) return fail(std::move(authority.error()));
  auto identity = http::make_client_certificate(*authority, options);
  if (!identity) return fail(std::move(identity.error()));
  return Client{.identity = std::move(*identity), .authority = std::move(authority->certificate)};
}

// Parses "NAME.NAMESPACE=URL" and "NAME.NAMESPACE:PORT=URL".
Result<std::map<std::string, std::string>> parse_services(const std::vector<std::string>& given) {
  std::map<std::string, std::string> out;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    const std::string service = text.substr(0, equals);
    const std::string url = equals == std::string::npos ? std::string() : text.substr(equals + 1);
    const std::size_t dot = service.find('.');
    const bool has_name = dot != std::string::npos && dot > 0 && dot + 1 < service.size();
    if (!has_name || url.empty()) {
      return fail(ErrorCode::invalid,
                  fmt::format("--service {}: write NAME.NAMESPACE=URL or NAME.NAMESPACE:PORT=URL", text));
    }
    auto parsed = http::parse_server_url(url, true);
    if (!parsed) return fail(ErrorCode::invalid, fmt::format("--service {}: {}", text, parsed.error().message));
    if (!parsed->tls) {
      return fail(ErrorCode::invalid, fmt::format("--service {}: webhooks are called over https only", text));
    }
    out[service] = url;
  }
  return out;
}

// Parses "NAMESPACE/NAME:PORT=URL".
Result<std::map<std::string, std::string>> parse_pods(const std::vector<std::string>& given) {
  std::map<std::string, std::string> out;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    const std::string pod = text.substr(0, equals);
    const std::size_t slash = pod.find('/');
    const std::size_t colon = pod.find(':');
    const bool has_parts = slash != std::string::npos && slash > 0 && colon != std::string::npos && colon > slash + 1 &&
                           colon + 1 < pod.size();
    if (!has_parts || equals == std::string::npos) {
      return fail(ErrorCode::invalid, fmt::format("--pod {}: write NAMESPACE/NAME:PORT=URL", text));
    }
    out[pod] = text.substr(equals + 1);
    if (auto parsed = http::parse_server_url(out[pod], false); !parsed) {
      return fail(ErrorCode::invalid, fmt::format("--pod {}: {}", text, parsed.error().message));
    }
  }
  return out;
}

}  // namespace

int run_dev(const DevOptions& given) {
  if (auto usable = check(given); !usable) return print_error(usable.error());
  const auto executor = make_real_executor();
  const DevOptions options = with_administrator(given, *executor);
  auto users = read_users(options.token_file);
  if (!users) return print_error(users.error());
  ServerFaults faults;
  if (!options.faults.empty()) {
    const auto text = read_file(options.faults);
    if (!text) return print_error(text.error());
    auto parsed = parse_faults(*text);
    if (!parsed) return print_errors_of_file(options.faults, parsed.error());
    faults = std::move(*parsed);
  }

  const Result<WallTime> stands_at = options.now.empty() ? executor->wall_now() : parse_time(options.now);
  if (!stands_at) return print_error(2, fmt::format("--now: {}", stands_at.error().message));
  StandingClock standing(*executor, *stands_at);
  http::SelfSignedKeyPair identity;
  if (options.tls) {
    auto made = http::make_self_signed_key_pair("pintle dev", host_of(options.listen), executor->wall_now());
    if (!made) return print_error(made.error());
    identity = std::move(*made);
  }
  Client client;
  if (options.client_certificate) {
    auto made = make_client(executor->wall_now());
    if (!made) return print_error(made.error());
    client = std::move(*made);
  }
  auto services = parse_services(options.services);
  if (!services) return print_error(services.error());
  auto pods = parse_pods(options.pods);
  if (!pods) return print_error(pods.error());
  const std::shared_ptr<http::Transport> to_others = http::make_network_transport(*executor);  // webhooks and pods
  const Log log(make_stderr_sink(), *executor, LogLevel::warning);
  std::shared_ptr<DataFile> data;
  if (!options.data.empty()) {
    auto opened = DataFile::open(*executor, options.data);
    if (!opened) return print_error(1, "--data: " + opened.error().message);
    data = std::move(*opened);
  }
  ApiServer api(options.now.empty() ? *executor : standing,
                {.token = options.token,
                 .users = std::move(*users),
                 .authorization =
                     options.authorization == "rbac" ? ApiServerAuthorization::rbac : ApiServerAuthorization::allow_all,
                 .requests_per_second = options.rate,
                 .data = std::move(data),
                 .cluster_objects = true,
                 .controllers = options.controllers,
                 .ca_certificate = identity.authority,
                 .webhooks = {.transport = to_others, .services = std::move(*services)},
                 .pods = {.transport = to_others, .urls = std::move(*pods)},
                 .build = "pintle-" + options.version,
                 .log = log});
  if (!options.load.empty()) {
    if (auto loaded = load_manifests(api, *executor, options.load); !loaded) {
      return print_errors_of_load(loaded.error());
    }
  }
  api.set_faults(std::move(faults));
  std::unique_ptr<Recorder> recorder;
  if (!options.record.empty()) {
    auto opened = Recorder::open(*executor, api, options.record);
    if (!opened) return print_error(1, "--record: " + opened.error().message);
    recorder = std::move(*opened);
  }
  http::Handler& handler = recorder != nullptr ? static_cast<http::Handler&>(*recorder) : api;
  http::Server server(*executor, handler,
                      {.listen = options.listen,
                       .certificate = identity.server.certificate,
                       .key = identity.server.key,
                       .client_ca = client.authority,
                       .max_connections = options.max_connections,
                       .max_body_size = max_body,
                       .max_tls_record = options.tls_record,
                       // Requests that wait for the data file, or for webhooks, which may send requests themselves.
                       .max_deferred = 32,
                       .error_response = &ApiServer::error_response,
                       .log = log});
  if (auto started = server.start(); !started) return print_error(started.error());
  if (!options.kubeconfig.empty()) {
    // Over HTTPS, kubectl prompts for a user name if a kubeconfig has no credentials. Without --token, any token is
    // accepted.
    const bool needs_any_token = options.tls && options.token.empty() && !options.client_certificate;
    const KubeconfigContent content{.url = server.url(),
                                    .ca = identity.authority,
                                    .token = needs_any_token ? "any" : options.token,
                                    .client = client.identity};
    if (auto written = write_kubeconfig(options.kubeconfig, content); !written) return print_error(written.error());
  }
  fmt::print("ready {}\n", server.url());
  std::fflush(stdout);
  wait_for_signal();
  api.stop();
  server.stop();
  to_others->stop();
  if (recorder != nullptr) {
    if (auto recorded = recorder->finish(); !recorded) return print_error(1, "--record: " + recorded.error().message);
  }
  return 0;
}

}  // namespace pintle::tools
