// SPDX-License-Identifier: Apache-2.0
// IndexDefinition: how an index of a table derives values from objects.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/cache/index.hpp>

namespace pintle {

// Called with the error of an index function and the object. Several threads may call it at the same time.
using IndexErrorHandler = std::function<void(const std::string& index, const Object& object, const std::string& error)>;

// Immutable and thread-safe.
class IndexDefinition {
 public:
  // The function of the user.
  IndexDefinition(std::string name, IndexFunction keys, IndexErrorHandler on_error)
      : name_(std::move(name)), by_(By::function), keys_(std::move(keys)), on_error_(std::move(on_error)) {}
  // Returns a built-in index, or null if the name is not that of one.
  [[nodiscard]] static std::shared_ptr<const IndexDefinition> built_in(std::string_view name);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  using Hashes = std::vector<std::uint32_t>;  // ascending, without duplicates
  // Returns the hashes of the values of an object. An error is reported only if `reports`.
  [[nodiscard]] Hashes hashes_of(const Object& object, bool reports) const;
  // Returns whether an object has a value. Different values may have the same hash.
  [[nodiscard]] bool has(const Object& object, std::string_view value) const;
  [[nodiscard]] static std::uint32_t hash_of(std::string_view value) noexcept;

 private:
  enum class By { function, controller, owner, label };
  IndexDefinition(std::string name, By by, std::string label)
      : name_(std::move(name)), by_(by), label_(std::move(label)) {}

  // Calls `use` with each value of the object until it returns true.
  template <class Use>
  void for_each_value(const Object& object, bool reports, Use use) const;
  [[nodiscard]] std::vector<std::string> values_of(const Object& object, bool reports) const;

  const std::string name_;
  const By by_;
  const std::string label_{};
  const IndexFunction keys_{};
  const IndexErrorHandler on_error_{};
};

}  // namespace pintle
