// SPDX-License-Identifier: Apache-2.0
#include "label_rules.hpp"

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"
#include "name_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::size_t max_size_of_annotations = std::size_t{256} << 10U;

void validate_label_requirement(View requirement, const std::string& field, std::vector<StatusCause>& causes) {
  const std::string_view op = requirement.member("operator").text();
  const View values = requirement.member("values");
  const std::string at = field + ".values";
  if (op == "In" || op == "NotIn") {
    if (values.empty()) causes.push_back(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (op != "Exists" && op != "DoesNotExist") {
    causes.push_back(invalid_value(field + ".operator", Value(op), "not a valid selector operator"));
  } else if (!values.empty()) {
    causes.push_back(forbidden_field(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
  const std::string_view key = requirement.member("key").text();
  add_errors(field + ".key", key, label_key_errors(key), causes);
  std::size_t i = 0;
  for (const View value : values.elements()) {
    add_errors(fmt::format("{}[{}]", at, i++), value.text(), label_value_errors(value.text()), causes);
  }
}

}  // namespace

void validate_labels(View labels, const std::string& field, std::vector<StatusCause>& causes) {
  for (const auto [key, value] : labels.members()) {
    add_errors(field, key, label_key_errors(key), causes);
    add_errors(field, value.text(), label_value_errors(value.text()), causes);
  }
}

void validate_annotations(View annotations, const std::string& field, std::vector<StatusCause>& causes) {
  std::size_t size = 0;
  for (const auto [key, value] : annotations.members()) {
    size += key.size() + value.text().size();
    add_errors(field, key, label_key_errors(to_lower_ascii(key)), causes);
  }
  if (size <= max_size_of_annotations) return;
  causes.push_back({.reason = "FieldValueTooLong",
                    .message = fmt::format("Too long: may not be more than {} bytes", max_size_of_annotations),
                    .field = field});
}

void validate_selector(View selector, const std::string& field, std::vector<StatusCause>& causes) {
  validate_labels(selector.member("matchLabels"), field + ".matchLabels", causes);
  std::size_t i = 0;
  for (const View requirement : selector.member("matchExpressions").elements()) {
    validate_label_requirement(requirement, fmt::format("{}.matchExpressions[{}]", field, i++), causes);
  }
}

}  // namespace pintle::apiserver
