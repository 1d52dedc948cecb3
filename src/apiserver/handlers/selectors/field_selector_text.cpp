// SPDX-License-Identifier: Apache-2.0
// The client's parser of field selectors (FieldSelector::parse) has other messages.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector_text.hpp"

namespace pintle::apiserver {
namespace {

using FieldRequirement = FieldSelector::Requirement;

tl::unexpected<std::string> refuse_field(std::string text) { return tl::unexpected<std::string>(std::move(text)); }

// Splits at commas without a backslash before them.
std::vector<std::string_view> terms_of(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      out.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  out.push_back(text.substr(start));
  return out;
}

tl::expected<std::string, std::string> plain_value(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // The server prints the character as a number.
    if (text[i] == ',' || text[i] == '=') {
      return refuse_field(
          fmt::format("invalid field selector: unescaped character in value: {}", static_cast<int>(text[i])));
    }
    if (text[i] == '\\') {
      ++i;
      if (i == text.size() || std::string_view("\\,=").find(text[i]) == std::string_view::npos) {
        return refuse_field(fmt::format("invalid field selector: invalid escape sequence: {}",
                                        text.substr(i - 1, i == text.size() ? 1 : 2)));
      }
    }
    out += text[i];
  }
  return out;
}

}  // namespace

tl::expected<FieldSelector, std::string> parse_field_selector(std::string_view text) {
  FieldSelector out;
  std::vector<std::string_view> terms = terms_of(text);
  std::sort(terms.begin(), terms.end());
  for (const std::string_view term : terms) {
    if (term.empty()) continue;
    std::size_t at = 0;
    while (at < term.size() && term[at] != '=' && !term.substr(at).starts_with("!=")) ++at;
    if (at == term.size()) {
      return refuse_field(fmt::format("invalid selector: '{}'; can't understand '{}'", text, term));
    }
    const bool is_equal = term[at] == '=';
    const std::size_t length = is_equal && !term.substr(at).starts_with("==") ? 1 : 2;
    auto value = plain_value(term.substr(at + length));
    if (!value) return refuse_field(std::move(value.error()));
    out.requirements.push_back(FieldRequirement{std::string(term.substr(0, at)), is_equal, std::move(*value)});
  }
  return out;
}

}  // namespace pintle::apiserver
