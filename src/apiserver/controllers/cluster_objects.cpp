// SPDX-License-Identifier: Apache-2.0
#include "cluster_objects.hpp"

#include <utility>

#include <fmt/format.h>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "apiserver/registry/words.hpp"
#include "apiserver/storage/uid.hpp"
#include "flow_control.hpp"

namespace pintle::apiserver {
namespace {

using json::array;
using json::object;
using json::Value;

// The first address of the range from which Services get theirs.
constexpr std::string_view service_address = "10.96.0.1";
constexpr std::string_view service_range = "10.96.0.0/12";
// An address for documentation (RFC 5737): Pods cannot reach this server by an address of the cluster.
constexpr std::string_view server_address = "192.0.2.1";
constexpr int server_port = 6443;

struct GroupPriority {
  std::string_view group{};
  int of_group = 0;
  int of_version = 15;
};

// The order of the built-in groups in discovery.
constexpr GroupPriority priorities[] = {{"", 18'000, 1},
                                        {"apps", 17'800},
                                        {"events.k8s.io", 17'750},
                                        {"authentication.k8s.io", 17'700},
                                        {"authorization.k8s.io", 17'600},
                                        {"autoscaling", 17'500},
                                        {"batch", 17'400},
                                        {"certificates.k8s.io", 17'300},
                                        {"networking.k8s.io", 17'200},
                                        {"policy", 17'100},
                                        {"rbac.authorization.k8s.io", 17'000},
                                        {"storage.k8s.io", 16'800},
                                        {"admissionregistration.k8s.io", 16'700},
                                        {"apiextensions.k8s.io", 16'700},
                                        {"scheduling.k8s.io", 16'600},
                                        {"coordination.k8s.io", 16'500},
                                        {"node.k8s.io", 16'300},
                                        {"discovery.k8s.io", 16'200},
                                        {"resource.k8s.io", 16'200},
                                        {"flowcontrol.apiserver.k8s.io", 16'100, 21}};

// Stores objects of built-in kinds as they are, without the steps of a request.
class StartObjects {
 public:
  explicit StartObjects(Service& service) : service_(service), now_(format_time(service.executor.wall_now())) {}

  // `collection`: "flowschemas.flowcontrol.apiserver.k8s.io". `metadata` has at least a name.
  void add(std::string_view collection, object metadata, object content) {
    const ResourcePtr resource = service_.registry.catalog()->of_collection(collection);
    const std::string space(metadata.contains("namespace") ? std::string_view(metadata["namespace"].as_string())
                                                           : std::string_view{});
    const std::string key = storage_key(space, std::string_view(metadata["name"].as_string()));
    metadata["uid"] = make_uid(service_.executor);
    metadata["creationTimestamp"] = now_;
    if (resource->has_generation) metadata["generation"] = 1;
    object whole{{"apiVersion", resource->api_version()}, {"kind", resource->kind}, {"metadata", std::move(metadata)}};
    for (auto& member : content) whole[member.key()] = std::move(member.value());
    // Fails if the object exists.
    (void)service_.storage.put(collection, key, Object(), Value(std::move(whole)));
  }

  // The status of a component is not an object that clients create, so its metadata is only a name.
  void add_component_status(std::string_view name) {
    const object healthy{{"type", "Healthy"}, {"status", "True"}, {"message", "ok"}};
    (void)service_.storage.put("componentstatuses", std::string(name), Object(),
                               Value{{"apiVersion", "v1"},
                                     {"kind", "ComponentStatus"},
                                     {"metadata", object{{"name", name}}},
                                     {"conditions", array{healthy}}});
  }

  [[nodiscard]] const std::string& now() const noexcept { return now_; }

 private:
  Service& service_;
  const std::string now_;
};

object name_only(std::string_view name, std::string_view namespace_ = {}) {
  object out{{"name", name}};
  if (!namespace_.empty()) out["namespace"] = namespace_;
  return out;
}

void add_service(StartObjects& objects) {
  object metadata = name_only("kubernetes", "default");
  metadata["labels"] = object{{"component", "apiserver"}, {"provider", "kubernetes"}};
  objects.add(
      "services", std::move(metadata),
      {{"spec",
        object{{"clusterIP", service_address},
               {"clusterIPs", array{service_address}},
               {"type", "ClusterIP"},
               {"sessionAffinity", "None"},
               {"ipFamilies", array{"IPv4"}},
               {"ipFamilyPolicy", "SingleStack"},
               {"internalTrafficPolicy", "Cluster"},
               {"ports",
                array{object{{"name", "https"}, {"protocol", "TCP"}, {"port", 443}, {"targetPort", server_port}}}}}},
       {"status", object{{"loadBalancer", object{}}}}});
  const array ports{object{{"name", "https"}, {"port", server_port}, {"protocol", "TCP"}}};
  object slice = name_only("kubernetes", "default");
  slice["labels"] = object{{"kubernetes.io/service-name", "kubernetes"}};
  objects.add(
      "endpointslices.discovery.k8s.io", std::move(slice),
      {{"addressType", "IPv4"},
       {"endpoints", array{object{{"addresses", array{server_address}}, {"conditions", object{{"ready", true}}}}}},
       {"ports", ports}});
  object endpoints = name_only("kubernetes", "default");
  endpoints["labels"] = object{{"endpointslice.kubernetes.io/skip-mirror", "true"}};
  objects.add("endpoints", std::move(endpoints),
              {{"subsets", array{object{{"addresses", array{object{{"ip", server_address}}}}, {"ports", ports}}}}});
}

void add_addresses(StartObjects& objects) {
  object range = name_only("kubernetes");
  range["finalizers"] = array{"networking.k8s.io/service-cidr-finalizer"};
  objects.add("servicecidrs.networking.k8s.io", std::move(range),
              {{"spec", object{{"cidrs", array{service_range}}}},
               {"status", object{{"conditions", array{object{{"type", "Ready"},
                                                             {"status", "True"},
                                                             {"lastTransitionTime", objects.now()},
                                                             {"reason", ""},
                                                             {"message", "Kubernetes Service CIDR is ready"}}}}}}});
  object address = name_only(service_address);
  address["labels"] = object{{"ipaddress.kubernetes.io/ip-family", "IPv4"},
                             {"ipaddress.kubernetes.io/managed-by", "ipallocator.k8s.io"}};
  objects.add(
      "ipaddresses.networking.k8s.io", std::move(address),
      {{"spec",
        object{{"parentRef",
                object{{"group", ""}, {"resource", "services"}, {"namespace", "default"}, {"name", "kubernetes"}}}}}});
}

void add_priority_classes(StartObjects& objects) {
  const struct {
    const char* name;
    int value;
    const char* description;
  } classes[] = {
      {"system-cluster-critical", 2'000'000'000,
       "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."},
      {"system-node-critical", 2'000'001'000,
       "Used for system critical pods that must not be moved from their current node."}};
  for (const auto& one : classes) {
    objects.add("priorityclasses.scheduling.k8s.io", name_only(one.name),
                {{"value", one.value}, {"description", one.description}, {"preemptionPolicy", "PreemptLowerPriority"}});
  }
}

void add_flow_control(StartObjects& objects) {
  const auto metadata = [](std::string_view name) {
    object out = name_only(name);
    out["annotations"] = object{{"apf.kubernetes.io/autoupdate-spec", "true"}};
    return out;
  };
  for (auto& [name, spec] : priority_level_specs()) {
    objects.add("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", metadata(name),
                {{"spec", std::move(spec)}, {"status", object{}}});
  }
  for (auto& [name, spec] : flow_schema_specs()) {
    const std::string message =
        fmt::format("This FlowSchema references the PriorityLevelConfiguration object named \"{}\" and it exists",
                    text_at(Value(spec), "/priorityLevelConfiguration/name"));
    objects.add("flowschemas.flowcontrol.apiserver.k8s.io", metadata(name),
                {{"spec", std::move(spec)},
                 {"status", object{{"conditions", array{object{{"type", "Dangling"},
                                                               {"status", "False"},
                                                               {"lastTransitionTime", objects.now()},
                                                               {"reason", "Found"},
                                                               {"message", message}}}}}}});
  }
}

void add_api_services(StartObjects& objects, const Catalog& catalog) {
  for (const GroupPriority& priority : priorities) {
    const Catalog::Group* group = catalog.group(priority.group);
    if (group == nullptr) continue;
    for (const Catalog::Version& version : group->versions) {
      object metadata = name_only(fmt::format("{}.{}", version.name, priority.group));
      metadata["labels"] = object{{"kube-aggregator.kubernetes.io/automanaged", "onstart"}};
      object spec{{"version", version.name},
                  {"groupPriorityMinimum", priority.of_group},
                  {"versionPriority", version.name == "v2" ? 2 * priority.of_version : priority.of_version}};
      if (!priority.group.empty()) spec["group"] = priority.group;
      objects.add(
          "apiservices.apiregistration.k8s.io", std::move(metadata),
          {{"spec", std::move(spec)},
           {"status", object{{"conditions", array{object{{"type", "Available"},
                                                         {"status", "True"},
                                                         {"lastTransitionTime", objects.now()},
                                                         {"reason", "Local"},
                                                         {"message", "Local APIServices are always available"}}}}}}});
    }
  }
}

}  // namespace

void make_namespaces(Service& service) {
  const auto resource = service.registry.catalog()->find("", "v1", "namespaces");
  for (const char* name : {"default", "kube-node-lease", "kube-public", "kube-system"}) {
    // Fails if the namespace exists.
    (void)create_object(service, *resource, "", Value{{"metadata", object{{"name", name}}}},
                        {.manager = "kube-apiserver"});
  }
}

void keep_kubernetes_service(Service& service) {
  const std::string key = storage_key("default", "kubernetes");
  const bool is_whole = service.storage.get("services", key).exists() &&
                        service.storage.get("endpoints", key).exists() &&
                        service.storage.get("endpointslices.discovery.k8s.io", key).exists();
  if (is_whole) return;
  StartObjects objects(service);
  add_service(objects);
}

void make_cluster_objects(Service& service) {
  StartObjects objects(service);
  add_service(objects);
  add_addresses(objects);
  add_priority_classes(objects);
  add_flow_control(objects);
  add_api_services(objects, *service.registry.catalog());
  objects.add_component_status("etcd-0");
  objects.add("configmaps", name_only("extension-apiserver-authentication", "kube-system"), {});
}

}  // namespace pintle::apiserver
