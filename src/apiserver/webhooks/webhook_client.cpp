// SPDX-License-Identifier: Apache-2.0
#include "webhook_client.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/http/server_url.hpp>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::size_t max_response = std::size_t{16} << 20U;
constexpr std::size_t max_quoted = 2048;

using Done = std::function<void(Result<Value>)>;

// The query of a call: its time, in whole seconds.
std::string query_of(const WebhookClient::Call& call) {
  return fmt::format("?timeout={}s", std::chrono::ceil<std::chrono::seconds>(call.timeout).count());
}

// The URL that messages name.
std::string full_url(const WebhookClient::Call& call) {
  const WebhookTarget& target = call.target;
  const std::string url = target.service.empty()
                              ? target.url
                              : fmt::format("https://{}.svc:{}{}", target.service, target.port, target.path);
  return url + query_of(call);
}

Error call_error(std::string message) { return make_error(ErrorCode::unavailable, std::move(message)); }

// The certificates that a webhook must have are in its configuration, not in a kubeconfig, which the transport names.
std::string certificate_error(std::string_view message) {
  const std::size_t advice = message.rfind(": ");
  if (advice == std::string_view::npos || message.find("kubeconfig", advice) == std::string_view::npos) {
    return std::string(message);
  }
  return fmt::format("{}: check caBundle in the clientConfig, and the certificate of the webhook",
                     message.substr(0, advice));
}

// Returns why no connection can be verified with `ca`; "" if one can.
std::string ca_error(std::string_view ca) {
  if (ca.empty()) return {};
  const auto valid = http::validate_certificates({.name = "caBundle", .text = ca});
  if (valid) return {};
  if (ca.find("-----BEGIN ") == std::string_view::npos) return "unable to parse bytes as PEM block";
  return fmt::format("failed to parse certificate: {}", valid.error().message);
}

// Converts an error of the transport. `url` has the query.
Error transport_error(const Error& error, std::string_view url, const http::Endpoint& endpoint) {
  const auto post = [&](std::string_view what) { return call_error(fmt::format("Post \"{}\": {}", url, what)); };
  if (const std::string why = ca_error(endpoint.ca); !why.empty()) {
    return call_error(fmt::format("{} unable to load root certificates: {}", no_client, why));
  }
  if (error.code == ErrorCode::timeout) return post("context deadline exceeded");
  if (error.reason == http::untrusted_certificate) {
    return post(fmt::format("tls: failed to verify certificate: x509: {}", certificate_error(error.message)));
  }
  if (error.message.find("connection refused") != std::string::npos) {
    return post(
        fmt::format("dial tcp {}: connect: connection refused", http::join_host_port(endpoint.host, endpoint.port)));
  }
  return post(error.message);
}

bool is_text(std::string_view content_type) { return content_type.empty() || content_type.starts_with("text/"); }

// The text for a response that is no Status; "" if there is none for its code.
std::string_view meaning_of(int status) {
  switch (status) {
    case 400: return "the server rejected our request for an unknown reason";
    case 401: return "the server has asked for the client to provide credentials";
    case 404: return "the server could not find the requested resource";
    case 405: return "the server does not allow this method on the requested resource";
    case 409: return "the server reported a conflict";
    case 422: return "the server rejected our request due to an error in our request";
    case 429: return "the server has received too many requests and has asked us to try again later";
    case 503: return "the server is currently unable to handle the request";
    case 504:
      return "the server was unable to return a response in the time allotted, but may still be processing the "
             "request";
    default: return "";
  }
}

// Converts a response that is not a success.
Error status_error(int status, std::string_view content_type, std::string_view body) {
  if (const auto parsed = json::parse(body); parsed && text_at(*parsed, "/kind") == "Status") {
    if (const std::string_view message = text_at(*parsed, "/message"); !message.empty()) {
      return call_error(sanitize_utf8(message));
    }
  }
  if (const std::string_view meaning = meaning_of(status); !meaning.empty()) return call_error(std::string(meaning));
  const std::string said = is_text(content_type) ? sanitize_utf8(trim(body.substr(0, max_quoted))) : "unknown";
  if (status == 403 || status == 406 || status == 415) return call_error(said);
  if (status >= 500) {
    return call_error(fmt::format("an error on the server (\"{}\") has prevented the request from succeeding", said));
  }
  return call_error(
      fmt::format("the server responded with the status code {} but did not return more information", status));
}

// Parses a review. It has the type of the request, or none.
Result<Value> read_review(std::string_view body, std::string_view content_type, int status, const ReviewType& type) {
  if (body.empty()) {
    return fail(
        call_error(fmt::format("0-length response with status code: {} and content type: {}", status, content_type)));
  }
  auto review = json::parse(body);
  if (!review || !review->is_object()) {
    return fail(call_error(fmt::format("couldn't get version/kind; json parse error: {}",
                                       review ? "the text is not an object" : review.error().message)));
  }
  const std::string_view api_version = text_at(*review, "/apiVersion");
  const std::string_view kind = text_at(*review, "/kind");
  if (api_version.empty() && kind.empty()) return review;
  const bool is_of_group = api_version.substr(0, api_version.find('/')) == type.group;
  const std::string_view version = api_version.substr(std::min(api_version.find('/') + 1, api_version.size()));
  const bool is_known = is_of_group && (version == "v1" || version == "v1beta1") && kind == type.kind;
  if (!is_known) {
    return fail(call_error(fmt::format("no kind \"{}\" is registered for version \"{}\" in the scheme of {}", kind,
                                       api_version, type.api_version())));
  }
  if (version != type.version) {
    return fail(call_error(
        fmt::format("converting ({}.{}) to ({}.{}): unknown conversion", version, kind, type.version, type.kind)));
  }
  return review;
}

