// Health: /healthz, /readyz and /metrics of a manager.
#pragma once

#include <functional>

#include <pintle/base/metrics.hpp>
#include <pintle/http/handler.hpp>

namespace pintle {

// Thread-safe as far as `is_ready` is.
class Health final : public http::Handler {
 public:
  Health(MetricsRegistry& metrics, std::function<bool()> is_ready)
      : metrics_(metrics), is_ready_(std::move(is_ready)) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  MetricsRegistry& metrics_;
  const std::function<bool()> is_ready_;
};

}  // namespace pintle
