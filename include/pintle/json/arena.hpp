// SPDX-License-Identifier: Apache-2.0
// json::Arena: an arena for a task that creates many values and frees all of them together.
#pragma once

#include <array>
#include <cstddef>

#include <boost/json/monotonic_resource.hpp>

#include <pintle/base/annotations.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

/// Frees memory only when it is destroyed, so its memory only grows. Do not use it for work that a peer can prolong
/// without limit. Its values must not outlive it. Moving a value within one arena is cheap; moving it elsewhere copies
/// it. Not thread-safe.
class Arena {
 public:
  Arena() : resource_(first_.data(), first_.size()) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] boost::json::storage_ptr storage() noexcept { return &resource_; }

 private:
  std::array<unsigned char, std::size_t{4} << 10U> first_;  // NOLINT(*-member-init): memory for later values
  boost::json::monotonic_resource resource_;
};

/// As parse(), with the value in `memory`.
[[nodiscard]] PINTLE_EXPORT Result<Value> parse(std::string_view text, Arena& memory);
/// As View::to_value(), with the value in `memory`.
[[nodiscard]] PINTLE_EXPORT Value to_value(View view, Arena& memory);

}  // namespace pintle::json
