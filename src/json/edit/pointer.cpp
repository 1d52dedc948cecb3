// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/pointer.hpp>

#include <charconv>

#include "json/text/tokens.hpp"

namespace pintle::json {

bool next_token(std::string_view& rest, std::string_view& token) {
  if (rest.empty() || rest.front() != '/') return false;
  rest.remove_prefix(1);
  token = rest.substr(0, rest.find('/'));
  rest.remove_prefix(token.size());
  return true;
}

std::optional<std::size_t> index_of(std::string_view token) {
  if (token.empty() || (token.size() > 1 && token.front() == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc{} || end != token.data() + token.size()) return std::nullopt;
  return index;
}

namespace {

Value* step(Value& value, std::string_view token) {
  if (auto* members = value.if_object()) {
    return token.find('~') == std::string_view::npos ? members->if_contains(token)
                                                     : members->if_contains(unescape_token(token));
  }
  auto* elements = value.if_array();
  const auto index = elements == nullptr ? std::nullopt : index_of(token);
  return index ? elements->if_contains(*index) : nullptr;
}

// Returns the child with this token, and creates it if necessary. A null becomes an object. Returns null for a
// primitive or an array that cannot have such an element.
Value* step_or_make(Value& value, std::string_view token) {
  if (value.is_null()) value.emplace_object();
  if (auto* members = value.if_object()) return &(*members)[unescape_token(token)];
  auto* elements = value.if_array();
  if (elements == nullptr) return nullptr;
  const auto index = token == "-" ? elements->size() : index_of(token);
  if (!index || *index > elements->size()) return nullptr;
  if (*index == elements->size()) elements->emplace_back(nullptr);
  return &(*elements)[*index];
}

}  // namespace

std::string escape_token(std::string_view token) {
  std::string out;
  out.reserve(token.size());
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescape_token(std::string_view token) {
  std::string out;
  out.reserve(token.size());
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escaped = token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    out += escaped ? (token[i + 1] == '0' ? '~' : '/') : token[i];
    if (escaped) ++i;
  }
  return out;
}

Result<std::vector<std::string>> split_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (!pointer.empty() && pointer.front() != '/') {
    return fail(ErrorCode::invalid, "JSON pointer \"" + std::string(pointer) + "\" does not start with \"/\"");
  }
  std::string_view token;
  while (next_token(pointer, token)) tokens.push_back(unescape_token(token));
  return tokens;
}

Value* find(Value& value, std::string_view pointer) noexcept {
  Value* place = &value;
  std::string_view token;
  while (place != nullptr && next_token(pointer, token)) place = step(*place, token);
  return pointer.empty() ? place : nullptr;
}

const Value* find(const Value& value, std::string_view pointer) noexcept {
  // find() does not change the value.
  return find(const_cast<Value&>(value), pointer);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

Result<void> set(Value& value, std::string_view pointer, Value what) {
  if (auto tokens = split_pointer(pointer); !tokens) return fail(std::move(tokens.error()));
  Value* place = &value;
  std::string_view rest = pointer;
  std::string_view token;
  while (next_token(rest, token)) {
    place = step_or_make(*place, token);
    if (place == nullptr) {
      const std::string_view at = pointer.substr(0, pointer.size() - rest.size());
      return fail(ErrorCode::invalid, "cannot set \"" + std::string(pointer) + "\": the parent of \"" +
                                          std::string(at) + "\" is neither an object nor a list with this index");
    }
  }
  *place = std::move(what);
  return {};
}

bool erase(Value& value, std::string_view pointer) {
  const std::size_t cut = pointer.rfind('/');
  if (cut == std::string_view::npos) return false;
  Value* parent = find(value, pointer.substr(0, cut));
  if (parent == nullptr) return false;
  const std::string_view token = pointer.substr(cut + 1);
  if (auto* members = parent->if_object()) {
    const auto found = members->find(unescape_token(token));
    if (found == members->end()) return false;
    members->stable_erase(found);
    return true;
  }
  auto* elements = parent->if_array();
  const auto index = elements == nullptr ? std::nullopt : index_of(token);
  if (!index || *index >= elements->size()) return false;
  elements->erase(elements->begin() + static_cast<std::ptrdiff_t>(*index));
  return true;
}

}  // namespace pintle::json
