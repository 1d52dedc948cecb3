// SPDX-License-Identifier: Apache-2.0
#include "call_metrics.hpp"

#include <utility>
#include <vector>

#include <pintle/client/resource_target.hpp>

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

// The same buckets as the metrics of the watcher pattern.
const std::vector<double>& kind_buckets() {
  static const std::vector<double> buckets{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100};
  return buckets;
}

// The verb of the request as in RBAC rules, but in capitals.
std::string verb_of(const std::string& method, const ResourceTarget& target) {
  if (method == "POST") return "CREATE";
  if (method == "PUT") return "UPDATE";
  if (method != "GET") return method;
  if (target.watches) return "WATCH";
  return target.is_named ? "GET" : "LIST";
}

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string code_label(int status) { return status == 0 ? "<error>" : std::to_string(status); }

}  // namespace

CallMetrics::CallMetrics(Executor& executor, MetricsRegistry* registry, std::string host, bool by_kind)
    : registry_(registry), host_(std::move(host)), by_kind_(by_kind), mutex_(executor) {}

void CallMetrics::count(const http::Request& request, int status, Duration took) {
  if (registry_ == nullptr) return;
  const MethodMetrics metrics = of(request.method, status);
  metrics.requests.add();
  metrics.seconds.observe(seconds(took));
  metrics.sent_bytes.observe(static_cast<double>(request.body.size()));
  if (by_kind_) count_kind(request, status, took);
}

CallMetrics::MethodMetrics CallMetrics::of(const std::string& method, int status) {
  const MutexLock lock(mutex_);
  const auto [place, is_new] = known_.try_emplace({method, status});
  if (is_new) place->second = made(method, status);
  return place->second;
}

CallMetrics::MethodMetrics CallMetrics::made(const std::string& method, int status) const {
  const Labels by_verb{{"verb", method}, {"host", host_}};
  return {
      .requests = registry_->counter("rest_client_requests_total",
                                     "HTTP requests to the API server, by status code, method and host.",
                                     {{"code", code_label(status)}, {"method", method}, {"host", host_}}),
      .seconds =
          registry_->histogram("rest_client_request_duration_seconds",
                               "Seconds from request to response, by verb and host.", by_verb, seconds_buckets()),
      .sent_bytes = registry_->histogram("rest_client_request_size_bytes", "Bytes of request bodies, by verb and host.",
                                         by_verb, bytes_buckets()),
      // Without a response there is no size to observe.
      .received_bytes =
          status == 0 ? Histogram()
                      : registry_->histogram("rest_client_response_size_bytes",
                                             "Bytes of response bodies, by verb and host.", by_verb, bytes_buckets()),
  };
}

void CallMetrics::count_kind(const http::Request& request, int status, Duration took) const {
  const auto target = read_resource_target(request.target);
  if (!target) return;
  const std::string_view subresource = target->subresource.empty() ? "spec" : target->subresource;
  const Labels labels{{"status_code", code_label(status)},
                      {"verb", verb_of(request.method, *target)},
                      {"kind", std::string(target->plural)},
                      {"subresource", std::string(subresource)}};
  registry_
      ->counter("kubernetes_client_requests_total",
                "Requests to the API server, by status code, verb, kind and subresource.", labels)
      .add();
  registry_
      ->histogram("kubernetes_client_request_duration_seconds",
                  "Seconds from request to response, by status code, verb, kind and subresource.", labels,
                  kind_buckets())
      .observe(seconds(took));
}

void CallMetrics::count_received(const std::string& method, int status, std::size_t bytes) {
  if (registry_ == nullptr) return;
  of(method, status).received_bytes.observe(static_cast<double>(bytes));
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
