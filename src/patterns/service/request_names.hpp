// RequestNames: the names and labels of the requests that belong to one API object and one cluster.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/object/object.hpp>

namespace pintle::service {

inline constexpr std::string_view managed_by_label = "openmcp.cloud/managed-by";
inline constexpr std::string_view managed_purpose_label = "openmcp.cloud/managed-purpose";
inline constexpr std::string_view onboarding_name_label = "openmcp.cloud/onboarding-name";
inline constexpr std::string_view onboarding_namespace_label = "openmcp.cloud/onboarding-namespace";

// Not those that programs such as Helm keep in large numbers. A selection is also why no copy of a Secret is read in
// the place of the Secret: the copy may be older than the AccessRequest that names it.
inline constexpr std::string_view secret_field_selector = "type!=helm.sh/release.v1";

struct RequestNames {
  ObjectKey cluster_request{};
  ObjectKey access_request{};
  std::map<std::string, std::string> labels{};
};

// A cluster as far as its requests are named after it. A plain value.
struct NamedRequests {
  std::string controller{};
  std::string id{};
  std::string suffix{};
  bool is_ours = false;  // the ClusterRequest too

  // Error: unavailable, when the hash cannot be computed.
  [[nodiscard]] Result<RequestNames> of(const ObjectKey& api) const;
};

// The value of a label: cut to its maximal length, with a hash in the place of the rest. Empty parts are left out of
// `parts`, which are joined by dots, because a value may not begin with a dot.
[[nodiscard]] Result<std::string> label_value(const std::vector<std::string_view>& parts);

// "AccessRequest mcp--…/buckets--a--mcp".
[[nodiscard]] std::string describe_request(const Object& request);

// Error: not_ours, naming the label that differs.
[[nodiscard]] Result<void> check_ours(const Object& request, const std::map<std::string, std::string>& labels,
                                      std::string_view controller);

}  // namespace pintle::service
