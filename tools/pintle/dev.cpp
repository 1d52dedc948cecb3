#include "dev.hpp"

#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include <pintle/apiserver/server.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/server.hpp>

#include "kubeconfig_file.hpp"

namespace pintle::tools {
namespace {

struct Credentials {
  std::string authority{};  // PEM
  http::Identity server{};
};

int complain(int code, const std::string& what) {
  fmt::print(stderr, "pintle dev: {}\n", what);
  return code;
}

int complain(const Error& error) { return complain(error.code == ErrorCode::invalid ? 2 : 1, error.message); }

// "127.0.0.1:0" → "127.0.0.1", "[::1]:80" → "::1", ":80" → ""
std::string host_of(const std::string& listen) {
  std::string host = listen.substr(0, listen.rfind(':'));
  if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  return host;
}

Result<Credentials> make_credentials(const Runtime& runtime, const std::string& listen) {
  constexpr auto day = std::chrono::hours(24);
  http::CertificateOptions options{
      .common_name = "pintle dev", .not_before = runtime.wall_now() - day, .not_after = runtime.wall_now() + 365 * day};
  auto authority = http::make_authority(options);
  if (!authority) return fail(std::move(authority.error()));
  options.names = {"localhost", "127.0.0.1", "::1"};
  const std::string host = host_of(listen);
  if (!host.empty() && host != "0.0.0.0" && host != "::" && host != "localhost" && host != "127.0.0.1" &&
      host != "::1") {
    options.names.push_back(host);
  }
  auto server = http::make_server_certificate(*authority, options);
  if (!server) return fail(std::move(server.error()));
  return Credentials{.authority = authority->certificate, .server = std::move(*server)};
}

void wait_for_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  int received = 0;
  while (sigwait(&signals, &received) != 0) {}
}

}  // namespace

int run_dev(const DevOptions& options) {
  if (!options.kubeconfig.empty() && !options.token.empty() && !options.tls) {
    return complain(2, "kubectl sends no token over plain http, so --token with --kubeconfig needs --tls too");
  }
  if (!options.kubeconfig.empty()) {
    if (auto free = check_kubeconfig_path(options.kubeconfig); !free) return complain(free.error());
  }

  const auto runtime = make_real_runtime();
  Credentials credentials;
  if (options.tls) {
    auto made = make_credentials(*runtime, options.listen);
    if (!made) return complain(made.error());
    credentials = std::move(*made);
  }
  const Log log(make_stderr_sink(), *runtime, LogLevel::warning);
  ApiServer api(*runtime, {.token = options.token, .build = "pintle-" + options.version, .log = log});
  http::Server server(*runtime, api,
                      {.listen = options.listen,
                       .certificate = credentials.server.certificate,
                       .key = credentials.server.key,
                       .refusal = &ApiServer::refusal,
                       .log = log});
  if (auto started = server.start(); !started) return complain(started.error());
  if (!options.kubeconfig.empty()) {
    const KubeconfigContent content{.url = server.url(), .ca = credentials.authority, .token = options.token};
    if (auto written = write_kubeconfig(options.kubeconfig, content); !written) return complain(written.error());
  }
  fmt::print("ready {}\n", server.url());
  std::fflush(stdout);
  wait_for_signal();
  api.stop();
  server.stop();
  return 0;
}

}  // namespace pintle::tools
