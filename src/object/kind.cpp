// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/kind.hpp>

#include <algorithm>

namespace pintle {
namespace {

bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

}  // namespace

GroupVersionKind::GroupVersionKind(std::string_view api_version, std::string_view kind_name) : kind(kind_name) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) {
    version = api_version;
  } else {
    group = api_version.substr(0, slash);
    version = api_version.substr(slash + 1);
  }
}

std::string GroupVersionKind::api_version() const { return group.empty() ? version : group + "/" + version; }

std::string GroupVersionKind::to_string() const { return api_version() + " " + kind; }

std::string ObjectKey::to_string() const { return namespace_.empty() ? name : namespace_ + "/" + name; }

std::string default_plural(std::string_view kind) {
  std::string word(kind);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const std::string_view text = word;
  if (text.empty() || text == "endpoints") return word;
  if (text.ends_with('y') && text.size() > 1 && !is_vowel(text[text.size() - 2])) {
    return word.substr(0, word.size() - 1) + "ies";
  }
  const bool hisses =
      text.ends_with('s') || text.ends_with('x') || text.ends_with('z') || text.ends_with("ch") || text.ends_with("sh");
  return word + (hisses ? "es" : "s");
}

}  // namespace pintle
