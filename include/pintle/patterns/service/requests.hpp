// ClusterRequest and AccessRequest (clusters.openmcp.cloud/v1alpha1), with the members that a service provider uses to
// request a cluster, and access to one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/object/fields.hpp>

namespace pintle::service {

inline constexpr std::string_view request_granted = "Granted";
inline constexpr std::string_view request_denied = "Denied";

struct RequestReference {
  std::string name{};
  std::string namespace_{};

  static constexpr auto fields() {
    return pintle::fields(field("name", &RequestReference::name, "Its name.").required(),
                          field("namespace", &RequestReference::namespace_, "Its namespace.").required());
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
    return pintle::fields(field("apiGroups", &PolicyRule::api_groups, "The groups of the resources."),
                          field("nonResourceURLs", &PolicyRule::non_resource_urls, "Paths that are no resources."),
                          field("resourceNames", &PolicyRule::resource_names, "These objects alone; else all."),
                          field("resources", &PolicyRule::resources, "The resources, in the plural."),
                          field("verbs", &PolicyRule::verbs, "What may be done.").required());
  }
  friend bool operator==(const PolicyRule&, const PolicyRule&) = default;
};

/// A role to create, in a namespace or for the whole cluster.
struct PermissionsRequest {
  std::optional<std::string> name{};
  std::optional<std::string> namespace_{};
  std::vector<PolicyRule> rules{};

  static constexpr auto fields() {
    return pintle::fields(field("name", &PermissionsRequest::name, "The name of the role."),
                          field("namespace", &PermissionsRequest::namespace_, "Where; else in the whole cluster."),
                          field("rules", &PermissionsRequest::rules, "What it allows.").required());
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
                          field("name", &RoleRef::name, "Its name.").required(),
                          field("namespace", &RoleRef::namespace_, "The namespace of a Role."));
  }
  friend bool operator==(const RoleRef&, const RoleRef&) = default;
};

/// Access by a token, with its permissions.
struct TokenConfig {
  std::vector<PermissionsRequest> permissions{};
  std::vector<RoleRef> role_refs{};

  static constexpr auto fields() {
    return pintle::fields(field("permissions", &TokenConfig::permissions, "Roles to make for it."),
                          field("roleRefs", &TokenConfig::role_refs, "Roles that are there."));
  }
  friend bool operator==(const TokenConfig&, const TokenConfig&) = default;
};

struct ClusterRequest {
  static constexpr Type type{"clusters.openmcp.cloud/v1alpha1", "ClusterRequest"};
  struct Spec {
    std::string purpose{};

    static constexpr auto fields() {
      return pintle::fields(field("purpose", &Spec::purpose, "What the cluster is for.").required().min_length(1));
    }
  };
  struct Status {
    std::string phase{};
    std::int64_t observed_generation = 0;

    static constexpr auto fields() {
      return pintle::fields(
          field("phase", &Status::phase, "Pending, Granted or Denied.").column("Phase"),
          field("observedGeneration", &Status::observed_generation, "The generation that the phase is about."));
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
      return pintle::fields(field("requestRef", &Spec::request_ref, "The ClusterRequest whose cluster it is about."),
                            field("token", &Spec::token, "What access is asked for."));
    }
  };
  struct SecretRef {
    std::string name{};

    static constexpr auto fields() {
      return pintle::fields(field("name", &SecretRef::name, "The Secret, in the namespace of the request."));
    }
  };
  struct Status {
    std::string phase{};
    std::int64_t observed_generation = 0;
    std::optional<SecretRef> secret_ref{};

    static constexpr auto fields() {
      return pintle::fields(
          field("phase", &Status::phase, "Pending, Granted or Denied.").column("Phase"),
          field("observedGeneration", &Status::observed_generation, "The generation that the phase is about."),
          field("secretRef", &Status::secret_ref, "Where the kubeconfig is, once it is granted."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

}  // namespace pintle::service
