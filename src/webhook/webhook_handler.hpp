// WebhookHandler: the HTTP side of webhooks: routes, limits, and one response to each request before its deadline.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/http/handler.hpp>

#include "admission_webhook.hpp"
#include "call_pool.hpp"
#include "webhook_metrics.hpp"

namespace pintle {

struct WebhookHandlerOptions {
  std::size_t max_body_size = std::size_t{7} << 20U;  // bytes; two objects of the largest size that etcd stores
  CallPoolOptions calls{};
  Log log{};
  MetricsRegistry* metrics = nullptr;
};

// The response to an AdmissionReview has HTTP status 200. Any other request is refused with a text and a status that
// the API server treats as a failure of the webhook. handle() does not block. Thread-safe.
class WebhookHandler final : public http::Handler {
 public:
  WebhookHandler(Executor& executor, std::vector<AdmissionWebhook> webhooks, WebhookHandlerOptions options);

  [[nodiscard]] http::Response handle(const http::Request& request) override;
  // Refuses further requests, requests the functions of the author to stop and waits for them. Call it after the
  // responses in progress were sent.
  void stop() { pool_.stop(); }

 private:
  struct Route {
    AdmissionWebhook webhook;
    WebhookMetrics metrics;
  };

  [[nodiscard]] http::Response call(const Route& route, const http::Request& request, const http::Target& target);
  [[nodiscard]] Result<void> check(const http::Request& request) const;
  [[nodiscard]] http::Response start(const Route& route, AdmissionRequest request, Duration limit, Instant begin);

  Executor& executor_;
  const WebhookHandlerOptions options_;
  std::map<std::string, Route, std::less<>> routes_;
  CallPool pool_;
};

// Returns the time in which a call must complete: the declared one or that of the query parameter `timeout` if it is
// shorter, less the time that the response needs on the network.
[[nodiscard]] Duration call_limit(Duration declared, const http::Target& target);

}  // namespace pintle
