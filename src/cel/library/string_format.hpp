// SPDX-License-Identifier: Apache-2.0
// The function format(): its format strings, for evaluation and for the check of literals.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

// One "%.2f" in a format string.
struct FormatClause {
  char kind = 's';  // s d f e b x X o
  std::optional<int> precision{};
  std::size_t argument = 0;
};

// Called for each part of a format string: for the text between clauses, and for the clauses.
struct FormatVisitor {
  std::function<void(std::string_view text)> text{};
  std::function<Result<void>(const FormatClause& clause)> clause{};
  bool is_check =
      false;  // reports the end behind a "%" before a missing argument, as kube-apiserver does at compile time
};

// Visits the parts in order. Error: that of the visitor; or invalid, for a malformed clause or a missing argument.
[[nodiscard]] Result<void> visit_format(std::string_view format, std::size_t arguments, const FormatVisitor& visitor);

// The error for a value that a clause cannot format.
[[nodiscard]] std::string format_mismatch(char clause, std::string_view type_name);

// Error: invalid; the message is that of CEL.
[[nodiscard]] Result<std::string> format_text(std::string_view format, const List& arguments);

}  // namespace pintle::cel
