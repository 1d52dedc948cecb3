// SPDX-License-Identifier: Apache-2.0
// Functions of regular expressions, in the syntax of RE2.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <re2/re2.h>

#include <pintle/base/result.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/library/cost.hpp"
#include "cel/library/declare.hpp"
#include "cel/library/pattern.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

// The matches of a pattern from left to right. An empty match directly behind another match does not count.
class Matches {
 public:
  Matches(std::string_view text, const RE2& pattern) noexcept : text_(text), pattern_(pattern) {}

  // Returns false if there is no further match.
  bool next(std::string_view& match) {
    while (from_ <= text_.size()) {
      re2::StringPiece found;
      const re2::StringPiece text(text_.data(), text_.size());
      if (!pattern_.Match(text, from_, text_.size(), RE2::UNANCHORED, &found, 1)) break;
      const auto start = static_cast<std::size_t>(found.data() - text_.data());
      const auto end = start + found.size();
      const bool is_behind_match = found.empty() && has_match_ && start == last_end_;
      from_ = !found.empty() ? end : end < text_.size() ? end + step_at(end) : end + 1;
      if (is_behind_match) continue;
      has_match_ = true;
      last_end_ = end;
      match = text_.substr(start, end - start);
      return true;
    }
    from_ = text_.size() + 1;
    return false;
  }

 private:
  [[nodiscard]] std::size_t step_at(std::size_t place) const {
    return std::max<std::size_t>(1, utf8_length(text_.substr(place)));
  }

  std::string_view text_;
  const RE2& pattern_;
  std::size_t from_ = 0;
  std::size_t last_end_ = 0;
  bool has_match_ = false;
};

RE2 compile_pattern(std::string_view pattern) {
  return RE2(re2::StringPiece(pattern.data(), pattern.size()), RE2::Quiet);
}

Result<Value> find_match(Arguments arguments) {
  const RE2 pattern = compile_pattern(*arguments[1].as_string());
  if (!pattern.ok()) return failure("Illegal regex: " + describe_pattern_error(pattern));
  std::string_view match;
  (void)Matches(*arguments[0].as_string(), pattern).next(match);
  return Value::string(std::string(match));
}

Result<Value> find_matches(Arguments arguments) {
  const RE2 pattern = compile_pattern(*arguments[1].as_string());
  if (!pattern.ok()) return failure("Illegal regex: " + describe_pattern_error(pattern));
  const auto limit = arguments.size() == 3 ? *arguments[2].as_integer() : -1;
  std::vector<Value> found;
  Matches matches(*arguments[0].as_string(), pattern);
  for (std::string_view match; (limit < 0 || std::cmp_less(found.size(), limit)) && matches.next(match);) {
    if (found.size() >= longest_list) return failure("the result of findAll() is too long");
    found.push_back(Value::string(std::string(match)));
  }
  return Value::list(std::move(found));
}

std::uint64_t cost_of_find(Arguments arguments, const Value& /*result*/) { return cost_of_match(arguments); }

}  // namespace

Library regex_library() {
  const auto string = Type::string();
  const auto texts = Type::list(string);
  return {.functions = {{"find", {member({string, string}, string, find_match, cost_of_find)}},
                        {"findAll",
                         {member({string, string}, texts, find_matches, cost_of_find),
                          member({string, string, Type::integer()}, texts, find_matches, cost_of_find)}}}};
}

}  // namespace pintle::cel
