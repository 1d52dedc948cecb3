// SPDX-License-Identifier: Apache-2.0
// decoding_error(): why a body cannot be decoded as a built-in type.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Returns the error of the decoder of kube-apiserver for the first value that does not have its type: "json: cannot
// unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32". Empty if there is none, and for a
// type that decodes its text itself, such as a time. `type` is a row of the table; `place` is the path of the value.
[[nodiscard]] std::string decoding_error(const json::Value& value, std::string_view type,
                                         const std::string& place = {});

}  // namespace pintle::apiserver
