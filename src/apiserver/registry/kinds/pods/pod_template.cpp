// SPDX-License-Identifier: Apache-2.0
#include "pod_template.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <pintle/object/selector.hpp>

#include "../../cells.hpp"
#include "apiserver/registry/names/address_rules.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/values.hpp"
#include "container_rules.hpp"
#include "scheduling_rules.hpp"
#include "security_rules.hpp"
#include "volume_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr int default_mode = 0644;

void default_field_reference(Value& place) {
  if (object* reference = object_at(place, "/fieldRef")) set_default(*reference, "apiVersion", "v1");
}

void default_http_get(Value& handler) {
  object* get = object_at(handler, "/httpGet");
  if (get == nullptr) return;
  set_default(*get, "path", "/");
  set_default(*get, "scheme", "HTTP");
}

void default_probe(Value& container, std::string_view name) {
  Value* probe = member(container, name);
  if (probe == nullptr || !probe->is_object()) return;
  default_http_get(*probe);
  object& members = probe->get_object();
  // 0 has the same meaning as a missing value.
  for (const auto& [member, value] : {std::pair("timeoutSeconds", 1), std::pair("periodSeconds", 10),
                                      std::pair("successThreshold", 1), std::pair("failureThreshold", 3)}) {
    Value& found = members[member];
    if (found.is_null() || found == Value(0)) found = value;
  }
}

bool is_latest(std::string_view image) {
  const std::string_view last = image.substr(image.rfind('/') + 1);
  return last.find_first_of(":@") == std::string_view::npos || last.ends_with(":latest");
}

void default_container(Value& container) {
  object& members = container.get_object();
  set_default(members, "terminationMessagePath", "/dev/termination-log");
  set_default(members, "terminationMessagePolicy", "File");
  set_default(members, "imagePullPolicy", is_latest(text_at(container, "/image")) ? "Always" : "IfNotPresent");
  each_object(container, "/env", [](Value& variable) {
    if (Value* from = member(variable, "valueFrom")) default_field_reference(*from);
  });
  for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) default_probe(container, probe);
  for (const char* hook : {"/lifecycle/postStart", "/lifecycle/preStop"}) {
    if (Value* handler = json::find(container, hook)) default_http_get(*handler);
  }
}

void default_projection(Value& source) {
  if (object* token = object_at(source, "/serviceAccountToken")) token->emplace("expirationSeconds", 3600);
  each_object(source, "/downwardAPI/items", default_field_reference);
}

void default_volume(Value& volume) {
  if (volume.get_object().size() == 1) volume.get_object()["emptyDir"] = object();
  for (const char* source : {"/secret", "/configMap", "/downwardAPI", "/projected"}) {
    if (object* members = object_at(volume, source)) members->emplace("defaultMode", default_mode);
  }
  if (object* host = object_at(volume, "/hostPath")) host->emplace("type", "");
  each_object(volume, "/downwardAPI/items", default_field_reference);
  each_object(volume, "/projected/sources", default_projection);
  if (object* claim = object_at(volume, "/ephemeral/volumeClaimTemplate/spec")) {
    set_default(*claim, "volumeMode", "Filesystem");
  }
}

// Kinds differ in the text about a selector that cannot be used.
std::string_view unusable_selector(std::string_view kind) {
  return kind == "deployment" ? "invalid label selector" : "";
}

