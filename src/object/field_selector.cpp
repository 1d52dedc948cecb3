// SPDX-License-Identifier: Apache-2.0
// FieldSelector: parses and prints terms separated by commas. In a value, a "\" precedes each comma, equals sign and
// backslash.
#include <algorithm>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/object/selector.hpp>

namespace pintle {
namespace {

// The end of the first term: the first comma without a backslash before it.
std::size_t end_of_term(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      return i;
    }
  }
  return text.size();
}

Result<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',' || text[i] == '=') {
      return fail(ErrorCode::invalid,
                  "field selector: \"" + std::string(1, text[i]) + "\" in a value must be escaped with \"\\\"");
    }
    if (text[i] == '\\') {
      ++i;
      if (i == text.size() || std::string_view("\\,=").find(text[i]) == std::string_view::npos) {
        return fail(ErrorCode::invalid, "field selector: \"\\\" is allowed only before \"\\\", \",\" and \"=\"");
      }
    }
    out += text[i];
  }
  return out;
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
  return out;
}

Result<FieldSelector::Requirement> parse_term(std::string_view term) {
  std::size_t at = 0;
  while (at < term.size() && term[at] != '=' && !term.substr(at).starts_with("!=")) at += term[at] == '\\' ? 2 : 1;
  if (at >= term.size() || at == 0) {
    return fail(ErrorCode::invalid, "field selector: " + quote(term) + " is not of the form path=value or path!=value");
  }
  const bool is_equal = term[at] == '=';
  const std::size_t length = is_equal && !term.substr(at).starts_with("==") ? 1 : 2;
  auto value = unescape(term.substr(at + length));
  if (!value) return fail(std::move(value.error()));
  return FieldSelector::Requirement{std::string(term.substr(0, at)), is_equal, std::move(*value)};
}

// The text of the field at a dotted path; "" if there is none.
std::string text_at(json::View place, std::string_view path) {
  while (true) {
    const std::size_t dot = path.find('.');
    place = place.member(path.substr(0, dot));
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  if (!place.exists() || place.is_null()) return {};
  return place.is_string() ? std::string(place.text()) : place.print();
}

}  // namespace

Result<FieldSelector> FieldSelector::parse(std::string_view text) {
  FieldSelector selector;
  while (!text.empty()) {
    const std::string_view term = text.substr(0, end_of_term(text));
    text.remove_prefix(std::min(text.size(), term.size() + 1));
    if (term.empty()) continue;
    auto requirement = parse_term(term);
    if (!requirement) return fail(std::move(requirement.error()));
    selector.requirements.push_back(std::move(*requirement));
  }
  return selector;
}

bool FieldSelector::matches(json::View object) const {
  return std::all_of(requirements.begin(), requirements.end(), [object](const Requirement& requirement) {
    return (text_at(object, requirement.path) == requirement.value) == requirement.equal;
  });
}

std::string FieldSelector::to_string() const {
  std::string text;
  for (const Requirement& requirement : requirements) {
    if (!text.empty()) text += ',';
    text += requirement.path + (requirement.equal ? "=" : "!=") + escape(requirement.value);
  }
  return text;
}

}  // namespace pintle
