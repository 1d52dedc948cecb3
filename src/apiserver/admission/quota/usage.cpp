// SPDX-License-Identifier: Apache-2.0
#include "usage.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "pod_scopes.hpp"

namespace pintle::apiserver {
namespace {

using json::View;

constexpr std::string_view used_pods = "pods";
constexpr std::string_view used_services = "services";
constexpr std::string_view used_claims = "persistentvolumeclaims";

constexpr std::string_view requests_prefix = "requests.";
constexpr std::string_view limits_prefix = "limits.";
constexpr std::string_view huge_pages_prefix = "hugepages-";
constexpr std::string_view class_suffix = ".storageclass.storage.k8s.io/";

// The kinds that a quota can also count by their plural alone.
constexpr std::string_view counted_by_plural[] = {"configmaps", "replicationcontrollers", "resourcequotas", "secrets"};

constexpr std::string_view compute_resources[] = {"cpu", "memory", "ephemeral-storage"};

template <class List>
bool is_listed_in(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

std::string count_name(const Resource& resource) { return "count/" + resource.group_resource(); }

bool is_extended(std::string_view name) {
  return name.find('/') != std::string_view::npos && name.find("kubernetes.io/") == std::string_view::npos;
}

bool can_pod_use(std::string_view name) {
  if (name == used_pods || is_listed_in(compute_resources, name) || name.starts_with(huge_pages_prefix)) return true;
  if (name.starts_with(limits_prefix)) return is_listed_in(compute_resources, name.substr(limits_prefix.size()));
  if (!name.starts_with(requests_prefix)) return false;
  const std::string_view requested = name.substr(requests_prefix.size());
  return is_listed_in(compute_resources, requested) || requested.starts_with(huge_pages_prefix) ||
         is_extended(requested);
}

bool can_claim_use(std::string_view name) {
  if (name == used_claims || name == "requests.storage") return true;
  const std::size_t at = name.find(class_suffix);
  if (at == std::string_view::npos) return false;
  const std::string_view what = name.substr(at + class_suffix.size());
  return what == used_claims || what == "requests.storage";
}

// ---- usage ----

// The names under which a quota limits what containers request and may use.
Amounts compute_usage(const ContainerAmounts& amounts) {
  Amounts out;
  for (const auto& [name, amount] : amounts.requests) {
    if (is_listed_in(compute_resources, name) || name.starts_with(huge_pages_prefix)) out.emplace(name, amount);
    if (is_listed_in(compute_resources, name) || name.starts_with(huge_pages_prefix) || is_extended(name)) {
      out.emplace(std::string(requests_prefix) + name, amount);
    }
  }
  for (const auto& [name, amount] : amounts.limits) {
    if (is_listed_in(compute_resources, name)) out.emplace(std::string(limits_prefix) + name, amount);
  }
  return out;
}

bool has_ended(View pod, WallTime now) {
  const View phase = pod["/status/phase"];
  if (phase == "Succeeded" || phase == "Failed") return true;
  const auto deleted = parse_time(pod["/metadata/deletionTimestamp"].text());
  const auto grace = pod["/metadata/deletionGracePeriodSeconds"].as_integer();
  if (!deleted || !grace) return false;
  const auto limited = std::chrono::seconds(std::clamp<std::int64_t>(*grace, 0, 1'000'000'000));
  return now > *deleted + limited;
}

Amounts pod_usage(View pod, WallTime now) {
  if (has_ended(pod, now)) return {};
  ContainerAmounts amounts = amounts_of_pod(pod);
  // Amounts of the whole Pod replace the sum of its containers.
  for (auto& [name, amount] : amounts_of(pod["/spec/resources/requests"])) amounts.requests[name] = amount;
  for (auto& [name, amount] : amounts_of(pod["/spec/resources/limits"])) amounts.limits[name] = amount;
  const Amounts overhead = amounts_of(pod["/spec/overhead"]);
  add_to(amounts.requests, overhead);
  for (const auto& [name, amount] : overhead) {
    if (const auto limit = amounts.limits.find(name); limit != amounts.limits.end()) limit->second += amount;
  }
  Amounts out = compute_usage(amounts);
  out.emplace(used_pods, Quantity(1));
  return out;
}

Amounts service_usage(View service) {
  const View type = service["/spec/type"];
  const View ports = service["/spec/ports"];
  std::size_t node_ports = 0;
  if (type == "NodePort" || (type == "LoadBalancer" && service["/spec/allocateLoadBalancerNodePorts"] != false)) {
    node_ports = ports.size();
  } else if (type == "LoadBalancer") {
    for (const View port : ports.elements())
      node_ports += port.member("nodePort").as_integer().value_or(0) != 0 ? 1 : 0;
  }
  return {{"services", Quantity(1)},
          {"services.nodeports", Quantity(node_ports)},
          {"services.loadbalancers", Quantity(type == "LoadBalancer" ? 1 : 0)}};
}

Amounts claim_usage(View claim) {
  Amounts out{{std::string(used_claims), Quantity(1)}};
  const auto requested = Quantity::from_json(claim["/spec/resources/requests/storage"]);
  const View annotation = claim["/metadata/annotations"].member("volume.beta.kubernetes.io/storage-class");
  const View class_name = annotation.exists() ? annotation : claim["/spec/storageClassName"];
  const std::string prefix = std::string(class_name.text()) + std::string(class_suffix);
  if (!class_name.text().empty()) out.emplace(prefix + std::string(used_claims), Quantity(1));
  if (!requested) return out;
  out.emplace("requests.storage", *requested);
  if (!class_name.text().empty()) out.emplace(prefix + "requests.storage", *requested);
  return out;
}

}  // namespace

bool can_use(const Resource& resource, std::string_view name) {
  if (name == count_name(resource)) return true;
  if (resource.collection == used_pods) return can_pod_use(name);
  if (resource.collection == used_services)
    return name == used_services || name == "services.nodeports" || name == "services.loadbalancers";
  if (resource.collection == used_claims) return can_claim_use(name);
  return name == resource.collection && is_listed_in(counted_by_plural, name);
}

Amounts usage_of(const Resource& resource, View object, WallTime now) {
  Amounts out;
  if (resource.collection == used_pods) out = pod_usage(object, now);
  if (resource.collection == used_services) out = service_usage(object);
  if (resource.collection == used_claims) out = claim_usage(object);
  if (is_listed_in(counted_by_plural, resource.collection)) out.emplace(resource.collection, Quantity(1));
  out.emplace(count_name(resource), Quantity(1));
  return out;
}

bool is_in_scopes(const Resource& resource, View quota, View object) {
  const View scopes = quota["/spec/scopes"];
  const View selected = quota["/spec/scopeSelector/matchExpressions"];
  if (scopes.empty() && selected.empty()) return true;
  if (resource.collection != used_pods) return false;
  for (const View scope : scopes.elements()) {
    if (!is_in_scope(object, scope.text(), "Exists", {})) return false;
  }
  for (const View one : selected.elements()) {
    if (!is_in_scope(object, one.member("scopeName").text(), one.member("operator").text(), one.member("values")))
      return false;
  }
  return true;
}

std::string missing_amounts(View pod, const Amounts& hard) {
  std::map<std::string, std::set<std::string>> missing;  // the containers by the name of the resource
  const auto check = [&](View container) {
    const Amounts stated = compute_usage(amounts_of_container(container));
    for (const char* name : {"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"}) {
      if (hard.contains(name) && !stated.contains(name))
        missing[name].insert(std::string(container.member("name").text()));
    }
  };
  const bool states_for_all = !pod["/spec/resources/requests"].empty() || !pod["/spec/resources/limits"].empty();
  if (states_for_all) return "";
  for (const View container : pod["/spec/containers"].elements()) check(container);
  for (const View container : pod["/spec/initContainers"].elements()) check(container);
  std::string out;
  for (const auto& [name, containers] : missing) {
    out += fmt::format("{}{} for: {}", out.empty() ? "must specify " : "; ", name, fmt::join(containers, ","));
  }
  return out;
}

}  // namespace pintle::apiserver
