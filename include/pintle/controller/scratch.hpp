// SPDX-License-Identifier: Apache-2.0
// Scratch: named values that the steps of one reconcile share.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/result.hpp>

namespace pintle {

/// A value can have any copyable type. It exists during one reconcile and is not visible to the next one. Prefer your
/// own struct, which the compiler can check.
class Scratch {
 public:
  /// Stores a value. It replaces an earlier value with the same key.
  template <class T>
  void set(std::string key, T value) {
    values_.insert_or_assign(std::move(key), std::any(std::move(value)));
  }

  /// Errors: not_found, "key KEY not found"; invalid, if the stored value has another type.
  template <class T>
  [[nodiscard]] Result<T> get(std::string_view key) const {
    const std::any* found = find(key);
    if (found == nullptr) return fail(ErrorCode::not_found, "key " + std::string(key) + " not found");
    if (const T* value = std::any_cast<T>(found)) return *value;
    return fail(ErrorCode::invalid,
                "key " + std::string(key) + " has a value of another type; request the type that was stored");
  }

  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }

 private:
  [[nodiscard]] const std::any* find(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }

  std::map<std::string, std::any, std::less<>> values_;
};

}  // namespace pintle
