// SPDX-License-Identifier: Apache-2.0
#include "caller.hpp"

#include <algorithm>
#include <utility>

#include <pintle/http/pem.hpp>
#include <pintle/http/server_url.hpp>

#include "access/signing_transport.hpp"

namespace pintle {

namespace {

constexpr std::size_t max_error_body = std::size_t{1} << 20U;  // bytes

bool is_success(int status) { return status >= 200 && status < 300; }

std::string host_label(const Cluster& cluster) {
  if (cluster.endpoint == nullptr) return "in-process";
  return http::join_host_port(cluster.endpoint->host, cluster.endpoint->port);
}

bool has_credentials(const Cluster& cluster) {
  return !cluster.token.empty() || !cluster.token_file.empty() || !cluster.username.empty() ||
         cluster.exec != nullptr || cluster.oidc != nullptr ||
         (cluster.endpoint != nullptr && !cluster.endpoint->client_certificate.empty());
}

// Describes the credentials that were sent, without their content.
std::string credentials_of(const Cluster& cluster, WallTime now) {
  const std::string of = cluster.origin.empty() ? "" : " of " + cluster.origin;
  if (!cluster.token_file.empty()) return "the token in " + cluster.token_file + of;
  if (!cluster.token.empty()) return "the token" + of;
  if (!cluster.username.empty()) return "the user name and password" + of;
  const bool has_certificate = cluster.endpoint != nullptr && !cluster.endpoint->client_certificate.empty();
  if (!has_certificate && cluster.exec != nullptr) {
    return "the credential from plugin " + cluster.exec->command + of;
  }
  if (!has_certificate) return "the token from the OpenID Connect provider" + of;
  const auto validity = http::validate_certificates({.text = cluster.endpoint->client_certificate});
  const bool has_expired = validity && validity->front().has_ended(now);
  return "the client certificate" + of +
         (has_expired ? ", which expired at " + format_time(validity->front().not_after) : "");
}

// The time of a call with all of its repeats. The wait for credentials does not count, because a plugin and a provider
// have limits of their own.
class CallTime {
 public:
  CallTime(Executor& executor, const http::Request& request)
      : executor_(executor),
        begun_(executor.now()),
        deadline_(request.deadline),
        is_whole_(request.timeout > Duration::zero()),
        limit_(is_whole_ ? request.timeout : request.idle_timeout) {}

  // Calls a function whose time does not count.
  template <class Function>
  [[nodiscard]] auto without(const Function& function) {
    const Instant from = executor_.now();
    auto result = function();
    begun_ += executor_.now() - from;
    return result;
  }
  // Limits the next attempt to the time that is left.
  void limit(http::Request& request) const {
    if (is_whole_) request.deadline = std::min(deadline_, end());
  }
  [[nodiscard]] Duration elapsed() const { return executor_.now() - begun_; }
  // Whether time is left after this pause.
  [[nodiscard]] bool permits(Duration pause) const { return after(executor_.now(), pause) < end(); }

 private:
  [[nodiscard]] Instant end() const { return limit_ > Duration::zero() ? after(begun_, limit_) : Instant::max(); }

