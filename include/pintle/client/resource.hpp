// SPDX-License-Identifier: Apache-2.0
// Resource: a kind with its URL path and scope on a server, as discovery reports them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/object/kind.hpp>

namespace pintle {

/// Error::reason of a call for a subresource, such as status, that the kind does not serve. The error code is
/// `unsupported`, and nothing was written.
inline constexpr std::string_view no_subresource = "NoSubresource";

/// A plain value.
struct PINTLE_EXPORT Resource {
  GroupVersionKind kind{};
  std::string plural{};
  bool namespaced = true;
  std::vector<std::string> verbs{};
  std::vector<std::string> subresources{};  ///< "status", "scale"
  std::string singular{};                   ///< "deployment"; some servers leave it out
  std::vector<std::string> short_names{};   ///< "deploy"
  std::vector<std::string> categories{};    ///< "all"

  /// The path of an object, such as "/apis/apps/v1/namespaces/a/deployments/b". Without a name it is the path of the
  /// collection; without a namespace it is the path of the collection in all namespaces.
  [[nodiscard]] std::string path(const ObjectKey& key) const;
  [[nodiscard]] bool has_subresource(std::string_view name) const;
  [[nodiscard]] std::string to_string() const;  ///< "deployments.apps", "configmaps"
};

}  // namespace pintle
