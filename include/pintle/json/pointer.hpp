// JSON pointers (RFC 6901) on values: find, set, erase.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>

namespace pintle::json {

// One reference token as it stands in a pointer: "~" and "/" escaped.
[[nodiscard]] std::string escape_token(std::string_view token);
[[nodiscard]] std::string unescape_token(std::string_view token);
// "/metadata/labels/a~1b" → {"metadata", "labels", "a/b"}; "" → {}. Error: invalid when it does not start with "/".
[[nodiscard]] Result<std::vector<std::string>> split_pointer(std::string_view pointer);

// The value a pointer names, or null where there is none or the pointer is malformed. "" names the whole.
[[nodiscard]] const Value* find(const Value& value, std::string_view pointer) noexcept;
[[nodiscard]] Value* find(Value& value, std::string_view pointer) noexcept;

// Puts a value at a pointer, making the objects on the way. Error: invalid where something on the way is neither object
// nor list.
[[nodiscard]] Result<void> set(Value& value, std::string_view pointer, Value what);
// Takes a member or element away; whether there was one.
bool erase(Value& value, std::string_view pointer);

}  // namespace pintle::json
