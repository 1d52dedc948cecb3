// SPDX-License-Identifier: Apache-2.0
// The fields that a request body contains twice, for field validation; and bodies in YAML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Returns an error for each of the first max_field_errors repeated fields of valid JSON: duplicate field
// "spec.replicas".
[[nodiscard]] std::vector<std::string> duplicate_fields_in_json(std::string_view text);

// The same for the body of a request in JSON or YAML. An error in YAML is: line 7: key "replicas" already set in map.
[[nodiscard]] std::vector<std::string> duplicate_fields(const http::Request& request);

// Parses the first document of a body in YAML, in which the last of several values of a field counts. Many clients send
// JSON as YAML; it is parsed as JSON, which takes a tenth of the time.
[[nodiscard]] Result<json::Value> parse_yaml_body(std::string_view text);

}  // namespace pintle::apiserver
