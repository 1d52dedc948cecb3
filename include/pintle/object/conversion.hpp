// SPDX-License-Identifier: Apache-2.0
// AnyConversion: the conversion of the objects of one kind between its versions, for the API server.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// The annotation that contains the fields which another version of the object has and this version cannot represent,
/// as JSON. It is added and removed by Versions::convert().
inline constexpr std::string_view conversion_annotation = "pintle.dev/conversion-data";

/// A conversion that a manager serves to the API server. Most operators do not create one: the conversion of a
/// described struct with `using versions` is derived from its versions, see versions.hpp. For a kind that no controller
/// watches:
///
///   manager.add(v1::Gate::versions::conversion());
struct AnyConversion {
  /// The group and the kind whose objects are converted. The version is the hub: the stored version, to which and from
  /// which each other version is converted.
  GroupVersionKind kind{};
  /// Returns the object in the version `api_version`, for example "demo.pintle.dev/v1". Called on several threads, with
  /// objects of all versions. Only the labels and the annotations are taken from the metadata of the result. If one
  /// object of a request cannot be converted, the API server fails the whole request with the message of the error.
  std::function<Result<json::Value>(const Object& object, std::string_view api_version)> convert{};
  /// The CRD, if the manager is to install it. The manager sets its spec.conversion. Default: that of a controller of
  /// the kind; if there is none, another program installs the CRD.
  std::optional<json::Value> crd{};
  /// The names of all versions that `convert` accepts and returns, with the hub: {"v1", "v1beta1"}. start() compares
  /// them with the versions of the CRD. Default: the versions of the CRD.
  std::vector<std::string> versions{};
};

}  // namespace pintle
