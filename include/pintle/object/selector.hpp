// SPDX-License-Identifier: Apache-2.0
// Selectors: select the objects of a list or watch by labels or by fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

namespace pintle {

/// A label selector, "app=web,tier in (a,b),!legacy". A plain value.
class PINTLE_EXPORT LabelSelector {
 public:
  struct Requirement {
    enum class Operator { in, not_in, exists, does_not_exist, greater_than, less_than };
    std::string key{};
    Operator op = Operator::exists;
    std::vector<std::string> values{};
  };

  LabelSelector() = default;  ///< selects all objects
  /// Parses the text form, as in the query parameter labelSelector. Error: invalid; the message names the wrong part.
  [[nodiscard]] static Result<LabelSelector> parse(std::string_view text);
  /// Reads the JSON form, {matchLabels, matchExpressions}. Error: invalid.
  [[nodiscard]] static Result<LabelSelector> from_json(json::View selector);

  [[nodiscard]] bool matches(json::View labels) const noexcept;  ///< `labels`: metadata.labels, or missing
  [[nodiscard]] bool empty() const noexcept { return requirements.empty(); }
  [[nodiscard]] std::string to_string() const;

  std::vector<Requirement> requirements{};
};

/// A field selector, "metadata.name=a,status.phase!=Running". A plain value.
class PINTLE_EXPORT FieldSelector {
 public:
  struct Requirement {
    std::string path{};  ///< "metadata.name"
    bool equal = true;
    std::string value{};
  };

  FieldSelector() = default;
  [[nodiscard]] static Result<FieldSelector> parse(std::string_view text);

  /// A missing field has the value "".
  [[nodiscard]] bool matches(json::View object) const;
  [[nodiscard]] bool empty() const noexcept { return requirements.empty(); }
  [[nodiscard]] std::string to_string() const;

  std::vector<Requirement> requirements{};
};

}  // namespace pintle
