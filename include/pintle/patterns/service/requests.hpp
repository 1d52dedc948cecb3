// SPDX-License-Identifier: Apache-2.0
// ClusterRequest and AccessRequest (clusters.openmcp.cloud/v1alpha1), with the members that a service provider uses to
// request a cluster, and access to one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/object/fields.hpp>

namespace pintle::service {

inline constexpr std::string_view request_granted = "Granted";
inline constexpr std::string_view request_denied = "Denied";

struct RequestReference {
  std::string name{};
  std::string namespace_{};

  static constexpr auto fields() {
    return pintle::fields(
        field("name", &RequestReference::name, "The name of the ClusterRequest.").required(),
        field("namespace", &RequestReference::namespace_, "The namespace of the ClusterRequest.").required());
  }
  friend bool operator==(const RequestReference&, const RequestReference&) = default;
};

struct PolicyRule {
  std::vector<std::string> api_groups{};
  std::vector<std::string> non_resource_urls{};
  std::vector<std::string> resource_names{};
  std::vector<std::string> resources{};
  std::vector<std::string> verbs{};

  static constexpr auto fields() {
    return pintle::fields(
        field("apiGroups", &PolicyRule::api_groups, "The API groups of the resources."),
        field("nonResourceURLs", &PolicyRule::non_resource_urls, "URL paths that do not belong to resources."),
        field("resourceNames", &PolicyRule::resource_names, "The names of the objects. Default: all objects."),
        field("resources", &PolicyRule::resources, "The resources, by their plural names."),
        field("verbs", &PolicyRule::verbs, "The allowed verbs.").required());
  }
  friend bool operator==(const PolicyRule&, const PolicyRule&) = default;
};

/// A role to create, in a namespace or for the whole cluster.
struct PermissionsRequest {
  std::optional<std::string> name{};
  std::optional<std::string> namespace_{};
  std::vector<PolicyRule> rules{};

  static constexpr auto fields() {
    return pintle::fields(
        field("name", &PermissionsRequest::name, "The name of the role."),
        field("namespace", &PermissionsRequest::namespace_, "The namespace of the role. Default: the whole cluster."),
        field("rules", &PermissionsRequest::rules, "The permissions of the role.").required());
  }
  friend bool operator==(const PermissionsRequest&, const PermissionsRequest&) = default;
};

/// An existing role.
struct RoleRef {
  std::string kind = "ClusterRole";
  std::string name{};
  std::optional<std::string> namespace_{};

  static constexpr auto fields() {
    return pintle::fields(field("kind", &RoleRef::kind, "Role or ClusterRole.").required(),
                          field("name", &RoleRef::name, "The name of the role.").required(),
                          field("namespace", &RoleRef::namespace_, "The namespace of a Role."));
  }
  friend bool operator==(const RoleRef&, const RoleRef&) = default;
};

/// Access by a token, with its permissions.
struct TokenConfig {
  std::vector<PermissionsRequest> permissions{};
  std::vector<RoleRef> role_refs{};

  static constexpr auto fields() {
    return pintle::fields(field("permissions", &TokenConfig::permissions, "The roles to create for the token."),
                          field("roleRefs", &TokenConfig::role_refs, "The existing roles of the token."));
  }
  friend bool operator==(const TokenConfig&, const TokenConfig&) = default;
};

struct ClusterRequest {
  static constexpr Type type{"clusters.openmcp.cloud/v1alpha1", "ClusterRequest"};
  struct Spec {
    std::string purpose{};

    static constexpr auto fields() {
      return pintle::fields(field("purpose", &Spec::purpose, "The purpose of the cluster.").required().min_length(1));
    }
  };
  struct Status {
    std::string phase{};
    std::int64_t observed_generation = 0;

    static constexpr auto fields() {
      return pintle::fields(
          field("phase", &Status::phase, "Pending, Granted or Denied.").column("Phase"),
          field("observedGeneration", &Status::observed_generation, "The generation to which the phase refers."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

struct AccessRequest {
  static constexpr Type type{"clusters.openmcp.cloud/v1alpha1", "AccessRequest"};
  struct Spec {
    std::optional<RequestReference> request_ref{};
    std::optional<TokenConfig> token{};

    static constexpr auto fields() {
      return pintle::fields(field("requestRef", &Spec::request_ref, "The ClusterRequest of the cluster to access."),
                            field("token", &Spec::token, "The requested permissions."));
    }
  };
  struct SecretRef {
    std::string name{};

    static constexpr auto fields() {
      return pintle::fields(
          field("name", &SecretRef::name, "The name of the Secret, in the namespace of the request."));
    }
  };
  struct Status {
    std::string phase{};
    std::int64_t observed_generation = 0;
    std::optional<SecretRef> secret_ref{};

    static constexpr auto fields() {
      return pintle::fields(
          field("phase", &Status::phase, "Pending, Granted or Denied.").column("Phase"),
          field("observedGeneration", &Status::observed_generation, "The generation to which the phase refers."),
          field("secretRef", &Status::secret_ref, "The Secret with the kubeconfig, once the access is granted."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

}  // namespace pintle::service
