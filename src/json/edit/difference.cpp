// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/difference.hpp>

#include <pintle/json/pointer.hpp>

namespace pintle::json {

namespace {

class Comparison {
 public:
  explicit Comparison(std::size_t most) : max_pointers_(most) {}

  void compare(View before, View after, const std::string& at) {
    if (pointers_.size() >= max_pointers_ || before == after) return;
    if (before.is_object() && after.is_object()) {
      compare_members(before, after, at);
    } else if (before.is_array() && after.is_array() && before.size() == after.size()) {
      for (std::size_t i = 0; i < after.size(); ++i) {
        compare(before.element(i), after.element(i), at + "/" + std::to_string(i));
      }
    } else {
      pointers_.push_back(at);
    }
  }

  [[nodiscard]] std::vector<std::string> take() { return std::move(pointers_); }

 private:
  void compare_members(View before, View after, const std::string& at) {
    for (const auto [name, value] : after.members()) {
      compare(before.member(name), value, at + "/" + escape_token(name));
    }
    for (const auto [name, value] : before.members()) {
      if (after.member(name).exists() || pointers_.size() >= max_pointers_) continue;
      pointers_.push_back(at + "/" + escape_token(name));
    }
  }

  const std::size_t max_pointers_;
  std::vector<std::string> pointers_;
};

}  // namespace

std::vector<std::string> changed_pointers(View before, View after, std::size_t most) {
  Comparison comparison(most);
  comparison.compare(before, after, "");
  return comparison.take();
}

}  // namespace pintle::json
