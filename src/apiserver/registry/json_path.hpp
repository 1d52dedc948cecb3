// SPDX-License-Identifier: Apache-2.0
// The JSONPath of printer columns: .spec.replicas, .metadata.annotations['a/b'], .items[0].name,
// .status.conditions[?(@.type=="Ready")].status.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// A parsed path. A plain value.
class JsonPath {
 public:
  JsonPath() = default;
  // Error: invalid, if the text has none of the forms above.
  [[nodiscard]] static Result<JsonPath> parse(std::string_view text);

  // Returns the first place that matches, or a missing view.
  [[nodiscard]] json::View first(json::View from) const { return find(from, 0); }

 private:
  struct Step {
    enum class Kind { member, index, any, filter } kind = Kind::member;
    std::string name{};               // the member's name
    std::int64_t index = 0;           // negative: counted from the end
    std::vector<Step> filter_path{};  // of a filter: the path below the item
    std::string filter_value{};
  };

  [[nodiscard]] json::View find(json::View from, std::size_t step) const;
  static Result<std::vector<Step>> parse_steps(std::string_view& text);
  static Result<Step> parse_bracket(std::string_view& text);

  std::vector<Step> steps_;
};

}  // namespace pintle::apiserver
