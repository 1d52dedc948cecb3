// SPDX-License-Identifier: Apache-2.0
#include "chosen_trial.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/hash.hpp>

#include "base/reference/shell_word.hpp"

namespace pintle::testkit {
namespace {

// Reads numbers and characters from the begin of a text.
class TrialText {
 public:
  explicit TrialText(std::string_view text) : text_(text) {}

  [[nodiscard]] bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] bool begins_with(char c) const { return text_.starts_with(c); }
  [[nodiscard]] bool is_at_end() const { return text_.empty(); }
  // Takes the rest, if it consists of lower-case hexadecimal digits.
  [[nodiscard]] bool take_mark(std::string& mark) {
    if (text_.empty() || text_.find_first_not_of("0123456789abcdef") != std::string_view::npos) return false;
    mark = std::exchange(text_, {});
    return true;
  }
  template <class Number>
  [[nodiscard]] bool take_number(Number& number) {
    const auto read = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    if (read.ec != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(read.ptr - text_.data()));
    return true;
  }

 private:
  std::string_view text_;
};

// Each of these returns nothing for a text that text_of() does not write.
std::optional<Deviations> read_deviations(TrialText& text) {
  Deviations deviations;
  if (text.take('@') && (text.is_at_end() || text.begins_with(':') || text.begins_with('~'))) return deviations;
  do {
    std::uint64_t decision = 0;
    std::uint32_t alternative = 0;
    if (!text.take_number(decision) || !text.take('=') || !text.take_number(alternative)) return std::nullopt;
    deviations.emplace(decision, alternative);
  } while (text.take('@'));
  return deviations;
}

std::optional<std::vector<std::size_t>> read_events(TrialText& text) {
  std::vector<std::size_t> events;
  if (text.is_at_end() || text.begins_with('~')) return events;
  do {
    std::size_t number = 0;
    if (!text.take_number(number)) return std::nullopt;
    events.push_back(number);
  } while (text.take(','));
  return events;
}

}  // namespace

Deviations deviations_of(const std::vector<std::uint32_t>& choices) {
  Deviations deviations;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] != 0) deviations.emplace(i, choices[i]);
  }
  return deviations;
}

std::vector<std::uint32_t> choices_of(const Deviations& deviations) {
  std::vector<std::uint32_t> choices;
  for (const auto& [decision, alternative] : deviations) {
    choices.resize(decision, 0);
    choices.push_back(alternative);
  }
  return choices;
}

std::string mark_of_plan(const std::vector<std::string>& events) {
  std::uint64_t sum = 0;
  for (const std::string& event : events) sum = hash_of(event, sum + 1);
  return fmt::format("{:08x}", static_cast<std::uint32_t>(sum));
}

std::string text_of(const std::string& name, const ChosenTrial& trial) {
  std::string text = name + ":";
  if (!trial.schedule) {
    text += std::to_string(trial.seed);
  } else if (trial.schedule->empty()) {
    text += "@";
  } else {
    for (const auto& [decision, alternative] : *trial.schedule) text += fmt::format("@{}={}", decision, alternative);
  }
  if (trial.kept) text += fmt::format(":{}", fmt::join(*trial.kept, ","));
  if (!trial.plan.empty()) text += "~" + trial.plan;
  return text;
}

bool is_of_simulation(const std::string& name, const std::string& text) { return text.starts_with(name + ":"); }

std::optional<ChosenTrial> read_trial(const std::string& name, const std::string& text) {
  if (!is_of_simulation(name, text)) return std::nullopt;
  TrialText rest(std::string_view(text).substr(name.size() + 1));
  ChosenTrial trial;
  if (rest.begins_with('@')) {
    trial.schedule = read_deviations(rest);
    if (!trial.schedule) return std::nullopt;
  } else if (!rest.take_number(trial.seed)) {
    return std::nullopt;
  }
  if (rest.take(':')) {
    trial.kept = read_events(rest);
    if (!trial.kept) return std::nullopt;
  }
  if (rest.take('~') && !rest.take_mark(trial.plan)) return std::nullopt;
  return rest.is_at_end() ? std::optional(std::move(trial)) : std::nullopt;
}

std::string replay_command(const std::string& trial, std::string_view command_line) {
  std::string command = "PINTLE_SIMULATE=" + quote_for_shell(trial);
  while (!command_line.empty()) {
    const std::string_view word = command_line.substr(0, command_line.find('\0'));
    command += " " + shell_word(word);
    command_line.remove_prefix(std::min(word.size() + 1, command_line.size()));
  }
  return command;
}

}  // namespace pintle::testkit
