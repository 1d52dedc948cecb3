// SPDX-License-Identifier: Apache-2.0
// decoding_error(): why a body cannot be decoded as a built-in type.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Where a decoded value is: its path, and the struct that contains it. The default is a value that is decoded alone.
struct DecodedPlace {
  std::string path{};
  std::string_view owner{};
};

// Returns the error of the decoder of kube-apiserver: "json: cannot unmarshal string into Go struct field
// DeploymentSpec.spec.replicas of type int32". It is about the first value that does not have its type, or about the
// first time, quantity or number-or-text that cannot be read, which ends the decoding. Empty if there is none. `type`
// is a row of the table.
[[nodiscard]] std::string decoding_error(const json::Value& value, std::string_view type,
                                         const DecodedPlace& place = {});

}  // namespace pintle::apiserver
