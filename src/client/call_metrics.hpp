// The metrics of requests, by the names, labels and buckets that dashboards for other operators know.
#pragma once

#include <cstddef>
#include <string>

#include <pintle/base/metrics.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

// Counts nothing without a registry. Thread-safe.
class CallMetrics {
 public:
  // `host` is the label: "10.0.0.1:6443". With `by_kind` what ClientOptions::metrics_by_kind promises is counted too.
  CallMetrics(MetricsRegistry* registry, std::string host, bool by_kind);

  // One exchange; `status` 0 when no answer came.
  void count(const http::Request& request, int status, Duration took) const;
  void count_received(const std::string& method, std::size_t bytes) const;
  // The name of the host was looked up.
  void count_lookup(Duration took) const;
  // An exchange that is done once more because of an answer with `status`.
  void count_retry(const std::string& method, int status) const;

 private:
  void count_kind(const http::Request& request, int status, Duration took) const;

  MetricsRegistry* registry_;
  std::string host_;
  bool by_kind_;
};

}  // namespace pintle
