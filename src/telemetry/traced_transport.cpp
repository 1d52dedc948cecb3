// SPDX-License-Identifier: Apache-2.0
#include "traced_transport.hpp"

#include <utility>

#include <pintle/client/resource_target.hpp>

namespace pintle {
namespace {

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

// Follows the semantic conventions of OpenTelemetry for HTTP clients.
StartSpanOptions span_of(const http::Request& request, const SpanContext& parent) {
  const std::string path_template = url_template(request.target);
  StartSpanOptions start{.name = request.method + " " + path_template,
                         .kind = SpanKind::client,
                         .parent = parent,
                         .attributes = {{"http.request.method", request.method},
                                        {"url.path", path_of(request.target)},
                                        {"url.template", path_template}}};
  if (request.endpoint != nullptr) {
    start.attributes.emplace_back("server.address", request.endpoint->host);
    start.attributes.emplace_back("server.port", request.endpoint->port);
  }
  if (request.resend_count != 0) start.attributes.emplace_back("http.request.resend_count", request.resend_count);
  return start;
}

void record_status(Span& span, int status) {
  span.set_attribute({"http.response.status_code", status});
  if (status < 400) return;
  span.set_attribute({"error.type", std::to_string(status)});
  span.set_error("the server responded with " + std::to_string(status));
}

void record_error(Span& span, const Error& error) {
  span.set_attribute({"error.type", to_string(error.code)});
  if (error.code != ErrorCode::cancelled) span.set_error(error.message);
}

// Ends the span when the exchange ends, before the caller that waits for the response continues.
class TracedExchange final : public http::ExchangeHandler {
 public:
  TracedExchange(std::unique_ptr<Span> span, std::shared_ptr<http::ExchangeHandler> handler)
      : span_(std::move(span)), handler_(std::move(handler)) {}

  void on_head(const http::ResponseHead& head) override {
    record_status(*span_, head.status);
    handler_->on_head(head);
  }
  void on_body(std::string_view chunk) override { handler_->on_body(chunk); }
  void on_end(Result<void> result) override {
    if (!result) record_error(*span_, result.error());
    span_.reset();
    handler_->on_end(std::move(result));
  }

 private:
  std::unique_ptr<Span> span_;
  const std::shared_ptr<http::ExchangeHandler> handler_;
};

}  // namespace

std::unique_ptr<Span> TracedTransport::begin(http::Request& request) const {
  const Span* around = tracing_->current();
  if (around == nullptr) return nullptr;
  auto span = tracing_->tracer().start(span_of(request, around->context()));
  if (span->context().is_valid()) request.headers.set("traceparent", span->context().traceparent());
  return span;
}

http::Transport::ExchangeId TracedTransport::start(http::Request request,
                                                   std::shared_ptr<http::ExchangeHandler> handler) {
  if (auto span = begin(request)) handler = std::make_shared<TracedExchange>(std::move(span), std::move(handler));
  return ForwardingTransport::start(std::move(request), std::move(handler));
}

Result<http::BufferedResponse> TracedTransport::send_and_wait(http::Request request, const std::stop_token& stop,
                                                              std::size_t limit) {
  const auto span = begin(request);
  auto response = inner().send_and_wait(std::move(request), stop, limit);
  if (span == nullptr) return response;
  if (response) {
    record_status(*span, response->status);
  } else {
    record_error(*span, response.error());
  }
  return response;
}

std::string url_template(std::string_view target) {
  const auto resource = read_resource_target(target);
  if (!resource) return std::string(path_of(target));
  std::string text(resource->group_version);
  if (resource->in_namespace) text += "/namespaces/{namespace}";
  text.append("/").append(resource->plural);
  if (resource->is_named) text += "/{name}";
  if (!resource->subresource.empty()) text.append("/").append(resource->subresource);
  return text;
}

}  // namespace pintle
