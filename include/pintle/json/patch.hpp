// Patches: RFC 6902 (a list of operations) and RFC 7386 (merge), applied and computed.
#pragma once

#include <initializer_list>
#include <string>

#include <pintle/json/value.hpp>

namespace pintle::json {

// A JSON patch. `json::Patch{}.test("/metadata/resourceVersion", "5").replace("/spec/size", 3)`.
struct Patch {
  array operations{};

  Patch& add(std::string_view pointer, Value value);
  Patch& remove(std::string_view pointer);
  Patch& replace(std::string_view pointer, Value value);
  Patch& move(std::string_view from, std::string_view pointer);
  Patch& copy(std::string_view from, std::string_view pointer);
  Patch& test(std::string_view pointer, Value value);
  [[nodiscard]] bool empty() const noexcept { return operations.empty(); }
};

// Why a JSON patch did not apply.
enum class PatchFault { malformed, missing_path, test_failed };

// Applies a JSON patch, all or nothing. Error: invalid, saying which operation and why; Error::reason is "malformed",
// "missing_path" or "test_failed".
[[nodiscard]] Result<void> apply_patch(Value& target, const array& operations);

// The operations that turn `from` into `to` (add, remove, replace; lists index by index, whole where that is shorter).
[[nodiscard]] Patch diff(const Value& from, const Value& to);

// Applies a merge patch: null removes, objects merge, everything else replaces.
void apply_merge_patch(Value& target, const Value& patch);

// The merge patch that turns `from` into `to`; an empty object when they are equal. A null inside `to` cannot be
// expressed.
[[nodiscard]] Value merge_diff(const Value& from, const Value& to);

}  // namespace pintle::json