// A missing selector matches nothing, an empty one everything.
void validate_workload_selector(View spec, std::string_view kind, std::vector<StatusCause>& causes) {
  const View selecting = spec.member("selector");
  const View labels = spec["/template/metadata/labels"];
  const bool is_daemon_set = kind == "daemonset";
  if (!selecting.is_object()) {
    if (!is_daemon_set) causes.push_back(required("spec.selector"));
  } else {
    validate_selector(selecting, "spec.selector", causes);
  }
  const auto selector = selecting.is_object() ? LabelSelector::from_json(selecting) : Result<LabelSelector>();
  if (selecting.is_object() && selector && selector->empty()) {
    causes.push_back(
        invalid_value("spec.selector", selecting.to_value(), fmt::format("empty selector is invalid for {}", kind)));
  } else if (!selector) {
    if (is_daemon_set) return;
    causes.push_back(invalid_value("spec.selector", selecting.to_value(), unusable_selector(kind)));
  } else if (!selecting.is_object() || !selector->matches(labels)) {
    causes.push_back(invalid_value("spec.template.metadata.labels", labels.to_value(),
                                   "`selector` does not match template `labels`"));
  }
}

// A member that names another object.
void validate_reference(View spec, const char* member, const std::string& field, std::vector<StatusCause>& causes) {
  const std::string_view name = spec.member(member).text();
  if (!name.empty()) add_errors(fmt::format("{}.{}", field, member), name, subdomain_errors(name), causes);
}

// A port of a Pod in the network of its node is that of the node.
void validate_host_network(View spec, const std::string& field, std::vector<StatusCause>& causes) {
  if (spec.member("hostNetwork") != true) return;
  std::size_t i = 0;
  for (const View container : spec.member("containers").elements()) {
    std::size_t k = 0;
    for (const View port : container.member("ports").elements()) {
      const std::string at = fmt::format("{}.containers[{}].ports[{}].hostPort", field, i, k++);
      const std::int64_t number = integer_cell(port.member("hostPort"));
      if (number == 0 || number == integer_cell(port.member("containerPort"))) continue;
      causes.push_back(invalid_value(at, Value(number), "must match `containerPort` when `hostNetwork` is true"));
    }
    ++i;
  }
}

void validate_names_of_hosts(View spec, const std::string& field, std::vector<StatusCause>& causes) {
  if (spec.member("dnsPolicy") == "None") {
    const View config = spec.member("dnsConfig");
    if (!config.exists()) {
      causes.push_back(required(field + ".dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None"));
    } else if (config.member("nameservers").empty()) {
      causes.push_back(required(field + ".dnsConfig.nameservers",
                                "must provide at least one DNS nameserver when `dnsPolicy` is None"));
    }
  }
  std::size_t i = 0;
  for (const View alias : spec.member("hostAliases").elements()) {
    const std::string_view address = alias.member("ip").text();
    add_errors(fmt::format("{}.hostAliases[{}].ip", field, i), address, address_errors(address), causes);
    std::size_t k = 0;
    for (const View name : alias.member("hostnames").elements()) {
      const std::string at = fmt::format("{}.hostAliases[{}].hostnames[{}]", field, i, k++);
      add_errors(at, name.text(), subdomain_errors(name.text()), causes);
    }
    ++i;
  }
}

void validate_host_names(View spec, const std::string& field, std::vector<StatusCause>& causes) {
  for (const char* member : {"hostname", "subdomain"}) {
    const std::string_view name = spec.member(member).text();
    if (!name.empty()) add_errors(fmt::format("{}.{}", field, member), name, dns_label_errors(name), causes);
  }
}

void validate_deadline(View spec, const std::string& field, std::vector<StatusCause>& causes) {
  const View given = spec.member("activeDeadlineSeconds");
  if (!given.exists()) return;
  const std::int64_t seconds = integer_cell(given);
  if (seconds >= 1 && seconds <= std::numeric_limits<std::int32_t>::max()) return;
  causes.push_back(
      invalid_value(field + ".activeDeadlineSeconds", Value(seconds), "must be between 1 and 2147483647, inclusive"));
}

}  // namespace

