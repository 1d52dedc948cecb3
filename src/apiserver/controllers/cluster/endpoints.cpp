// SPDX-License-Identifier: Apache-2.0
#include "endpoints.hpp"

#include <map>
#include <string>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "cluster_values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection_of_endpoints = "endpoints";
constexpr std::string_view slices = "endpointslices.discovery.k8s.io";

// The Pods for which the ports of a Service have the same numbers.
struct PortGroup {
  json::array ports{};
  std::vector<Object> pods{};
};

bool is_selected(View selector, const Object& pod) {
  for (const auto [name, value] : selector.members()) {
    if (pod.label(name) != value.text()) return false;
  }
  return true;
}

// The number of a target port in a Pod; nothing if the Pod has no port with this name.
std::optional<std::int64_t> number_of(View target, const Object& pod) {
  if (const auto number = target.as_integer()) return number;
  for (const View container : pod["/spec/containers"].elements()) {
    for (const View port : container.member("ports").elements()) {
      if (port.member("name") == target.text()) return port.member("containerPort").as_integer();
    }
  }
  return std::nullopt;
}

json::array ports_of(const Object& service, const Object& pod) {
  json::array out;
  for (const View port : service["/spec/ports"].elements()) {
    const View target = port.member("targetPort");
    const auto number = number_of(target.exists() ? target : port.member("port"), pod);
    if (!number) continue;
    json::object made;
    if (const View name = port.member("name"); name.exists()) made["name"] = name.to_value();
    made["port"] = *number;
    made["protocol"] = port.member("protocol").text();
    if (const View protocol = port.member("appProtocol"); protocol.exists()) made["appProtocol"] = protocol.to_value();
    out.emplace_back(std::move(made));
  }
  return out;
}

std::map<std::string, PortGroup> groups_of(const Object& service, const std::vector<Object>& pods) {
  std::map<std::string, PortGroup> out;
  for (const Object& pod : pods) {
    const std::string_view phase = pod["/status/phase"].text();
    const bool has_ended = phase == "Succeeded" || phase == "Failed";
    if (has_ended || pod["/status/podIP"].text().empty() || !is_selected(service["/spec/selector"], pod)) continue;
    json::array ports = ports_of(service, pod);
    PortGroup& group = out[json::print(ports)];
    group.ports = std::move(ports);
    group.pods.push_back(pod);
  }
  return out;
}

Value reference_to_pod(const Object& pod) {
  return json::object{{"kind", "Pod"}, {"namespace", pod.namespace_()}, {"name", pod.name()}, {"uid", pod.uid()}};
}

bool receives_traffic(const Object& service, const Object& pod) {
  return service["/spec/publishNotReadyAddresses"] == true || (is_ready(pod) && !pod.is_deleting());
}

// The members that both kinds have.
json::object object_of(const Object& service, std::string name) {
  json::object labels;
  if (service.labels().is_object()) labels = service.labels().to_value().get_object();
  return {{"metadata", json::object{{"name", std::move(name)},
                                    {"labels", std::move(labels)},
                                    {"ownerReferences", json::array{reference_to_controller(service)}}}}};
}

Value subset_of(const Object& service, const PortGroup& group) {
  json::array ready;
  json::array others;
  for (const Object& pod : group.pods) {
    if (pod.is_deleting()) continue;
    (receives_traffic(service, pod) ? ready : others)
        .emplace_back(json::object{{"ip", pod["/status/podIP"].text()},
                                   {"nodeName", pod["/spec/nodeName"].text()},
                                   {"targetRef", reference_to_pod(pod)}});
  }
  if (ready.empty() && others.empty()) return nullptr;
  json::object out;
  if (!ready.empty()) out["addresses"] = std::move(ready);
  if (!others.empty()) out["notReadyAddresses"] = std::move(others);
  if (!group.ports.empty()) out["ports"] = group.ports;
  return out;
}

Value slice_of(const Object& service, const std::string& key, const PortGroup& group) {
  const std::string hash = hash_name(Object(Value(json::object{{"ports", key}, {"uid", service.uid()}})).root());
  json::object out = object_of(service, fmt::format("{}-{}", service.name(), hash.substr(0, 5)));
  json::object& labels = out["metadata"].as_object()["labels"].as_object();
  labels["kubernetes.io/service-name"] = service.name();
  labels["endpointslice.kubernetes.io/managed-by"] = "endpointslice-controller.k8s.io";
  json::array endpoints;
  for (const Object& pod : group.pods) {
    endpoints.emplace_back(json::object{{"addresses", json::array{pod["/status/podIP"].text()}},
                                        {"conditions", json::object{{"ready", receives_traffic(service, pod)},
                                                                    {"serving", is_ready(pod)},
                                                                    {"terminating", pod.is_deleting()}}},
                                        {"nodeName", pod["/spec/nodeName"].text()},
                                        {"targetRef", reference_to_pod(pod)}});
  }
  out["addressType"] = "IPv4";
  out["endpoints"] = std::move(endpoints);
  json::array ports = group.ports;
  for (Value& port : ports) port.get_object().emplace("name", "");
  out["ports"] = std::move(ports);
  return out;
}

}  // namespace

Instant ServiceEndpoints::reconcile(const Object& service) {
  // Without a selector, the addresses are those that a client writes.
  if (service["/spec/selector"].empty()) return Instant::max();
  const auto groups = groups_of(service, objects_.list("pods", service.namespace_()));
  json::object endpoints = object_of(service, std::string(service.name()));
  json::array subsets;
  std::set<std::string> kept;
  for (const auto& [key, group] : groups) {
    if (Value subset = subset_of(service, group); !subset.is_null()) subsets.push_back(std::move(subset));
    Value slice = slice_of(service, key, group);
    kept.emplace(text_at(slice, "/metadata/name"));
    write(slices, service, std::move(slice));
  }
  if (!subsets.empty()) endpoints["subsets"] = std::move(subsets);
  write(collection_of_endpoints, service, std::move(endpoints));
  for (const Object& slice : objects_.owned_by(service, slices)) {
    if (!kept.contains(std::string(slice.name()))) objects_.remove(slices, slice);
  }
  return Instant::max();
}

// Creates an object, or replaces its content.
void ServiceEndpoints::write(std::string_view collection, const Object& service, Value wanted) {
  const std::string name(text_at(wanted, "/metadata/name"));
  const Object before = objects_.get({std::string(collection), storage_key(service.namespace_(), name)});
  if (!before) {
    objects_.create(collection, service.namespace_(), std::move(wanted));
    return;
  }
  objects_.edit(collection, before, [&](Value& next) {
    for (const char* member_name : {"subsets", "endpoints", "ports"}) copy_member(next, wanted, member_name);
    metadata_in(next)["labels"] = wanted.at("metadata").at("labels");
  });
}

}  // namespace pintle::apiserver
