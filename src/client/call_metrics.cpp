#include "call_metrics.hpp"

#include <utility>
#include <vector>

namespace pintle {

namespace {

const std::vector<double>& seconds_buckets() {
  static const std::vector<double> buckets{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
  return buckets;
}

const std::vector<double>& bytes_buckets() {
  static const std::vector<double> buckets{64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216};
  return buckets;
}

const std::vector<double>& lookup_buckets() {
  static const std::vector<double> buckets{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30};
  return buckets;
}

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string code_label(int status) { return status == 0 ? "<error>" : std::to_string(status); }

}  // namespace

CallMetrics::CallMetrics(MetricsRegistry* registry, std::string host) : registry_(registry), host_(std::move(host)) {}

void CallMetrics::count(const std::string& method, int status, Duration took, std::size_t sent) const {
  if (registry_ == nullptr) return;
  registry_
      ->counter("rest_client_requests_total", "HTTP requests to the API server, by status code, method and host.",
                {{"code", code_label(status)}, {"method", method}, {"host", host_}})
      .add();
  registry_
      ->histogram("rest_client_request_duration_seconds", "Seconds from request to answer, by verb and host.",
                  {{"verb", method}, {"host", host_}}, seconds_buckets())
      .observe(seconds(took));
  registry_
      ->histogram("rest_client_request_size_bytes", "Bytes of request bodies, by verb and host.",
                  {{"verb", method}, {"host", host_}}, bytes_buckets())
      .observe(static_cast<double>(sent));
}

void CallMetrics::count_received(const std::string& method, std::size_t bytes) const {
  if (registry_ == nullptr) return;
  registry_
      ->histogram("rest_client_response_size_bytes", "Bytes of answer bodies, by verb and host.",
                  {{"verb", method}, {"host", host_}}, bytes_buckets())
      .observe(static_cast<double>(bytes));
}

void CallMetrics::count_lookup(Duration took) const {
  if (registry_ == nullptr) return;
  registry_
      ->histogram("rest_client_dns_resolution_duration_seconds", "Seconds to look up the host's name, by host.",
                  {{"host", host_}}, lookup_buckets())
      .observe(seconds(took));
}

void CallMetrics::count_retry(const std::string& method, int status) const {
  if (registry_ == nullptr) return;
  registry_
      ->counter("rest_client_request_retries_total", "Requests sent again, by status code, verb and host.",
                {{"code", code_label(status)}, {"verb", method}, {"host", host_}})
      .add();
}

}  // namespace pintle
