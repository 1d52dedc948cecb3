// SPDX-License-Identifier: Apache-2.0
// The client's parser of label selectors (LabelSelector::parse) accepts the same texts, but has other messages.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "selector_text.hpp"

namespace pintle::apiserver {
namespace {

using Requirement = LabelSelector::Requirement;
using Operator = Requirement::Operator;

template <class T>
using OrText = tl::expected<T, std::string>;

tl::unexpected<std::string> refuse_text(std::string text) { return tl::unexpected<std::string>(std::move(text)); }

// "found 'b', expected: …"; one message has no comma.
tl::unexpected<std::string> found(std::string_view token, std::string_view expected) {
  return refuse_text(fmt::format("found '{}', expected: {}", token, expected));
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_special(char c) { return std::string_view("=!(),<>").find(c) != std::string_view::npos; }

// Splits a text into symbols and words. The last token is empty.
std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    std::size_t length = 0;
    if (text.starts_with("==") || text.starts_with("!=")) {
      length = 2;
    } else if (!text.empty() && is_special(text.front())) {
      length = 1;
    } else {
      while (length < text.size() && !is_space(text[length]) && !is_special(text[length])) ++length;
    }
    out.push_back(text.substr(0, length));
    if (length == 0) return out;
    text.remove_prefix(length);
  }
}

bool is_word(std::string_view token) { return !token.empty() && !is_special(token.front()); }

bool is_number(std::string_view text) {
  std::int64_t number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

// "values[0]: Invalid value: "a": …".
std::string field_error(std::string field, std::string_view value, std::string_view why) {
  const StatusCause cause = invalid_value(std::move(field), json::Value(value), why);
  return fmt::format("{}: {}", cause.field, cause.message);
}

// Checks the values; several errors are a list.
OrText<Requirement> checked(Requirement requirement) {
  std::vector<std::string> errors;
  const bool compares = requirement.op == Operator::greater_than || requirement.op == Operator::less_than;
  std::size_t i = 0;
  for (const std::string& value : requirement.values) {
    if (compares && !is_number(value)) {
      errors.push_back(
          field_error(fmt::format("values[{}]", i), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
    ++i;
  }
  i = 0;
  for (const std::string& value : requirement.values) {
    const TextErrors wrong = label_value_errors(value);
    if (!wrong.empty()) {
      errors.push_back(field_error(fmt::format("values[{}][{}]", i, requirement.key), value,
                                   fmt::format("{}", fmt::join(wrong, "; "))));
    }
    ++i;
  }
  if (errors.empty()) return requirement;
  if (errors.size() == 1) return refuse_text(std::move(errors.front()));
  return refuse_text(fmt::format("[{}]", fmt::join(errors, ", ")));
}

class LabelQuery {
 public:
  explicit LabelQuery(std::string_view text) : tokens_(tokens_of(text)) {}

  OrText<LabelSelector> parse() {
    LabelSelector out;
    while (!next().empty()) {
      if (!is_word(next()) && next() != "!") return found(next(), "!, identifier, or 'end of string'");
      auto requirement = parse_requirement();
      if (!requirement) return refuse_text("unable to parse requirement: " + requirement.error());
      out.requirements.push_back(std::move(*requirement));
      const std::string_view end = take();
      if (end.empty()) break;
      if (end != ",") return found(end, "',' or 'end of string'");
      if (!is_word(next()) && next() != "!") return found(next(), "identifier after ','");
    }
    return out;
  }

 private:
  [[nodiscard]] std::string_view next() const { return tokens_[at_]; }
  std::string_view take() {
    const std::string_view token = tokens_[at_];
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }

  OrText<Requirement> parse_requirement() {
    Requirement out;
    std::string_view key = take();
    if (key == "!") {
      out.op = Operator::does_not_exist;
      key = take();
    }
    if (!is_word(key)) return found(key, "identifier");
    const TextErrors wrong = label_key_errors(key);
    // No field contains a query; the server prints the missing path.
    if (!wrong.empty()) return refuse_text(field_error("<nil>", key, fmt::format("{}", fmt::join(wrong, "; "))));
    out.key = key;
    if (out.op == Operator::does_not_exist || next().empty() || next() == ",") return out;
    if (auto parsed = parse_condition(out); !parsed) return refuse_text(std::move(parsed.error()));
    std::sort(out.values.begin(), out.values.end());
    out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
    return checked(std::move(out));
  }

  OrText<void> parse_condition(Requirement& out) {
    static constexpr std::pair<std::string_view, Operator> operators[] = {
        {"=", Operator::in},         {"==", Operator::in},          {"!=", Operator::not_in},  {"in", Operator::in},
        {"notin", Operator::not_in}, {">", Operator::greater_than}, {"<", Operator::less_than}};
    const std::string_view given = take();
    const auto* known =
        std::find_if(std::begin(operators), std::end(operators), [&](const auto& one) { return one.first == given; });
    if (known == std::end(operators)) return found(given, "in, notin, =, ==, !=, gt, lt");
    out.op = known->second;
    if (given == "in" || given == "notin") return parse_set(out.values);
    if (next().empty() || next() == ",") {
      out.values.emplace_back();
      return {};
    }
    const std::string_view value = take();
    if (!is_word(value)) return found(value, "identifier");
    out.values.emplace_back(value);
    return {};
  }

  OrText<void> parse_set(std::vector<std::string>& values) {
    const std::string_view open = take();
    if (open != "(") return refuse_text(fmt::format("found '{}' expected: '('", open));
    if (next() == ")") {
      take();
      values.emplace_back();  // "()" contains an empty value
      return {};
    }
    if (!is_word(next()) && next() != ",") return found(next(), "',', ')' or identifier");
    return parse_values(values);
  }

  // Reads up to the closing parenthesis. A value between two commas may be empty.
  OrText<void> parse_values(std::vector<std::string>& values) {
    while (true) {
      const std::string_view token = take();
      if (is_word(token)) {
        values.emplace_back(token);
        if (next() == ")") break;
        if (next() != ",") return found(next(), "',' or ')'");
      } else if (token == ",") {
        if (values.empty() || next() == ")" || next() == ",") values.emplace_back();
        if (next() == ")") break;
      } else {
        return found(token, "',', or identifier");
      }
    }
    take();
    return {};
  }

  std::vector<std::string_view> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

tl::expected<LabelSelector, std::string> parse_label_selector(std::string_view text) {
  return LabelQuery(text).parse();
}

}  // namespace pintle::apiserver
