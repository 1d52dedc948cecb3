// SPDX-License-Identifier: Apache-2.0
#include "sequence.hpp"

#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

namespace pintle::benchmarks {
namespace {

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::string SequenceValue::to_string() const { return std::to_string(sequence) + "/" + std::to_string(sent); }

std::optional<SequenceValue> SequenceValue::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  SequenceValue value;
  if (slash == std::string_view::npos || !read_number(text.substr(0, slash), value.sequence) ||
      !read_number(text.substr(slash + 1), value.sent)) {
    return std::nullopt;
  }
  return value;
}

Result<TimesFile> TimesFile::open(const std::string& file) {
  TimesFile made;
  made.lines_.open(file, std::ios::trunc);
  if (made.lines_) return made;
  const std::string why = std::error_code(errno, std::generic_category()).message();
  return fail(ErrorCode::invalid, "--out: " + file + " cannot be written (" + why + "); name a file that can be");
}

void TimesFile::add(std::uint64_t sequence, std::int64_t at) { lines_ << sequence << '\t' << at << std::endl; }

std::map<std::uint64_t, std::int64_t> TimesFile::read(const std::string& file) {
  std::map<std::uint64_t, std::int64_t> times;
  std::ifstream lines(file);
  std::uint64_t sequence = 0;
  std::int64_t at = 0;
  while (lines >> sequence >> at) times[sequence] = at;
  return times;
}

}  // namespace pintle::benchmarks
