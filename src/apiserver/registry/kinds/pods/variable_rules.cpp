// SPDX-License-Identifier: Apache-2.0
#include "variable_rules.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

// The fields that a reference may name; each user of them takes a part.
constexpr std::array<std::string_view, 15> pod_fields_known{
    "metadata.annotations", "metadata.labels",    "metadata.name",           "metadata.namespace", "metadata.uid",
    "spec.nodeName",        "spec.restartPolicy", "spec.serviceAccountName", "spec.schedulerName", "spec.host",
    "status.phase",         "status.hostIP",      "status.hostIPs",          "status.podIP",       "status.podIPs"};

std::vector<std::string> fields_of(FieldUser user) {
  if (user == FieldUser::file) {
    return {"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"};
  }
  return {"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
          "status.hostIP", "status.hostIPs",     "status.podIP", "status.podIPs"};
}

const std::vector<std::string>& known_container_amounts() {
  static const std::vector<std::string> names{"limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
                                              "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
  return names;
}

template <class List>
bool has_entry(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// metadata.labels['app'] and metadata.annotations['a/b'].
bool validate_subscript(std::string_view path, const std::string& field, Causes& causes) {
  const std::size_t open = path.find("['");
  if (!path.ends_with("']") || open == std::string_view::npos || open == 0) return false;
  const std::string_view map = path.substr(0, open);
  const std::string_view key = path.substr(open + 2, path.size() - open - 4);
  if (map == "metadata.labels") {
    add_errors(field, key, label_key_errors(key), causes);
  } else if (map == "metadata.annotations") {
    const std::string lower = to_lower_ascii(key);
    add_errors(field, lower, label_key_errors(lower), causes);
  } else {
    causes.push_back(
        invalid_value(field + ".fieldPath", Value(path),
                      fmt::format("error converting fieldPath: field label does not support subscript: {}", path)));
  }
  return true;
}

// `name` and `key` of a ConfigMap or Secret.
void validate_key_reference(View reference, const std::string& field, Causes& causes) {
  const std::string_view name = reference.member("name").text();
  add_errors(field + ".name", name, subdomain_errors(name), causes);
  const std::string_view key = reference.member("key").text();
  if (key.empty()) {
    causes.push_back(required(field + ".key"));
  } else {
    add_errors(field + ".key", key, data_key_errors(key), causes);
  }
}

void validate_variable_source(View variable, const std::string& field, Causes& causes) {
  const View source = variable.member("valueFrom");
  if (!source.exists()) return;
  std::size_t sources = 0;
  for (const std::string_view name :
       {"fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"}) {
    const View reference = source.member(name);
    if (!reference.exists()) continue;
    ++sources;
    const std::string at = fmt::format("{}.{}", field, name);
    if (name == "fieldRef") validate_field_reference(reference, FieldUser::variable, at, causes);
    if (name == "resourceFieldRef") validate_resource_reference(reference, FieldUser::variable, at, causes);
    if (name == "configMapKeyRef" || name == "secretKeyRef") validate_key_reference(reference, at, causes);
  }
  if (sources == 0) {
    causes.push_back(invalid_value(field, Value(""),
                                   "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                                   "`secretKeyRef` or `fileKeyRef`"));
  } else if (!variable.member("value").text().empty()) {
    causes.push_back(invalid_value(field, Value(""), "may not be specified when `value` is not empty"));
  } else if (sources > 1) {
    causes.push_back(invalid_value(field, Value(""), "may not have more than one field specified at a time"));
  }
}

// The server reports some errors of an item at the list.
void validate_sources(View sources, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View source : sources.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    if (const std::string_view prefix = source.member("prefix").text(); !prefix.empty()) {
      add_errors(at + ".prefix", prefix, variable_name_errors(prefix), causes);
    }
    std::size_t count = 0;
    for (const char* name : {"configMapRef", "secretRef"}) {
      const View reference = source.member(name);
      if (!reference.exists()) continue;
      ++count;
      const std::string place = fmt::format("{}.{}.name", at, name);
      const std::string_view target = reference.member("name").text();
      if (target.empty()) {
        causes.push_back(required(place));
      } else {
        add_errors(place, target, subdomain_errors(target), causes);
      }
    }
    if (count == 0) {
      causes.push_back(invalid_value(field, Value(""), "must specify one of: `configMapRef` or `secretRef`"));
    } else if (count > 1) {
      causes.push_back(invalid_value(field, Value(""), "may not have more than one field specified at a time"));
    }
  }
}

}  // namespace

void validate_environment(View container, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View variable : container.member("env").elements()) {
    const std::string at = fmt::format("{}.env[{}]", field, i++);
    const std::string_view name = variable.member("name").text();
    if (name.empty()) {
      causes.push_back(required(at + ".name"));
    } else {
      add_errors(at + ".name", name, variable_name_errors(name), causes);
    }
    validate_variable_source(variable, at + ".valueFrom", causes);
  }
  validate_sources(container.member("envFrom"), field + ".envFrom", causes);
}

void validate_field_reference(View reference, FieldUser user, const std::string& field, Causes& causes) {
  const std::string_view path = reference.member("fieldPath").text();
  const std::string at = field + ".fieldPath";
  if (path.empty()) return causes.push_back(required(at));
  if (validate_subscript(path, field, causes)) return;
  if (!has_entry(pod_fields_known, path)) {
    return causes.push_back(
        invalid_value(at, Value(path), fmt::format("error converting fieldPath: field label not supported: {}", path)));
  }
  const std::string_view read = path == "spec.host" ? "spec.nodeName" : path;
  const std::vector<std::string> supported = fields_of(user);
  if (!has_entry(supported, read)) causes.push_back(not_supported(at, Value(read), supported));
}

void validate_resource_reference(View reference, FieldUser user, const std::string& field, Causes& causes) {
  const std::string_view resource = reference.member("resource").text();
  if (user == FieldUser::file && reference.member("containerName").text().empty()) {
    causes.push_back(required(field + ".containerName"));
  } else if (resource.empty()) {
    causes.push_back(required(field + ".resource"));
  } else if (!has_entry(known_container_amounts(), resource) && !resource.starts_with("limits.hugepages-") &&
             !resource.starts_with("requests.hugepages-")) {
    causes.push_back(not_supported(field + ".resource", Value(resource), known_container_amounts()));
  }
}

}  // namespace pintle::apiserver
