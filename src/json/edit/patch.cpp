// SPDX-License-Identifier: Apache-2.0
// Applies JSON patches and merge patches, and builds JSON patches from single operations. Patches are computed in
// diff.cpp.
#include <pintle/json/patch.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <pintle/json/pointer.hpp>

#include "extent.hpp"

namespace pintle::json {

Extent extent_of(const Value& value) {
  Extent extent;
  const auto include = [&extent](const Value& child) {
    const Extent inner = extent_of(child);
    extent.bytes += inner.bytes;
    extent.depth = std::max(extent.depth, inner.depth);
  };
  if (const auto* members = value.if_object()) {
    for (const auto& member : *members) {
      extent.bytes += member.key().size();
      include(member.value());
    }
  } else if (const auto* elements = value.if_array()) {
    for (const Value& element : *elements) include(element);
  } else {
    if (const auto* text = value.if_string()) extent.bytes += text->size();
    return extent;
  }
  ++extent.depth;
  return extent;
}

bool is_shallow(std::string_view pointer, const Value& value) {
  const auto above = static_cast<std::size_t>(std::count(pointer.begin(), pointer.end(), '/'));
  return above + extent_of(value).depth <= max_depth;
}

namespace {

object operation(std::string_view op, std::string_view pointer) { return object{{"op", op}, {"path", pointer}}; }

Error error(PatchError kind, std::string message) {
  static constexpr const char* reasons[] = {"malformed", "missing_path", "test_failed"};
  Error error = make_error(ErrorCode::invalid, std::move(message));
  error.reason = reasons[static_cast<int>(kind)];
  return error;
}

Error missing(std::string_view pointer) {
  return error(PatchError::missing_path, "the path \"" + std::string(pointer) + "\" does not exist");
}

bool is_pointer(std::string_view text) { return text.empty() || text.front() == '/'; }

std::optional<std::string_view> text_member(const object& operation, std::string_view name) {
  const Value* value = operation.if_contains(name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string());
}

std::string_view parent_of(std::string_view pointer) { return pointer.substr(0, pointer.rfind('/')); }
std::string_view last_of(std::string_view pointer) { return pointer.substr(pointer.rfind('/') + 1); }

Error too_deep() {
  return error(PatchError::malformed,
               "the result would be nested deeper than " + std::to_string(max_depth) + " levels");
}

// RFC 6902 add: the parent must exist. In a list, the value is inserted before the element at this index.
Result<void> add_at(Value& target, std::string_view pointer, Value value) {
  if (!is_shallow(pointer, value)) return too_deep();
  if (pointer.empty()) {
    target = std::move(value);
    return {};
  }
  Value* parent = find(target, parent_of(pointer));
  if (parent == nullptr) return missing(parent_of(pointer));
  const std::string_view token = last_of(pointer);
  if (auto* members = parent->if_object()) {
    (*members)[unescape_token(token)] = std::move(value);
    return {};
  }
  auto* elements = parent->if_array();
  if (elements == nullptr) return missing(pointer);
  if (token == "-" || token == std::to_string(elements->size())) {
    elements->push_back(std::move(value));
    return {};
  }
  const Value* place = find(target, pointer);
  if (place == nullptr) return missing(pointer);
  elements->insert(elements->begin() + (place - elements->data()), std::move(value));
  return {};
}

Result<void> remove_at(Value& target, std::string_view pointer) {
  if (pointer.empty()) return error(PatchError::malformed, "the whole document cannot be removed");
  if (!erase(target, pointer)) return missing(pointer);
  return {};
}

Result<void> move_or_copy(Value& target, std::string_view from, std::string_view pointer, bool is_move,
                          std::size_t& copied) {
  Value* source = find(target, from);
  if (source == nullptr) return missing(from);
  if (!is_move) {
    if ((copied += extent_of(*source).bytes) > max_bytes_copied) {
      return error(PatchError::malformed, "the copy operations of the patch add more than 16 MiB");
    }
    return add_at(target, pointer, *source);
  }
  if (from == pointer) return {};
  if (pointer.starts_with(from) && pointer.substr(from.size()).starts_with('/')) {
    return error(PatchError::malformed, "\"" + std::string(from) + "\" cannot be moved into itself");
  }
  Value value(std::move(*source));
  if (auto removed = remove_at(target, from); !removed) return removed;
  return add_at(target, pointer, std::move(value));
}

Result<void> apply_with_value(Value& target, std::string_view op, std::string_view pointer, const Value& value) {
  if (op == "add") return add_at(target, pointer, value);
  Value* place = find(target, pointer);
  if (op == "replace") {
    if (place == nullptr) return missing(pointer);
    if (!is_shallow(pointer, value)) return too_deep();
    *place = value;
    return {};
  }
  if (place != nullptr && equal(*place, value)) return {};
  return error(PatchError::test_failed, place == nullptr
                                            ? "the path \"" + std::string(pointer) + "\" does not exist"
                                            : "the value is " + print(*place) + ", expected " + print(value));
}

Result<void> apply_one(Value& target, const object& operation, std::string_view op, std::string_view pointer,
                       std::size_t& copied) {
  if (op == "remove") return remove_at(target, pointer);
  if (op == "move" || op == "copy") {
    const auto from = text_member(operation, "from");
    if (!from || !is_pointer(*from)) return error(PatchError::malformed, "\"from\" must be a JSON pointer");
    return move_or_copy(target, *from, pointer, op == "move", copied);
  }
  if (op == "add" || op == "replace" || op == "test") {
    const Value* value = operation.if_contains("value");
    if (value == nullptr) return error(PatchError::malformed, "\"value\" is missing");
    return apply_with_value(target, op, pointer, *value);
  }
  return error(PatchError::malformed, "\"op\" must be add, remove, replace, move, copy or test");
}

Result<void> apply_operation(Value& target, const Value& operation, std::size_t& copied) {
  if (!operation.is_object()) return error(PatchError::malformed, "the operation must be an object");
  const auto op = text_member(operation.get_object(), "op");
  if (!op) return error(PatchError::malformed, "\"op\" must be a string");
  const auto pointer = text_member(operation.get_object(), "path");
  if (!pointer || !is_pointer(*pointer)) return error(PatchError::malformed, "\"path\" must be a JSON pointer");
  auto done = apply_one(target, operation.get_object(), *op, *pointer, copied);
  if (!done) done.error().message = std::string(*op) + " \"" + std::string(*pointer) + "\": " + done.error().message;
  return done;
}

}  // namespace

Patch& Patch::add(std::string_view pointer, Value value) {
  operations.emplace_back(operation("add", pointer)).get_object()["value"] = std::move(value);
  return *this;
}

Patch& Patch::remove(std::string_view pointer) {
  operations.emplace_back(operation("remove", pointer));
  return *this;
}

Patch& Patch::replace(std::string_view pointer, Value value) {
  operations.emplace_back(operation("replace", pointer)).get_object()["value"] = std::move(value);
  return *this;
}

Patch& Patch::move(std::string_view from, std::string_view pointer) {
  operations.emplace_back(operation("move", pointer)).get_object()["from"] = from;
  return *this;
}

Patch& Patch::copy(std::string_view from, std::string_view pointer) {
  operations.emplace_back(operation("copy", pointer)).get_object()["from"] = from;
  return *this;
}

Patch& Patch::test(std::string_view pointer, Value value) {
  operations.emplace_back(operation("test", pointer)).get_object()["value"] = std::move(value);
  return *this;
}

Result<void> apply_patch(Value& target, const array& operations) {
  Value changed(target);
  std::size_t copied = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (auto done = apply_operation(changed, operations[i], copied); !done) {
      done.error().causes = {{.message = done.error().message, .field = std::to_string(i)}};
      done.error().message = "patch operation " + std::to_string(i) + ": " + done.error().message;
      return done;
    }
  }
  target = std::move(changed);
  return {};
}

void apply_merge_patch(Value& target, const Value& patch) {
  const object* changes = patch.if_object();
  if (changes == nullptr) {
    target = patch;
    return;
  }
  if (!target.is_object()) target.emplace_object();
  object& members = target.get_object();
  for (const auto& [key, change] : *changes) {
    if (change.is_null()) {
      members.stable_erase(key);
    } else {
      apply_merge_patch(members[key], change);
    }
  }
}

}  // namespace pintle::json
