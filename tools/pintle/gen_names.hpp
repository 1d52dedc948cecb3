// SPDX-License-Identifier: Apache-2.0
// Converts names in JSON to names in C++.
#pragma once

#include <string>
#include <string_view>

namespace pintle::tools {

// The namespace of the built-in types of Kubernetes.
inline constexpr std::string_view builtin_root = "pintle::api";

// "clusterIPs" → cluster_ips, "openAPIV3Schema" → open_api_v3_schema, "x-kubernetes-map-type" → x_kubernetes_map_type.
// A keyword of C++ gets a trailing underscore, a name that starts with a digit a leading one. Returns "" if `json` has
// no letter or digit.
[[nodiscard]] std::string snake_case(std::string_view json);

// For types: "accessModes" → AccessModes, "x-map-type" → XMapType, "5xx" → N5xx.
[[nodiscard]] std::string pascal_case(std::string_view json);

// The name of one element of a list: Rules → Rule, Addresses → Address, Policies → Policy; Status is not changed.
[[nodiscard]] std::string singular(std::string_view plural);

// The name of one value of an enumeration: "ReadOnlyMany" → read_only_many, "s/mime" → s_mime, "*" → any, "" → empty,
// "+" → plus.
[[nodiscard]] std::string enumerator(std::string_view value);

// Returns whether `text` is the name of a namespace, such as "acme::operators".
[[nodiscard]] bool is_namespace(std::string_view text);

// Returns a string literal of C++.
[[nodiscard]] std::string literal(std::string_view text);
// Like literal(), but as a raw literal, R"(…)", if that is easier to read.
[[nodiscard]] std::string raw_literal(std::string_view text);

}  // namespace pintle::tools
