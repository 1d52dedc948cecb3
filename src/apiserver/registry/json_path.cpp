// SPDX-License-Identifier: Apache-2.0
#include "json_path.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

// Removes a name up to a dot or bracket and returns it. A backslash escapes the next character.
std::string take_name(std::string_view& text) {
  std::string name;
  while (!text.empty() && text.front() != '.' && text.front() != '[') {
    if (text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
    name += text.front();
    text.remove_prefix(1);
  }
  return name;
}

std::optional<std::string> take_quoted(std::string_view& text) {
  if (text.empty() || (text.front() != '\'' && text.front() != '"')) return std::nullopt;
  const std::size_t end = text.find(text.front(), 1);
  if (end == std::string_view::npos) return std::nullopt;
  std::string out(text.substr(1, end - 1));
  text.remove_prefix(end + 1);
  return out;
}

}  // namespace

Result<JsonPath> JsonPath::parse(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('{') && rest.ends_with('}')) rest = rest.substr(1, rest.size() - 2);
  if (rest.starts_with('$')) rest.remove_prefix(1);
  auto steps = parse_steps(rest);
  if (!steps) return fail(ErrorCode::invalid, fmt::format("JSON path \"{}\": {}", text, steps.error().message));
  JsonPath path;
  path.steps_ = std::move(*steps);
  return path;
}

Result<std::vector<JsonPath::Step>> JsonPath::parse_steps(std::string_view& text) {
  std::vector<Step> steps;
  while (!text.empty()) {
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      if (text.starts_with('[')) continue;
      std::string name = take_name(text);
      if (name.empty()) return fail(ErrorCode::invalid, "a member has no name");
      Step step;
      if (name == "*") {
        step.kind = Step::Kind::any;
      } else {
        step.name = std::move(name);
      }
      steps.push_back(std::move(step));
    } else if (text.starts_with('[')) {
      text.remove_prefix(1);
      auto step = parse_bracket(text);
      if (!step) return fail(std::move(step.error()));
      steps.push_back(std::move(*step));
    } else {
      return fail(ErrorCode::invalid, "expected a dot or a bracket");
    }
  }
  return steps;
}

Result<JsonPath::Step> JsonPath::parse_bracket(std::string_view& text) {
  Step step;
  if (auto name = take_quoted(text)) {
    step.name = std::move(*name);
  } else if (text.starts_with("*")) {
    step.kind = Step::Kind::any;
    text.remove_prefix(1);
  } else if (text.starts_with("?(@")) {
    const std::size_t equals = text.find("==");
    if (equals == std::string_view::npos) return fail(ErrorCode::invalid, "a filter must compare with ==");
    std::string_view path = text.substr(3, equals - 3);
    while (path.ends_with(' ')) path.remove_suffix(1);
    auto steps = parse_steps(path);
    if (!steps) return fail(std::move(steps.error()));
    text.remove_prefix(equals + 2);
    while (text.starts_with(' ')) text.remove_prefix(1);
    auto value = take_quoted(text);
    if (!value || !text.starts_with(')')) return fail(ErrorCode::invalid, "a filter must compare with a quoted text");
    text.remove_prefix(1);
    step = {.kind = Step::Kind::filter, .filter_path = std::move(*steps), .filter_value = std::move(*value)};
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step.index);
    if (error != std::errc{}) return fail(ErrorCode::invalid, "a bracket holds no name, index or filter");
    step.kind = Step::Kind::index;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (!text.starts_with(']')) return fail(ErrorCode::invalid, "a bracket is not closed");
  text.remove_prefix(1);
  return step;
}

json::View JsonPath::find(json::View from, std::size_t at) const {
  if (at == steps_.size() || !from.exists()) return from;
  const Step& step = steps_[at];
  if (step.kind == Step::Kind::member) return find(from.member(step.name), at + 1);
  if (step.kind == Step::Kind::index) {
    const auto size = static_cast<std::int64_t>(from.size());
    const std::int64_t index = step.index < 0 ? size + step.index : step.index;
    return from.is_array() && index >= 0 && index < size ? find(from.element(static_cast<std::size_t>(index)), at + 1)
                                                         : json::View();
  }
  JsonPath filter;
  filter.steps_ = step.filter_path;
  const auto fits = [&](json::View item) {
    return step.kind == Step::Kind::any || filter.first(item) == std::string_view(step.filter_value);
  };
  for (const json::View item : from.elements()) {
    if (!fits(item)) continue;
    if (const json::View found = find(item, at + 1)) return found;
  }
  for (const auto [name, item] : from.members()) {
    if (step.kind != Step::Kind::any) break;
    if (const json::View found = find(item, at + 1)) return found;
  }
  return {};
}

}  // namespace pintle::apiserver