// The part of a call that is needed to read its response.
struct Sent {
  std::string url;  // with the query
  std::shared_ptr<const http::Endpoint> endpoint;
  std::string group, version, kind;  // of the review

  [[nodiscard]] Result<Value> read(const Result<http::BufferedResponse>& response) const {
    if (!response) return fail(transport_error(response.error(), url, *endpoint));
    const std::string type(response->headers.get("Content-Type").value_or(""));
    if (response->status < 200 || response->status > 206) {
      return fail(status_error(response->status, type, response->body));
    }
    return read_review(response->body, type, response->status, {.group = group, .version = version, .kind = kind});
  }
};

// Collects a response on the I/O thread.
class Receiver final : public http::ExchangeHandler {
 public:
  Receiver(Sent sent, Done done) : sent_(std::move(sent)), done_(std::move(done)) {}

  void on_head(const http::ResponseHead& head) override {
    response_.status = head.status;
    response_.headers = head.headers;
  }
  void on_body(std::string_view chunk) override {
    is_too_large_ = is_too_large_ || chunk.size() > max_response - response_.body.size();
    if (!is_too_large_) response_.body.append(chunk);
  }
  void on_end(Result<void> result) override {
    if (!result) return done_(sent_.read(fail(std::move(result.error()))));
    if (is_too_large_) return done_(fail(call_error("the response is too large")));
    done_(sent_.read(std::move(response_)));
  }

 private:
  const Sent sent_;
  const Done done_;
  http::BufferedResponse response_;
  bool is_too_large_ = false;
};

Sent sent(const WebhookClient::Call& call, const http::Request& request) {
  return {.url = full_url(call),
          .endpoint = request.endpoint,
          .group = std::string(call.type.group),
          .version = std::string(call.type.version),
          .kind = std::string(call.type.kind)};
}

}  // namespace

// `url` is the one that messages name.
Result<http::Endpoint> WebhookClient::endpoint(const WebhookTarget& target, std::string_view url) const {
  if (options_.transport == nullptr) return fail(call_error("this server was started without a way to call webhooks"));
  if (target.service.empty()) {
    auto parsed = http::parse_server_url(target.url, true);
    if (!parsed) return fail(call_error(fmt::format("Post \"{}\": {}", url, parsed.error().message)));
    return parsed;
  }
  const std::optional<std::string> address = address_of(target);
  if (!address) {
    const std::size_t dot = target.service.find('.');
    const std::string_view name = std::string_view(target.service).substr(0, dot);
    const bool is_stored = storage_.get("services", storage_key(target.service.substr(dot + 1), name)).exists();
    return fail(call_error(fmt::format(
        "Post \"{}\": service \"{}\" not found{}", url, name,
        is_stored ? fmt::format(" in the table of this server; add --service {}=URL", target.service) : "")));
  }
  auto parsed = http::parse_server_url(*address, true);
  if (!parsed) return fail(call_error(fmt::format("Post \"{}\": {}", url, parsed.error().message)));
  parsed->base_path = target.path;
  parsed->server_name = target.service + ".svc";
  return parsed;
}

std::optional<std::string> WebhookClient::address_of(const WebhookTarget& target) const {
  auto found = options_.services.find(fmt::format("{}:{}", target.service, target.port));
  if (found == options_.services.end()) found = options_.services.find(target.service);
  if (found != options_.services.end()) return found->second;
  return options_.find_service ? options_.find_service(target.service) : std::nullopt;
}

Result<http::Request> WebhookClient::request(const Call& call, const Value& review) const {
  auto found = endpoint(call.target, full_url(call));
  if (!found) return fail(std::move(found.error()));
  found->ca = call.target.ca;
  const std::string path = std::exchange(found->base_path, {});
  return http::Request{.method = "POST",
                       .target = (path.empty() ? "/" : path) + query_of(call),
                       .headers = {{"Content-Type", "application/json"}, {"Accept", "application/json, */*"}},
                       .body = json::print(review),
                       .endpoint = std::make_shared<const http::Endpoint>(std::move(*found)),
                       .timeout = call.timeout};
}

Result<Value> WebhookClient::call(const Call& call, const Value& review) const {
  auto made = request(call, review);
  if (!made) return fail(std::move(made.error()));
  const Sent waiting = sent(call, *made);
  return waiting.read(http::send(*options_.transport, std::move(*made), stop_.get_token(), max_response));
}

void WebhookClient::start(const Call& call, const Value& review, Done done) {
  auto made = request(call, review);
  if (!made) return done(fail(std::move(made.error())));
  std::uint64_t number = 0;
  {
    const MutexLock lock(mutex_);
    number = next_++;
    open_.emplace(number, std::nullopt);
  }
  Done end = [this, number, done = std::move(done)](Result<Value> response) {
    done(std::move(response));
    const MutexLock lock(mutex_);
    open_.erase(number);
    changed_.notify_all();
  };
  Sent waiting = sent(call, *made);
  const auto exchange =
      options_.transport->start(std::move(*made), std::make_shared<Receiver>(std::move(waiting), std::move(end)));
  {
    const MutexLock lock(mutex_);
    if (const auto found = open_.find(number); found != open_.end()) found->second = exchange;
  }
  if (stop_.stop_requested()) options_.transport->cancel(exchange);
}

void WebhookClient::stop() {
  stop_.request_stop();
  std::vector<http::Transport::ExchangeId> exchanges;
  {
    const MutexLock lock(mutex_);
    for (const auto& [number, exchange] : open_) {
      if (exchange) exchanges.push_back(*exchange);
    }
  }
  for (const auto exchange : exchanges) options_.transport->cancel(exchange);
  const MutexLock lock(mutex_);
  while (!open_.empty()) changed_.wait(mutex_);
}

}  // namespace pintle::apiserver