void default_pod_spec(Value& pod) {
  Value* place = member(pod, "spec");
  if (place == nullptr || !place->is_object()) return;
  each_object(*place, "/volumes", default_volume);
  for (const char* list : {"/containers", "/initContainers", "/ephemeralContainers"}) {
    each_object(*place, list, default_container);
  }
  object& spec = place->get_object();
  set_default(spec, "restartPolicy", "Always");
  spec.emplace("terminationGracePeriodSeconds", 30);
  set_default(spec, "dnsPolicy", "ClusterFirst");
  spec.emplace("securityContext", object());
  set_default(spec, "schedulerName", "default-scheduler");
  // serviceAccount is the old name of serviceAccountName.
  if (const std::string account(text_at(*place, "/serviceAccountName")); !account.empty()) {
    spec["serviceAccount"] = account;
  } else if (const std::string old(text_at(*place, "/serviceAccount")); !old.empty()) {
    spec["serviceAccountName"] = old;
  }
}

void validate_pod_spec(View spec, const std::string& field, std::vector<StatusCause>& causes, View claims) {
  Volumes volumes = validate_volumes(spec.member("volumes"), field + ".volumes", causes);
  for (const View claim : claims.elements()) volumes.emplace(claim["/metadata/name"].text(), View());
  validate_containers(spec, volumes, field, causes);
  validate_host_network(spec, field, causes);
  validate_labels(spec.member("nodeSelector"), field + ".nodeSelector", causes);
  validate_pod_security(spec.member("securityContext"), field + ".securityContext", causes);
  validate_affinity(spec.member("affinity"), field + ".affinity", causes);
  validate_gates(spec, field, causes);
  validate_spread(spec.member("topologySpreadConstraints"), field + ".topologySpreadConstraints", causes);
  validate_reference(spec, "serviceAccountName", field, causes);
  validate_reference(spec, "nodeName", field, causes);
  validate_deadline(spec, field, causes);
  validate_host_names(spec, field, causes);
  validate_tolerations(spec.member("tolerations"), field + ".tolerations", causes);
  validate_names_of_hosts(spec, field, causes);
  validate_reference(spec, "priorityClassName", field, causes);
  validate_reference(spec, "runtimeClassName", field, causes);
}

void validate_pod_template(View made, const std::string& field, std::vector<StatusCause>& causes, View claims) {
  // The server omits "metadata" here.
  validate_labels(made["/metadata/labels"], field + ".labels", causes);
  validate_annotations(made["/metadata/annotations"], field + ".annotations", causes);
  validate_pod_spec(made.member("spec"), field + ".spec", causes, claims);
  if (!made["/spec/ephemeralContainers"].empty()) {
    causes.push_back(
        forbidden_field(field + ".spec.ephemeralContainers", "ephemeral containers not allowed in pod template"));
  }
}

void validate_lasting_template(View made, std::string_view kind, std::vector<StatusCause>& causes) {
  const View policy = made["/spec/restartPolicy"];
  if (policy != "Always") {
    causes.push_back(not_supported("spec.template.spec.restartPolicy", policy.to_value(), {"Always"}));
  }
  if (made["/spec/activeDeadlineSeconds"].exists()) {
    causes.push_back(forbidden_field("spec.template.spec.activeDeadlineSeconds",
                                     fmt::format("activeDeadlineSeconds in {} is not Supported", kind)));
  }
}

void validate_template(View spec, std::string_view kind, std::vector<StatusCause>& causes) {
  validate_workload_selector(spec, kind, causes);
  validate_pod_template(spec.member("template"), "spec.template", causes, spec.member("volumeClaimTemplates"));
  const std::string_view shown = kind == "daemonset"     ? "DaemonSet"
                                 : kind == "statefulset" ? "StatefulSet"
                                                         : "ReplicaSet";
  validate_lasting_template(spec.member("template"), shown, causes);
}

Value template_cell(std::string_view column, View spec) {
  const View containers = spec["/template/spec/containers"];
  if (column == "Containers") return Value(list_cell(containers, "name"));
  if (column == "Images") return Value(list_cell(containers, "image"));
  if (column == "Selector") return Value(selector_cell(spec.member("selector")));
  return {};
}

}  // namespace pintle::apiserver
