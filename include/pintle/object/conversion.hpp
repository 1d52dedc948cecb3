// AnyConversion: the conversion of the objects of one kind between its versions, for the API server.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// The annotation that contains the fields which another version of the object has and this version cannot represent,
/// as JSON. It is added and removed by Versions::convert().
inline constexpr std::string_view conversion_annotation = "pintle.dev/conversion-data";

/// A conversion that a manager serves to the API server. Most operators do not create one: the conversion of a
/// described struct with `using versions` is derived from its versions, see versions.hpp.
struct AnyConversion {
  /// The group and the kind whose objects are converted. The version is the stored one.
  GroupVersionKind kind{};
  /// Returns the object in the version `api_version`, for example "demo.pintle.dev/v1". Called on several threads, with
  /// objects of all versions. Only the labels and the annotations are taken from the metadata of the result. If one
  /// object of a request cannot be converted, the API server fails the whole request with the message of the error.
  std::function<Result<json::Value>(const Object& object, std::string_view api_version)> convert{};
  /// The CRD, if the manager is to install it. Its spec.conversion must name a webhook; the manager adds the address.
  std::optional<json::Value> crd{};
};

}  // namespace pintle
