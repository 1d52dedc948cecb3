// SPDX-License-Identifier: Apache-2.0
#include "pod_script.hpp"

#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  constexpr std::string_view blanks = " \t\n";
  while (true) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

tl::unexpected<Error> bad_step(const std::vector<std::string_view>& words) {
  std::string step;
  for (const std::string_view word : words) step.append(step.empty() ? "" : " ").append(word);
  return fail(ErrorCode::invalid,
              fmt::format("\"{}\": write \"ready after 2s\", \"never ready\", \"succeed after 5s\" or "
                          "\"fail after 10s with 1\"",
                          step));
}

// An exit code of a failure.
std::optional<int> code_of(std::string_view text) {
  int code = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
  const bool is_code = error == std::errc{} && end == text.data() + text.size() && code > 0 && code < 256;
  return is_code ? std::optional(code) : std::nullopt;
}

Result<void> read_step(const std::vector<std::string_view>& words, PodScript& script) {
  if (words.size() == 2 && words[0] == "never" && words[1] == "ready") {
    script.ready_after.reset();
    return {};
  }
  if (words.size() < 3 || words[1] != "after") return bad_step(words);
  const auto time = parse_duration(words[2]);
  if (!time) return bad_step(words);
  const bool has_code = words.size() == 5 && words[3] == "with";
  if (words.size() != 3 && !(has_code && words[0] == "fail")) return bad_step(words);
  if (words[0] == "ready") {
    script.ready_after = *time;
    return {};
  }
  if ((words[0] != "succeed" && words[0] != "fail") || script.end_after) return bad_step(words);
  script.end_after = *time;
  if (words[0] == "succeed") return {};
  const auto code = has_code ? code_of(words[4]) : 1;
  if (!code) return bad_step(words);
  script.exit_code = *code;
  return {};
}

}  // namespace

Result<PodScript> parse_pod_script(std::string_view text) {
  PodScript script;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const auto words = words_of(text.substr(0, end));
    if (!words.empty()) {
      if (auto read = read_step(words, script); !read) return fail(std::move(read.error()));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return script;
}

}  // namespace pintle::apiserver
