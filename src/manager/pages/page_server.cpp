// SPDX-License-Identifier: Apache-2.0
#include "page_server.hpp"

#include <utility>

#include <pintle/base/environment.hpp>
#include <pintle/base/text.hpp>

namespace pintle {
namespace {

bool has_files(const ServingOptions& serving) { return !serving.certificate_file.empty() || !serving.key_file.empty(); }

// Without a host, only this machine can connect.
Result<http::ListenAddress> address_of(const std::string& listen) {
  auto address = http::parse_listen_address(listen);
  if (address && address->host.empty()) address->host = "127.0.0.1";
  return address;
}

// Returns the names of this machine that a Host header may contain.
std::vector<std::string> own_names(const std::string& listen) {
  std::vector<std::string> names;
  if (const std::string host = host_name(); !host.empty()) names.push_back(to_lower_ascii(host));
  if (const auto address = address_of(listen)) names.push_back(to_lower_ascii(address->host));
  return names;
}

constexpr std::int64_t max_history = 1'000'000;

// Returns the flags of the options for pages that are set.
std::string given_for_pages(const ManagerOptions& options) {
  const ServingOptions& serving = options.serving;
  std::string given;
  for (const auto& [is_given, flag] : {std::pair(options.debug, "--debug"),
                                       {serving.profiling, "--profiling"},
                                       {serving.tls, "--tls"},
                                       {!serving.certificate_file.empty(), "--tls-cert-file"},
                                       {!serving.key_file.empty(), "--tls-private-key-file"},
                                       {serving.authorize, "--authorize"},
                                       {!serving.audience.empty(), "--authorize-audience"}}) {
    if (is_given) given.append(given.empty() ? "" : ", ").append(flag);
  }
  return given;
}

}  // namespace

std::vector<Error> check_serving(const ManagerOptions& options) {
  std::vector<Error> errors;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  if (options.listen.empty()) {
    const std::string idle = given_for_pages(options);
    if (!idle.empty()) {
      wrong("no pages are served, so these flags have no effect: " + idle +
            "; set --listen HOST:PORT (ManagerOptions::listen) too, or remove them");
    }
    return errors;
  }
  if (options.debug && (options.debug_history < 1 || options.debug_history > max_history)) {
    wrong("--debug-history " + std::to_string(options.debug_history) + " must be from 1 to " +
          std::to_string(max_history));
  }
  const ServingOptions& serving = options.serving;
  if (serving.certificate_file.empty() != serving.key_file.empty()) {
    wrong(
        "a certificate and its key must be set together; set both --tls-cert-file and --tls-private-key-file "
        "(ManagerOptions::serving), or neither");
  }
  if (!serving.audience.empty() && !serving.authorize) {
    wrong(
        "--authorize-audience has no effect without --authorize; set --authorize too, or remove --authorize-audience");
  }
  const auto address = address_of(options.listen);
  if (!address) {
    errors.push_back(address.error());
  } else if (serving.authorize && !serving.tls && !has_files(serving) && !address->is_loopback()) {
    wrong(
        "tokens would be sent without encryption: --authorize requires --tls or certificate files, because --listen " +
        options.listen + " is not a loopback address");
  }
  return errors;
}

PageServer::PageServer(Executor& executor, const ManagerOptions& options, http::Handler& pages,
                       std::unique_ptr<Client> reviews, MetricsRegistry& metrics, Log log,
                       CertificateTimes certificate_times)
    : executor_(executor),
      options_(options),
      pages_(pages),
      metrics_(metrics),
      log_(std::move(log)),
      certificate_times_(certificate_times) {
  if (reviews == nullptr) {
    origin_guard_.emplace(pages_, own_names(options_.listen));
    return;
  }
  reviewer_.emplace(executor_, std::move(reviews), log_, AccessReviewerOptions{.audience = options_.serving.audience});
  guard_.emplace(pages_, *reviewer_);
}

PageServer::~PageServer() { stop(); }

Result<void> PageServer::start() {
  const auto address = address_of(options_.listen);
  if (!address) return fail(address.error());
  auto shown = identity(address->host);
  if (!shown) return fail(std::move(shown.error()));
  // The limits are small: the pages need no bodies, and requests that wait for a review stay in memory.
  http::ServerOptions server{.listen = address->to_string(),
                             .max_body_size = std::size_t{16} << 10U,
                             .max_head_size = std::size_t{32} << 10U,
                             .log = log_};
  if (*shown) {
    server.certificate = (*shown)->certificate;
    server.key = (*shown)->key;
  }
  http::Handler& guard = guard_ ? static_cast<http::Handler&>(*guard_) : *origin_guard_;
  server_.emplace(executor_, guard, std::move(server));
  if (auto listening = server_->start(); !listening) return listening;
  const auto show = [this](const http::KeyPair& next) { return server_->set_key_pair(next); };
  if (files_) files_->watch(std::move(**shown), show);
  if (own_) own_->watch(show);
  log_.info("serving health and metrics", {{"url", server_->url()}});
  warn_of_open_pages(*address);
  return {};
}

void PageServer::stop() {
  if (guard_) guard_->stop();
  if (files_) files_->stop();
  if (own_) own_->stop();
  if (server_) server_->stop();
}

std::string PageServer::address() const {
  const std::string url = server_->url();
  return url.substr(url.find("//") + 2);
}

Result<std::optional<http::KeyPair>> PageServer::identity(const std::string& host) {
  const ServingOptions& serving = options_.serving;
  if (has_files(serving)) {
    files_.emplace(executor_, http::CertificateFilesOptions{.certificate_file = serving.certificate_file,
                                                            .key_file = serving.key_file,
                                                            .period = certificate_times_.period,
                                                            .log = log_,
                                                            .metrics = &metrics_});
    auto read = files_->read();
    if (!read) return fail(std::move(read.error()).with_operation("read the certificate of the pages"));
    return std::optional(std::move(*read));
  }
  if (!serving.tls) return std::optional<http::KeyPair>();
  own_.emplace(executor_,
               OwnCertificateOptions{
                   .common_name = options_.name, .host = host, .max_use = certificate_times_.max_use, .log = log_});
  auto made = own_->make();
  if (!made) return fail(std::move(made.error()));
  return std::optional(std::move(*made));
}

void PageServer::warn_of_open_pages(const http::ListenAddress& address) const {
  const bool has_debug = options_.debug || options_.serving.profiling;
  if (!has_debug || options_.serving.authorize || address.is_loopback()) return;
  log_.warning("all clients that reach this address can read /debug/; set --authorize to restrict it",
               {{"listen", address.to_string()}});
}

}  // namespace pintle
