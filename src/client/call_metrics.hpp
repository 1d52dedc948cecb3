// The metrics of requests, by the names, labels and buckets that dashboards for other operators know.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

// Counts nothing without a registry. Thread-safe.
class CallMetrics {
 public:
  // `host` is the label: "10.0.0.1:6443". With `by_kind` what ClientOptions::metrics_by_kind promises is counted too.
  CallMetrics(Executor& executor, MetricsRegistry* registry, std::string host, bool by_kind);

  // One exchange; `status` 0 when no answer came.
  void count(const http::Request& request, int status, Duration took);
  // The body of its answer.
  void count_received(const std::string& method, int status, std::size_t bytes);
  // The name of the host was looked up.
  void count_lookup(Duration took) const;
  // An exchange that is done once more because of an answer with `status`.
  void count_retry(const std::string& method, int status) const;

 private:
  // Of the requests with one method that were answered with one status.
  struct MethodMetrics {
    Counter requests{};
    Histogram seconds{};
    Histogram sent_bytes{};
    Histogram received_bytes{};
  };

  [[nodiscard]] MethodMetrics of(const std::string& method, int status);
  [[nodiscard]] MethodMetrics made(const std::string& method, int status) const;
  void count_kind(const http::Request& request, int status, Duration took) const;

  MetricsRegistry* const registry_;
  const std::string host_;
  const bool by_kind_;

  // A registry takes as long to find its metrics as all else that is done around a request.
  Mutex mutex_;
  std::map<std::pair<std::string, int>, MethodMetrics> known_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
