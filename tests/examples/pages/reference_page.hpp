// SPDX-License-Identifier: Apache-2.0
// Documents with a generated part, which tests compare with the program.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace pintle::testkit::reference_pages {

// The test must run in the root folder of the repository.
inline std::string read_document(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path << ": run this test in the root folder of the repository";
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the line that contains this position, or its beginning if the text ends there.
inline std::string line_at(const std::string& text, std::size_t position) {
  const std::size_t before = position == 0 ? std::string::npos : text.rfind('\n', position - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Compares the part of a document between `<!-- generated -->` and `<!-- /generated -->` with `text`. If the
// environment variable PINTLE_UPDATE_PAGES is set, replaces it instead.
inline void check_generated_part(const std::string& path, const std::string& text) {
  constexpr std::string_view begin_mark = "<!-- generated -->\n";
  constexpr std::string_view end_mark = "<!-- /generated -->";
  std::string document = read_document(path);
  const std::size_t mark = document.find(begin_mark);
  const std::size_t end = document.find(end_mark);
  ASSERT_TRUE(mark != std::string::npos && end != std::string::npos && mark < end) << path << " has no generated part";
  const std::size_t begin = mark + begin_mark.size();
  if (document.substr(begin, end - begin) == text) return;
  if (std::getenv("PINTLE_UPDATE_PAGES") != nullptr) {
    std::ofstream(path) << document.replace(begin, end - begin, text);
    return;
  }
  const std::string shown = document.substr(begin, end - begin);
  const auto different = std::ranges::mismatch(shown, text).in1 - shown.begin();
  ADD_FAILURE() << path << " is outdated. Its line\n  " << line_at(shown, static_cast<std::size_t>(different))
                << "\nmust be\n  " << line_at(text, static_cast<std::size_t>(different))
                << "\nPINTLE_UPDATE_PAGES=1 example_tests --gtest_filter='ReferencePages.*' writes it";
}

// Code in a cell of a table.
inline std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

inline std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : std::string(separator)) + part;
  return all;
}

}  // namespace pintle::testkit::reference_pages
