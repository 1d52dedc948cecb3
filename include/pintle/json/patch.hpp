// SPDX-License-Identifier: Apache-2.0
// JSON patches (RFC 6902, a list of operations) and merge patches (RFC 7386): apply and compute them.
#pragma once

#include <initializer_list>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

/// A JSON patch: `json::Patch{}.test("/metadata/resourceVersion", "5").replace("/spec/size", 3)`.
struct PINTLE_EXPORT Patch {
  array operations{};

  Patch& add(std::string_view pointer, Value value);
  Patch& remove(std::string_view pointer);
  Patch& replace(std::string_view pointer, Value value);
  Patch& move(std::string_view from, std::string_view pointer);
  Patch& copy(std::string_view from, std::string_view pointer);
  Patch& test(std::string_view pointer, Value value);
  [[nodiscard]] bool empty() const noexcept { return operations.empty(); }
};

/// The reason why a JSON patch failed.
enum class PatchError { malformed, missing_path, test_failed };

/// Applies a JSON patch completely or not at all. Error: invalid; the message names the operation and the reason.
/// Error::reason is "malformed", "missing_path" or "test_failed", and the field of Error::causes[0] is the index of the
/// operation.
[[nodiscard]] PINTLE_EXPORT Result<void> apply_patch(Value& target, const array& operations);

/// Returns the operations (add, remove, replace) that turn `from` into `to`. Arrays are compared by index; an array is
/// replaced as a whole if that makes the patch shorter.
[[nodiscard]] PINTLE_EXPORT Patch diff(const Value& from, const Value& to);

/// Applies a merge patch: null removes a member, an object is merged, and any other value replaces the old value.
PINTLE_EXPORT void apply_merge_patch(Value& target, const Value& patch);

/// Returns the merge patch that turns `from` into `to`, or an empty object if they are equal. A merge patch cannot
/// express a null inside `to`.
[[nodiscard]] PINTLE_EXPORT Value create_merge_patch(const Value& from, const Value& to);

}  // namespace pintle::json
