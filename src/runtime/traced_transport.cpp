#include "traced_transport.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace pintle {
namespace {

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::size_t end = std::min(path.find('/'), path.size());
    segments.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return segments;
}

// By the semantic conventions of OpenTelemetry for HTTP clients.
SpanStart span_of(const http::Request& request, const SpanContext& parent) {
  const std::string path_template = url_template(request.target);
  SpanStart start{.name = request.method + " " + path_template,
                  .kind = SpanKind::client,
                  .parent = parent,
                  .attributes = {{"http.request.method", request.method},
                                 {"url.path", path_of(request.target)},
                                 {"url.template", path_template}}};
  if (request.endpoint != nullptr) {
    start.attributes.emplace_back("server.address", request.endpoint->host);
    start.attributes.emplace_back("server.port", request.endpoint->port);
  }
  if (request.resends != 0) start.attributes.emplace_back("http.request.resend_count", request.resends);
  return start;
}

// Ends the span with the exchange, before whoever waits for the answer goes on.
class TracedExchange final : public http::ExchangeHandler {
 public:
  TracedExchange(std::unique_ptr<Span> span, std::shared_ptr<http::ExchangeHandler> handler)
      : span_(std::move(span)), handler_(std::move(handler)) {}

  void on_head(const http::ResponseHead& head) override {
    span_->set({"http.response.status_code", head.status});
    if (head.status >= 400) {
      span_->set({"error.type", std::to_string(head.status)});
      span_->set_error("the server answered " + std::to_string(head.status));
    }
    handler_->on_head(head);
  }
  void on_body(std::string_view chunk) override { handler_->on_body(chunk); }
  void on_end(Result<void> result) override {
    if (!result) {
      span_->set({"error.type", to_string(result.error().code)});
      if (result.error().code != ErrorCode::cancelled) span_->set_error(result.error().message);
    }
    span_.reset();
    handler_->on_end(std::move(result));
  }

 private:
  std::unique_ptr<Span> span_;
  const std::shared_ptr<http::ExchangeHandler> handler_;
};

}  // namespace

http::Transport::ExchangeId TracedTransport::start(http::Request request,
                                                   std::shared_ptr<http::ExchangeHandler> handler) {
  const Span* around = tracing_->current();
  if (around == nullptr) return ForwardingTransport::start(std::move(request), std::move(handler));
  auto span = tracing_->tracer().start(span_of(request, around->context()));
  if (span->context().is_valid()) request.headers.set("traceparent", span->context().traceparent());
  return ForwardingTransport::start(std::move(request),
                                    std::make_shared<TracedExchange>(std::move(span), std::move(handler)));
}

std::string url_template(std::string_view target) {
  std::vector<std::string_view> segments = segments_of(path_of(target));
  const auto is = [&](std::size_t i, std::string_view text) { return i < segments.size() && segments[i] == text; };
  std::size_t at = 0;  // where the group and version end
  if (is(0, "api")) at = 2;
  if (is(0, "apis")) at = 3;
  // /namespaces/a/pods is about pods, /namespaces/a and /namespaces/a/status about the namespace.
  if (at != 0 && is(at, "namespaces") && at + 2 < segments.size() && !is(at + 2, "status") && !is(at + 2, "finalize")) {
    segments[at + 1] = "{namespace}";
    at += 2;
  }
  if (at != 0 && at + 1 < segments.size()) {
    segments[at + 1] = "{name}";
    segments.resize(std::min(segments.size(), at + 3));  // what is behind a sub-resource is free text
  }
  std::string text;
  for (const std::string_view segment : segments) text.append("/").append(segment);
  return text;
}

}  // namespace pintle
