// SPDX-License-Identifier: Apache-2.0
// CallMetrics: metrics of requests, with the names, labels and buckets that dashboards for other operators use.
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

// Does nothing without a registry. Thread-safe.
class CallMetrics {
 public:
  // `host` is the value of the label, such as "10.0.0.1:6443". `by_kind`: see ClientOptions::metrics_by_kind.
  CallMetrics(Executor& executor, MetricsRegistry* registry, std::string host, bool by_kind);

  // Counts one exchange. `status` is 0 if no response arrived.
  void count(const http::Request& request, int status, Duration took);
  // Counts the body of the response.
  void count_received(const std::string& method, int status, std::size_t bytes);
  // Counts one DNS lookup of the host.
  void count_lookup(Duration took) const;
  // Counts the repetition of a request after a response with `status`, or with 0 if no response arrived.
  void count_retry(const std::string& method, int status) const;

 private:
  // The metrics of the requests with one method and one response status.
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

  // Caches the metrics: a lookup in the registry takes as long as all other work of the client for a request.
  Mutex mutex_;
  std::map<std::pair<std::string, int>, MethodMetrics> known_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
