// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <pintle/base/time.hpp>

#include "replayer.hpp"

namespace pintle::conformance {
namespace {

bool is_ignored(const std::set<std::string>& ignore, const std::string& path, std::string_view name) {
  return ignore.contains(path) || ignore.contains("*/" + std::string(name));
}

// Whether a text fits a pattern in which each <*> stands for any characters.
bool fits_pattern(std::string_view pattern, std::string_view text) {
  const std::size_t wildcard = pattern.find("<*>");
  if (wildcard == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, wildcard))) return false;
  text.remove_prefix(wildcard);
  pattern.remove_prefix(wildcard + 3);
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped) {
    if (fits_pattern(pattern, text.substr(skipped))) return true;
  }
  return false;
}

std::string shortened(const json::Value& value) { return json::print(value).substr(0, 160); }

}  // namespace

bool Comparison::fits_role(const std::string& want, const std::string& got) {
  if (const auto known = seen_.find(want); known != seen_.end()) return known->second == got;
  const std::string kind = want.substr(0, want.find(':'));
  for (const auto& [role, value] : seen_) {
    if (role.substr(0, role.find(':')) == kind && value == got) return false;
  }
  seen_.emplace(want, got);
  return true;
}

bool Comparison::fits_placeholder(std::string_view want, const json::Value& got, bool& is_placeholder) {
  is_placeholder = true;
  if (want == "<any>") return true;
  const std::string text = got.is_string() ? std::string(got.get_string()) : std::string();
  if (want == "<time>") return parse_time(text).has_value();
  if (want == "<message>") return !text.empty();
  if (want.starts_with("<uid:") || want.starts_with("<rv:")) return !text.empty() && fits_role(std::string(want), text);
  if (want.starts_with("<name:")) {
    const std::string_view prefix = want.substr(6, want.size() - 7);
    return text.starts_with(prefix) && text.size() > prefix.size();
  }
  if (want.find("<*>") != std::string_view::npos && got.is_string()) return fits_pattern(want, text);
  is_placeholder = false;
  return false;
}

void Comparison::diff(const json::Value& want, const json::Value& got, const std::string& path,
                      const std::set<std::string>& ignore, std::vector<std::string>& out) {
  if (ignore.contains(path)) return;
  if (want.is_string()) {
    bool is_placeholder = false;
    const bool fits = fits_placeholder(std::string_view(want.get_string()), got, is_placeholder);
    if (is_placeholder) {
      if (!fits) out.push_back(path + ": want " + shortened(want) + ", got " + shortened(got));
      return;
    }
  }
  if (want.is_object() && got.is_object()) {
    for (const auto& [name, value] : want.get_object()) {
      const std::string place = path + "/" + std::string(name);
      if (is_ignored(ignore, place, name)) continue;
      if (const json::Value* other = got.get_object().if_contains(name)) {
        diff(value, *other, place, ignore, out);
      } else {
        out.push_back(place + ": missing, want " + shortened(value));
      }
    }
    for (const auto& [name, value] : got.get_object()) {
      const std::string place = path + "/" + std::string(name);
      if (want.get_object().contains(name) || is_ignored(ignore, place, name)) continue;
      out.push_back(place + ": unexpected " + shortened(value));
    }
    return;
  }
  if (want.is_array() && got.is_array() && want.get_array().size() == got.get_array().size()) {
    for (std::size_t i = 0; i < want.get_array().size(); ++i) {
      diff(want.get_array()[i], got.get_array()[i], path + "/" + std::to_string(i), ignore, out);
    }
    return;
  }
  if (want != got) out.push_back(path + ": want " + shortened(want) + ", got " + shortened(got));
}

}  // namespace pintle::conformance
