// SPDX-License-Identifier: Apache-2.0
#include "undecodable.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t max_shown_bytes = 30;

// The type into which kube-apiserver reads the kind of a body.
constexpr std::string_view type_struct =
    R"(struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })";

std::string_view body_value_type(const json::Value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_array()) return "array";
  return value.is_object() ? "object" : "number";
}

// The begin of a body: an object as it is, another text as hexadecimal digits.
std::string summary(std::string_view text) {
  if (text.empty()) return "<empty>";
  const std::string_view begin = text.substr(0, max_shown_bytes);
  std::string out;
  if (text.front() == '{') {
    out = sanitize_utf8(begin);
  } else {
    for (const char c : begin) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return begin.size() < text.size() ? out + " ..." : out;
}

}  // namespace

Refusal unrecognized(std::string_view kind, std::string_view why, std::string_view text) {
  if (kind.empty()) return bad_request(std::string(why));
  return bad_request(
      fmt::format("the object provided is unrecognized (must be of type {}): {} ({})", kind, why, summary(text)));
}

std::string not_a_go_value(const json::Value& value, std::string_view type) {
  return fmt::format("json: cannot unmarshal {} into Go value of type {}", body_value_type(value), type);
}

std::string type_error(const json::Value& body) {
  constexpr std::string_view begin = "couldn't get version/kind; json parse error: ";
  if (body.is_null()) return {};
  if (!body.is_object()) return fmt::format("{}{}", begin, not_a_go_value(body, type_struct));
  for (const auto& [name, value] : body.get_object()) {
    if ((name != "apiVersion" && name != "kind") || value.is_string() || value.is_null()) continue;
    return fmt::format("{}json: cannot unmarshal {} into Go struct field .{} of type string", begin,
                       body_value_type(value), std::string_view(name));
  }
  const std::string_view api_version = text_at(body, "/apiVersion");
  if (std::count(api_version.begin(), api_version.end(), '/') < 2) return {};
  return fmt::format("unexpected GroupVersion string: {}", api_version);
}

}  // namespace pintle::apiserver
