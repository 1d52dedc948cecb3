// SPDX-License-Identifier: Apache-2.0
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

// Excludes the Secrets that programs such as Helm create in large numbers. Because the watch has a selector, a Secret
// is always read from the server: the cache may be older than the AccessRequest that names the Secret.
inline constexpr std::string_view secret_field_selector = "type!=helm.sh/release.v1";

namespace internal {

struct RequestNames {
  ObjectKey cluster_request{};
  ObjectKey access_request{};
  std::map<std::string, std::string> labels{};
};

}  // namespace internal

using internal::RequestNames;

// The parts of a cluster that determine the names of its requests. A plain value.
struct NamedRequests {
  std::string controller{};
  std::string id{};
  std::string suffix{};
  bool is_ours = false;  // whether the ClusterRequest is ours too

  // Error: unavailable, if the hash cannot be computed.
  [[nodiscard]] Result<RequestNames> of(const ObjectKey& api) const;
};

// Returns a label value: the non-empty parts, joined by dots. Empty parts are omitted, because a value must not begin
// with a dot. If the value is too long, its end is replaced by a hash.
[[nodiscard]] Result<std::string> label_value(const std::vector<std::string_view>& parts);

// Returns the labels of all requests of a controller for one API object. Error: unavailable, as NamedRequests::of().
[[nodiscard]] Result<std::map<std::string, std::string>> labels_of_requests(const std::string& controller,
                                                                            const ObjectKey& api);

// For example "AccessRequest mcp--…/buckets--a--mcp".
[[nodiscard]] std::string describe_request(const Object& request);

// Error: not_owned, with the label that differs.
[[nodiscard]] Result<void> check_ours(const Object& request, const std::map<std::string, std::string>& labels,
                                      std::string_view controller);

}  // namespace pintle::service
