// Names of C++ from names of JSON.
#pragma once

#include <string>
#include <string_view>

namespace pintle::tools {

// The namespace of the types of Kubernetes' own kinds.
inline constexpr std::string_view builtin_root = "pintle::api";

// "clusterIPs" → cluster_ips, "openAPIV3Schema" → open_api_v3_schema, "x-kubernetes-map-type" → x_kubernetes_map_type.
// A keyword of C++ gets an underscore behind it, what starts with a digit one before it. "" when no letter or digit is
// in it.
[[nodiscard]] std::string snake_case(std::string_view json);

// For types: "accessModes" → AccessModes, "x-map-type" → XMapType, "5xx" → N5xx.
[[nodiscard]] std::string pascal_case(std::string_view json);

// Of one element of a list: Rules → Rule, Addresses → Address, Policies → Policy; Status stays.
[[nodiscard]] std::string singular(std::string_view plural);

// Of one value of an enumeration: "ReadOnlyMany" → read_only_many, "s/mime" → s_mime, "*" → any, "" → empty, "+" →
// plus.
[[nodiscard]] std::string enumerator(std::string_view value);

// As a literal of C++.
[[nodiscard]] std::string literal(std::string_view text);
// The same without escapes, R"(…)", where that reads better.
[[nodiscard]] std::string raw_literal(std::string_view text);

}  // namespace pintle::tools
