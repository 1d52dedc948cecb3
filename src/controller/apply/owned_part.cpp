// SPDX-License-Identifier: Apache-2.0
#include "owned_part.hpp"

#include <algorithm>

#include <pintle/base/hash.hpp>
#include <pintle/object/kind.hpp>

namespace pintle {
namespace {

constexpr ListRule rules[] = {
    {"", "metadata", "ownerReferences", {"uid"}},
    {"", "metadata", "finalizers", {}},
    {"", "containers", "ports", {"containerPort", "protocol"}},
    {"", "initContainers", "ports", {"containerPort", "protocol"}},
    {"", "ephemeralContainers", "ports", {"containerPort", "protocol"}},
    {"Service", "spec", "ports", {"port", "protocol"}},
    {"", "spec", "containers", {"name"}},
    {"", "spec", "initContainers", {"name"}},
    {"", "spec", "ephemeralContainers", {"name"}},
    {"", "", "env", {"name"}},
    {"", "", "volumeMounts", {"mountPath"}},
    {"", "", "volumeDevices", {"devicePath"}},
    {"", "resources", "claims", {"name"}},
    {"", "spec", "volumes", {"name"}},
    {"", "spec", "hostAliases", {"ip"}},
    {"", "spec", "imagePullSecrets", {"name"}},
    {"", "spec", "resourceClaims", {"name"}},
    {"", "spec", "schedulingGates", {"name"}},
    {"", "spec", "topologySpreadConstraints", {"topologyKey", "whenUnsatisfiable"}},
    {"ServiceAccount", "", "secrets", {"name"}},
    {"", "", "webhooks", {"name"}},
    {"", "", "matchConditions", {"name"}},
    {"ValidatingAdmissionPolicy", "spec", "variables", {"name"}},
    {"CSINode", "spec", "drivers", {"name"}},
    {"Node", "spec", "podCIDRs", {}},
    {"CSIDriver", "spec", "volumeLifecycleModes", {}},
    {"CustomResourceDefinition", "", "x-kubernetes-validations", {"rule"}},
    {"ValidatingAdmissionPolicyBinding", "spec", "validationActions", {}},
};

// Atomic maps with a single member are not listed, because the intent contains that member.
constexpr std::string_view whole_maps[] = {"selector",
                                           "nodeSelector",
                                           "labelSelector",
                                           "namespaceSelector",
                                           "objectSelector",
                                           "podSelector",
                                           "scopeSelector",
                                           "matchConstraints",
                                           "matchResources",
                                           "paramKind",
                                           "paramRef",
                                           "roleRef",
                                           "scaleTargetRef",
                                           "resource",
                                           "port",
                                           "dataSource",
                                           "secretRef",
                                           "controllerExpandSecretRef",
                                           "controllerPublishSecretRef",
                                           "nodeExpandSecretRef",
                                           "nodePublishSecretRef",
                                           "nodeStageSecretRef",
                                           "configMapKeyRef",
                                           "secretKeyRef",
                                           "fileKeyRef",
                                           "fieldRef",
                                           "resourceFieldRef",
                                           "nodeTopology",
                                           "involvedObject",
                                           "regarding",
                                           "related"};

bool is_built_in(std::string_view group) {
  constexpr std::string_view without_domain[] = {"", "apps", "batch", "autoscaling", "policy"};
  return group.ends_with(".k8s.io") ||
         std::find(std::begin(without_domain), std::end(without_domain), group) != std::end(without_domain);
}

class OwnedPart {
 public:
  explicit OwnedPart(json::View intent)
      : kind_(intent.member("kind").text()),
        api_version_(intent.member("apiVersion").text()),
        is_built_in_(is_built_in(GroupVersionKind(api_version_, kind_).group)) {}

  [[nodiscard]] std::uint64_t of_root(json::View there, json::View intent) const {
    std::uint64_t sum = 0;
    for (const auto [name, wanted] : intent.members()) {
      if (name == "status" && is_built_in_) continue;
      if (name == "stringData" && is_secret()) {
        // The server stores these values in `data`.
        sum += member_digest(name, named(there.member("data"), wanted));
      } else {
        sum += member_digest(name, of(there.member(name), wanted, "", name));
      }
    }
    return sum;
  }

 private:
  static constexpr std::uint64_t nothing = 0x2f6b0c1d9e3a5741U;
  static constexpr std::uint64_t object_seed = 0x71c3a2d4b8f05e69U;
  static constexpr std::uint64_t list_seed = 0x1b873593cc9e2d51U;

