// SPDX-License-Identifier: Apache-2.0
#include "shell_word.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(ShellWord, IsQuotedIfNecessary) {
  const std::vector<std::pair<std::string, std::string>> rows{{"a-b_c./=:,@%+9", "a-b_c./=:,@%+9"},
                                                              {"", "''"},
                                                              {"a b", "'a b'"},
                                                              {"it's", "'it'\\''s'"},
                                                              {"$HOME", "'$HOME'"},
                                                              {"a;b", "'a;b'"},
                                                              {"line\n", "'line\n'"},
                                                              {"*", "'*'"}};
  for (const auto& [text, word] : rows) EXPECT_EQ(shell_word(text), word);
}

TEST(ShellWord, CanAlwaysBeQuoted) {
  EXPECT_EQ(quote_for_shell("a"), "'a'");
  EXPECT_EQ(quote_for_shell("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace pintle
