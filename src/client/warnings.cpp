// SPDX-License-Identifier: Apache-2.0
#include "warnings.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace pintle {

namespace {

constexpr std::size_t max_warning_size = 512;  // bytes of one warning; limits the memory of seen_

void skip_spaces(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); }

// Removes the next word from `text` and returns it; empty if there is none.
std::string_view take_word(std::string_view& text) {
  skip_spaces(text);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

// Removes a "quoted string" from `text` and returns its content; nothing if there is none or it has no end.
std::optional<std::string> take_quoted(std::string_view& text) {
  skip_spaces(text);
  if (!text.starts_with('"')) return std::nullopt;
  std::string result;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return result;
    }
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    const bool is_control = static_cast<unsigned char>(text[i]) < ' ';
    if (result.size() < max_warning_size) result.push_back(is_control ? ' ' : text[i]);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> parse_warnings(std::string_view header) {
  std::vector<std::string> texts;
  while (true) {
    const std::string_view code = take_word(header);
    const std::string_view agent = take_word(header);
    auto text = take_quoted(header);
    if (agent.empty() || !text) return texts;
    if (code == "299" && !text->empty()) texts.push_back(std::move(*text));
    skip_spaces(header);
    if (header.starts_with('"') && !take_quoted(header)) return texts;  // the date
    skip_spaces(header);
    if (!header.starts_with(',')) return texts;
    header.remove_prefix(1);
  }
}

Warnings::Warnings(Executor& executor, Log log, std::size_t limit)
    : log_(std::move(log)), limit_(limit), mutex_(executor) {}

void Warnings::note(const http::Headers& headers) {
  if (!headers.get("Warning")) return;
  for (const std::string_view header : headers.get_all("Warning")) {
    for (const std::string& text : parse_warnings(header)) {
      const Verdict verdict = judge(text);
      if (verdict == Verdict::known) continue;
      log_.warning("API server warning", {{"warning", text}});
      if (verdict == Verdict::last) log_.warning("further API server warnings are not logged");
    }
  }
}

Warnings::Verdict Warnings::judge(const std::string& text) {
  const MutexLock lock(mutex_);
  if (seen_.size() >= limit_ || !seen_.insert(text).second) return Verdict::known;
  return seen_.size() == limit_ ? Verdict::last : Verdict::fresh;
}

}  // namespace pintle
