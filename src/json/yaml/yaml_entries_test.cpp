// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/yaml_entries.hpp>

#include <gtest/gtest.h>

namespace pintle::json {
namespace {

// Returns "1 key=text, …" with the line of each entry, or the error.
std::string entries_of(std::string_view yaml) {
  const auto entries = parse_yaml_entries(yaml);
  if (!entries) return entries.error().message;
  std::string all;
  for (const YamlEntry& entry : *entries) {
    all += (all.empty() ? "" : ", ") + std::to_string(entry.line) + " " + entry.key +
           (entry.text ? "=" + *entry.text : " null");
  }
  return all;
}

TEST(YamlEntries, ContainTheWrittenTextAndItsLine) {
  EXPECT_EQ(entries_of("# settings\n\na: off\nb: 010\n\"c\": 'x: y'  # why\n"), "3 a=off, 4 b=010, 5 c=x: y");
  EXPECT_EQ(entries_of("{a: 1.50, b: \"\"}"), "1 a=1.50, 1 b=");
  EXPECT_EQ(entries_of("a: |\n  two\n  lines\nb: >-\n  one\n  line\n"), "1 a=two\nlines\n, 4 b=one line");
  EXPECT_EQ(entries_of("a:\nb: ~\nc: null\nd: \"null\"\n"), "1 a null, 2 b null, 3 c null, 4 d=null");
  EXPECT_EQ(entries_of(""), "");
  EXPECT_EQ(entries_of("# nothing\n---\n"), "");
}

TEST(YamlEntries, RefusesTextThatIsNoFlatMapping) {
  struct {
    const char* yaml;
    const char* message;
  } const cases[] = {
      {"a: 1\nb: [x]\n", "line 2, column 4: b must have a single value, not a list"},
      {"a: 1\nb:\n  c: 1\n", "line 3, column 3: b must have a single value, not a mapping"},
      {"a: &x 1\nb: *x\n", "b must have a single value, not an alias"},
      {"a: 1\na: 2\n", "duplicate key \"a\""},
      {"- a\n", "line 1, column 1: expected KEY: VALUE on each line, got a list"},
      {"hello\n", "line 1, column 1: expected KEY: VALUE on each line, got a single text"},
      {"a: 1\n---\nb: 1\n", "there must be only one document"},
      {"[x]: 1\n", "a key must be a scalar"},
      {"a: 1\nb: {\n", "invalid YAML at line"},
      {"a: \xff\n", "not a valid UTF-8 character"},
  };
  for (const auto& one : cases)
    EXPECT_NE(entries_of(one.yaml).find(one.message), std::string::npos) << entries_of(one.yaml);
}

}  // namespace
}  // namespace pintle::json
