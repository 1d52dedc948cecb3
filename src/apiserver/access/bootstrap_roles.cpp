// SPDX-License-Identifier: Apache-2.0
#include "bootstrap_roles.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "apiserver/registry/words.hpp"
#include "roles.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using Words = std::vector<std::string_view>;

constexpr std::string_view aggregate_label = "rbac.authorization.k8s.io/aggregate-to-";
constexpr std::string_view controller_prefix = "system:controller:";

std::string_view verbs_named(std::string_view name) {
  if (name == "read") return "get,list,watch";
  if (name == "write") return "create,delete,deletecollection,patch,update";
  if (name == "readwrite") return "create,delete,deletecollection,get,list,patch,update,watch";
  return name;
}

json::array list_of(std::string_view text) {
  json::array out;
  for (const std::string_view word : split(text, ',')) out.emplace_back(word == "core" ? std::string_view{} : word);
  return out;
}

Value rule_of(const Words& words) {
  json::object out{{"verbs", list_of(verbs_named(words.at(0)))}};
  if (words.at(1) == "url") {
    out["nonResourceURLs"] = list_of(words.at(2));
    return out;
  }
  out["apiGroups"] = list_of(words[1]);
  out["resources"] = list_of(words.at(2));
  if (words.size() > 3) out["resourceNames"] = list_of(words[3]);
  return out;
}

Value subject_of(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view kind = word.substr(0, colon);
  const std::string_view name = word.substr(colon + 1);
  if (kind == "account") {
    const std::size_t slash = name.find('/');
    return {{"kind", "ServiceAccount"}, {"name", name.substr(slash + 1)}, {"namespace", name.substr(0, slash)}};
  }
  return {{"kind", kind == "user" ? "User" : "Group"}, {"apiGroup", rbac_group}, {"name", name}};
}

// Reads the lines of the table into objects.
class BootstrapReader {
 public:
  void read(std::string_view line) {
    const bool is_rule = line.starts_with(' ');
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const Words words = split(line, ' ');
    if (is_rule) {
      out_.back().object.as_object()["rules"].as_array().push_back(rule_of(words));
    } else if (words.front() == "role") {
      add_role(words);
    } else if (words.front() == "bind") {
      add_binding(words.at(1), {words.begin() + 2, words.end()});
    } else {
      add_controller(words.at(1));
    }
  }
  // The role of a controller follows its binding, so that its rules are added to the role.
  std::vector<BootstrapObject> take() { return std::move(out_); }

 private:
  BootstrapObject& add(std::string_view kind, std::string_view path) {
    const std::size_t slash = path.find('/');
    const bool is_namespaced = slash != std::string_view::npos;
    const bool is_role = kind == "Role";
    json::object metadata{{"name", path.substr(is_namespaced ? slash + 1 : 0)},
                          {"labels", {{"kubernetes.io/bootstrapping", "rbac-defaults"}}},
                          {"annotations", {{"rbac.authorization.kubernetes.io/autoupdate", "true"}}}};
    const std::string_view plural =
        is_role ? (is_namespaced ? "roles" : "clusterroles") : (is_namespaced ? "rolebindings" : "clusterrolebindings");
    out_.push_back({.plural = plural,
                    .namespace_ = std::string(is_namespaced ? path.substr(0, slash) : std::string_view{}),
                    .object = json::object{{"metadata", std::move(metadata)}}});
    return out_.back();
  }

  void add_role(const Words& words) {
    json::object& role = add("Role", words.at(1)).object.as_object();
    role["rules"] = json::array();
    for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
      const std::string label = std::string(aggregate_label) + std::string(words[i + 1]);
      if (words[i] == "aggregates") {
        role.erase("rules");
        role["aggregationRule"] =
            Value{{"clusterRoleSelectors", json::array{json::object{{"matchLabels", json::object{{label, "true"}}}}}}};
      } else {
        role["metadata"].as_object()["labels"].as_object()[label] = "true";
      }
    }
  }

  void add_binding(std::string_view path, Words words) {
    BootstrapObject& binding = add("Binding", path);
    std::string_view role = path.substr(path.find('/') == std::string_view::npos ? 0 : path.find('/') + 1);
    if (!words.empty() && words.front().find(':') == std::string_view::npos) {
      role = words.front();
      words.erase(words.begin());
    }
    json::array subjects;
    for (const std::string_view word : words) subjects.push_back(subject_of(word));
    json::object& members = binding.object.as_object();
    members["roleRef"] =
        Value{{"apiGroup", rbac_group}, {"kind", binding.namespace_.empty() ? "ClusterRole" : "Role"}, {"name", role}};
    if (!subjects.empty()) members["subjects"] = std::move(subjects);
  }

  void add_controller(std::string_view name) {
    const std::string path = std::string(controller_prefix) + std::string(name);
    const std::string account = "account:kube-system/" + std::string(name);
    add_binding(path, {account});
    add_role({"role", path});
  }

  std::vector<BootstrapObject> out_;
};

}  // namespace

std::vector<BootstrapObject> bootstrap_roles() {
  BootstrapReader reader;
  for (const std::string_view line : split(bootstrap_table, '\n')) {
    if (!line.empty()) reader.read(line);
  }
  return reader.take();
}

}  // namespace pintle::apiserver