  static std::uint64_t member_digest(std::string_view name, std::uint64_t value) {
    return mix(hash_of(name, object_seed), value);
  }
  [[nodiscard]] bool is_secret() const { return kind_ == "Secret" && api_version_ == "v1"; }

  // Returns a digest of the complete values that `there` has for the names in `wanted`.
  [[nodiscard]] static std::uint64_t named(json::View there, json::View wanted) {
    std::uint64_t sum = object_seed;
    for (const auto [name, value] : wanted.members()) {
      const json::View actual = there.member(name);
      if (!value.is_null()) sum += member_digest(name, actual ? actual.hash() : nothing);
    }
    return sum;
  }

  [[nodiscard]] std::uint64_t of(json::View there, json::View intent, std::string_view parent,
                                 std::string_view name) const {
    if (!there || intent.is_null()) return nothing;
    if (intent.is_object() && there.is_object() && !(is_built_in_ && is_atomic_map(name)))
      return of_object(there, intent, parent, name);
    if (intent.is_array() && there.is_array()) {
      if (const ListRule* rule = list_rule(is_built_in_ ? kind_ : "", parent, name)) {
        return rule->keys[0].empty() ? of_set(there, intent) : of_list_map(there, intent, *rule);
      }
    }
    return there.hash();
  }

  // Independent of the order of the members. `name` is the name of the object itself.
  [[nodiscard]] std::uint64_t of_object(json::View there, json::View intent, std::string_view parent,
                                        std::string_view name) const {
    const bool is_metadata = parent.empty() && name == "metadata";
    std::uint64_t sum = object_seed;
    for (const auto [member, wanted] : intent.members()) {
      if (wanted.is_null() || (is_metadata && belongs_to_server(member))) continue;
      sum += member_digest(member, of(there.member(member), wanted, name, member));
    }
    return sum;
  }

  // The order of the elements is part of the digest: init containers, for example, run in this order.
  [[nodiscard]] std::uint64_t of_list_map(json::View there, json::View intent, const ListRule& rule) const {
    std::uint64_t digest = list_seed;
    for (const json::View element : there.elements()) {
      for (const json::View wanted : intent.elements()) {
        if (!have_same_keys(element, wanted, rule)) continue;
        digest = mix(digest, of(element, wanted, rule.name, rule.name));
        break;
      }
    }
    return digest;
  }

  [[nodiscard]] static std::uint64_t of_set(json::View there, json::View intent) {
    std::uint64_t sum = list_seed;
    for (const json::View element : there.elements()) {
      for (const json::View wanted : intent.elements()) {
        if (wanted != element) continue;
        sum += element.hash();
        break;
      }
    }
    return sum;
  }

  static bool have_same_keys(json::View a, json::View b, const ListRule& rule) {
    return std::all_of(rule.keys.begin(), rule.keys.end(), [&](std::string_view key) {
      if (key.empty()) return true;
      const json::View left = a.member(key);
      const json::View right = b.member(key);
      if (key != "protocol") return left == right;
      // `protocol` is the only key with a default.
      const auto or_tcp = [](json::View protocol) { return protocol ? protocol.text() : std::string_view("TCP"); };
      return or_tcp(left) == or_tcp(right);
    });
  }

  static bool belongs_to_server(std::string_view member) {
    return member == "resourceVersion" || member == "generation" || member == "managedFields" ||
           member == "creationTimestamp";
  }

  const std::string_view kind_;
  const std::string_view api_version_;
  const bool is_built_in_;
};

}  // namespace

std::uint64_t owned_part_digest(json::View object, json::View intent) {
  return object ? OwnedPart(intent).of_root(object, intent) : 0;
}

const ListRule* list_rule(std::string_view kind, std::string_view parent, std::string_view name) noexcept {
  for (const ListRule& rule : rules) {
    if (rule.name != name || (!rule.parent.empty() && rule.parent != parent)) continue;
    if (!rule.kind.empty() && rule.kind != kind) continue;
    if (!kind.empty() || rule.parent == "metadata") return &rule;
  }
  return nullptr;
}

bool is_atomic_map(std::string_view name) noexcept {
  return std::find(std::begin(whole_maps), std::end(whole_maps), name) != std::end(whole_maps);
}

}  // namespace pintle
