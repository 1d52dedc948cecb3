// SPDX-License-Identifier: Apache-2.0
// Place: where in an object a check is. It is turned into text only if a message needs it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle::apiserver {

// Limits for the messages about unknown and duplicate fields, because a body can contain very many of them, each below
// a very long name.
inline constexpr std::size_t max_field_errors = 100;  // as kube-apiserver
inline constexpr std::size_t max_shown_path = 1024;

// One step below a parent place. The parent and the name must outlive it. A plain value.
class Place {
 public:
  Place() = default;  // the object itself
  Place(const Place& parent, std::string_view name) : parent_(&parent), name_(name) {}
  Place(const Place& parent, std::size_t index) : parent_(&parent), index_(index), is_item_(true) {}

  // Returns "spec.containers[0].image"; "" for the object itself.
  [[nodiscard]] std::string print() const;
  // The same, but at most about `limit` bytes: "spec.contain...".
  [[nodiscard]] std::string print(std::size_t limit) const;

 private:
  void append_to(std::string& out, std::size_t limit) const;

  const Place* parent_ = nullptr;
  std::string_view name_{};
  std::size_t index_ = 0;
  bool is_item_ = false;
};

}  // namespace pintle::apiserver
