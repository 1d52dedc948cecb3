// Resource: a kind with its URL path and scope on a server, as discovery reports them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/object/kind.hpp>

namespace pintle {

/// Error::reason of a status write to a kind that does not serve the status subresource. The error code is
/// `unsupported`, and no request was sent.
inline constexpr std::string_view no_status_subresource = "NoStatusSubresource";

/// A plain value.
struct PINTLE_EXPORT Resource {
  GroupVersionKind kind{};
  std::string plural{};
  bool namespaced = true;
  bool has_status = false;  ///< serves the status subresource
  std::vector<std::string> verbs{};

  /// The path of an object, such as "/apis/apps/v1/namespaces/a/deployments/b". Without a name it is the path of the
  /// collection; without a namespace it is the path of the collection in all namespaces.
  [[nodiscard]] std::string path(const ObjectKey& key) const;
  [[nodiscard]] std::string to_string() const;  ///< "deployments.apps", "configmaps"
};

}  // namespace pintle
