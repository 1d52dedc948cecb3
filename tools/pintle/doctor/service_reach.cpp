// SPDX-License-Identifier: Apache-2.0
#include "doctor/service_reach.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/http/pem.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle::doctor {
namespace {

constexpr Type service_type{"v1", "Service"};
constexpr Type endpoint_slice_type{"discovery.k8s.io/v1", "EndpointSlice"};
constexpr std::int64_t default_port = 443;
constexpr Duration renewal_notice = std::chrono::hours(24 * 7);

using Problems = std::vector<ReachProblem>;

void check_bundle(ClusterReader& cluster, json::View config, const std::string& edit, Problems& problems) {
  const std::string_view bundle = config.member("caBundle").text();
  if (bundle.empty()) {
    if (!config.member("service")) return;  // the authorities of the API server's machine apply
    problems.push_back({"has an empty caBundle, so that the API server does not trust its certificate",
                        "set clientConfig.caBundle to the authority of the webhook, or start its operator, which sets "
                        "it: " +
                            edit});
    return;
  }
  const auto pem = Bytes::from_base64(bundle);
  const auto validities =
      pem ? http::validate_certificates({"caBundle", pem->data}) : Result<std::vector<http::Validity>>(pem.error());
  if (!validities) {
    problems.push_back(
        {"has an invalid caBundle: " + validities.error().message, "correct clientConfig.caBundle: " + edit});
    return;
  }
  WallTime last{};
  for (const http::Validity& one : *validities) last = std::max(last, one.not_after);
  const WallTime now = cluster.now();
  const std::string renew = "renew the authority (an operator with --webhook-install does so at its start): " + edit;
  if (last < now) {
    problems.push_back({fmt::format("has a caBundle that expired at {}", format_time(last)), renew});
  } else if (last < now + renewal_notice) {
    problems.push_back({fmt::format("has a caBundle that expires at {}", format_time(last)), renew, false});
  }
}

bool has_port(const Object& service, std::int64_t port) {
  for (const json::View one : service["/spec/ports"].elements()) {
    if (one.member("port") == port) return true;
  }
  return false;
}

// An endpoint without the condition is ready.
bool has_ready_endpoint(const Listing& slices) {
  for (const Object& slice : slices.objects) {
    for (const json::View one : slice["/endpoints"].elements()) {
      if (one["/conditions/ready"].as_bool().value_or(true) && !one.member("addresses").empty()) return true;
    }
  }
  return false;
}

// The labels that the service selects, in the form of `kubectl -l`.
std::string labels_of(const Object& service) {
  std::string labels;
  for (const auto [label, value] : service["/spec/selector"].members()) {
    labels += fmt::format("{}{}={}", labels.empty() ? "" : ",", label, value.text());
  }
  return labels;
}

Result<void> check_service(ClusterReader& cluster, json::View config, Problems& problems) {
  const json::View reference = config.member("service");
  const ObjectKey key{std::string(reference.member("namespace").text()), std::string(reference.member("name").text())};
  const std::string name = key.to_string();
  const auto service = cluster.get(service_type, key);
  if (!service) {
    if (service.error().code != ErrorCode::not_found) return fail(service.error());
    problems.push_back({fmt::format("calls service {}, which does not exist", name),
                        "install the program of the webhook again, or remove the webhook if the program was removed"});
    return {};
  }
  if ((*service)["/spec/type"] == "ExternalName") return {};
  const std::int64_t port = reference.member("port").as_integer().value_or(default_port);
  if (!has_port(*service, port)) {
    problems.push_back({fmt::format("calls port {} of service {}, which the service does not have", port, name),
                        fmt::format("correct the port in the webhook or in the service: kubectl edit service -n {} {}",
                                    key.namespace_, key.name)});
  }
  const auto& slices = cluster.list(
      endpoint_slice_type, {.namespace_ = key.namespace_, .label_selector = "kubernetes.io/service-name=" + key.name});
  if (!slices) return fail(slices.error());
  if (has_ready_endpoint(*slices)) return {};
  problems.push_back({fmt::format("calls service {}, which has no ready endpoint", name),
                      fmt::format("start the program of the webhook: kubectl get pods -n {} -l '{}'", key.namespace_,
                                  labels_of(*service))});
  return {};
}

}  // namespace

Result<std::vector<ReachProblem>> check_reach(ClusterReader& cluster, json::View config, const std::string& edit) {
  Problems problems;
  if (config.member("service").is_object()) {
    if (auto read = check_service(cluster, config, problems); !read) return fail(std::move(read.error()));
  }
  check_bundle(cluster, config, edit, problems);
  return problems;
}

}  // namespace pintle::doctor