  Executor& executor_;
  Instant begun_;
  const Instant deadline_;
  const bool is_whole_;   // otherwise the limit is that of the time without data
  const Duration limit_;  // zero: none
};

}  // namespace

Caller::Caller(const ClientOptions& options)
    : executor_(options.transport->executor()),
      cluster_(options.cluster),
      user_agent_(options.user_agent),
      credentials_(options.credentials != nullptr ? options.credentials : make_credentials(options)),
      transport_(credentials_->may_change() ? std::make_shared<SigningTransport>(options.transport, credentials_)
                                            : options.transport),
      metrics_(executor_, options.metrics, host_label(options.cluster), options.metrics_by_kind),
      warnings_(executor_, options.log) {}

void Caller::set_headers(http::Request& request) const {
  if (!request.headers.get("Accept")) request.headers.set("Accept", "application/json");
  request.headers.set("User-Agent", user_agent_);
}

Result<void> Caller::prepare(http::Request& request) const {
  set_headers(request);
  return credentials_->may_change() ? Result<void>() : sign(request, {});
}

Result<void> Caller::sign(http::Request& request, const std::stop_token& stop) const {
  set_headers(request);
  const auto credentials = credentials_->get(stop);
  if (!credentials) return fail(credentials.error());
  credentials->apply(request);
  return {};
}

Result<http::BufferedResponse> Caller::call(http::Request request, Repeatable repeatable, std::stop_token stop) {
  return persist(std::move(request), repeatable, stop, [&](const http::Request& one) { return exchange(one, stop); });
}

Result<void> Caller::stream(http::Request request, Repeatable repeatable,
                            const std::function<bool(std::string_view)>& on_bytes, std::stop_token stop) {
  const auto take = [&](std::string_view bytes) {
    repeatable = Repeatable::no;
    return on_bytes(bytes);
  };
  return persist(std::move(request), repeatable, stop, [&](const http::Request& one) { return read(one, take, stop); });
}

// Repeats an exchange until it succeeds or fails with an error that is not retried. An exchange may change
// `repeatable`.
template <class Exchange>
auto Caller::persist(http::Request request, const Repeatable& repeatable, const std::stop_token& stop,
                     Exchange exchange) -> decltype(exchange(request)) {
  CallTime time(executor_, request);
  unsigned retries = 0;
  bool renewed = false;
  while (true) {
    if (auto done = time.without([&] { return sign(request, stop); }); !done) return fail(std::move(done.error()));
    time.limit(request);
    auto response = exchange(request);
    if (response) return response;
    Error& error = response.error();
    // The server does not carry out a request that it rejects with 401, so any method may be repeated.
    const auto has_newer = [&] { return has_newer_credentials(request, stop); };
    if (error.code == ErrorCode::unauthorized && !renewed && time.without(has_newer)) {
      renewed = true;
      ++request.resend_count;
      metrics_.count_retry(request.method, error.http_status);
      continue;
    }
    const auto pause = retry_pause(error, repeatable, {retries, time.elapsed()});
    if (!pause || !time.permits(*pause)) return explained(std::move(error));
    if (!executor_.sleep_for(*pause, stop)) {
      return fail(ErrorCode::cancelled, "stopped while waiting to repeat the request after: " + error.message);
    }
    ++retries;
    ++request.resend_count;
    metrics_.count_retry(request.method, error.http_status);
  }
}

void Caller::observe(const http::Request& request, const http::ResponseHead& head, Duration took) {
  constexpr int unauthorized = 401;
  metrics_.count(request, head.status, took);
  if (head.name_lookup) metrics_.count_lookup(*head.name_lookup);
  warnings_.note(head.headers);
  if (head.status == unauthorized) credentials_->on_unauthorized(executor_.now() - took);
}

Result<http::BufferedResponse> Caller::exchange(const http::Request& request, std::stop_token stop) {
  const Instant sent = executor_.now();
  auto response = http::send(*transport_, request, std::move(stop));
  const http::ResponseHead head{.status = response ? response->status : 0,
                                .headers = response ? response->headers : http::Headers{},
                                .name_lookup = response ? response->name_lookup : std::nullopt};
  observe(request, head, executor_.now() - sent);
  if (!response && response.error().reason == http::untrusted_certificate) credentials_->on_untrusted();
  if (!response) return response;
  metrics_.count_received(request.method, response->status, response->body.size());
  if (is_success(response->status)) return response;
  return error_from_response(response->status, response->headers, response->body);
}

Result<void> Caller::read(const http::Request& request, const std::function<bool(std::string_view)>& on_bytes,
                          std::stop_token stop) {
  const Instant sent = executor_.now();
  http::ResponseHead head{.status = 0};
  std::string refusal;
  auto end = http::receive(*transport_, request,
                           {.on_head =
                                [&](const http::ResponseHead& came) {
                                  head = came;
                                  observe(request, head, executor_.now() - sent);
                                },
                            .on_bytes =
                                [&](std::string_view bytes) {
                                  if (is_success(head.status)) return on_bytes(bytes);
                                  refusal.append(bytes);
                                  return refusal.size() < max_error_body;
                                }},
                           std::move(stop));
  if (head.status == 0) observe(request, head, executor_.now() - sent);
  if (!end && end.error().reason == http::untrusted_certificate) credentials_->on_untrusted();
  if (!end || is_success(head.status)) return end;
  return error_from_response(head.status, head.headers, refusal);
}

bool Caller::has_newer_credentials(const http::Request& refused, const std::stop_token& stop) const {
  const auto now = credentials_->get(stop);
  if (!now) return false;
  const bool is_same_endpoint = refused.endpoint == now->endpoint;
  return !is_same_endpoint || refused.headers.get("Authorization").value_or("") != now->authorization;
}

Error Caller::explained(Error error) const {
  const std::string& where = cluster_.origin;
  if (error.code == ErrorCode::unauthorized && has_credentials(cluster_)) {
    error.message += ": the server rejects " + credentials_of(cluster_, executor_.wall_now()) + "; renew it";
  } else if (error.code == ErrorCode::unauthorized) {
    error.message += ": the request has no credentials; add a token or a client certificate" +
                     (where.empty() ? "" : " to the user of " + where);
  } else if (error.code == ErrorCode::unreachable && !where.empty()) {
    error.message += " (" + where + ")";
  }
  return error;
}

std::shared_ptr<Credentials> make_credentials(const ClientOptions& options) {
  // An interceptor must not receive the refresh token of a provider, and a provider has no dry run.
  const std::shared_ptr<http::Transport> own = options.transport->for_credentials();
  return std::make_shared<Credentials>(CredentialsOptions{.executor = options.transport->executor(),
                                                          .cluster = options.cluster,
                                                          .log = options.log,
                                                          .programs = options.programs,
                                                          .transport = own != nullptr ? own : options.transport,
                                                          .metrics = options.metrics});
}

}  // namespace pintle
