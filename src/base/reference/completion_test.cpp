// SPDX-License-Identifier: Apache-2.0
// The text of the completions. tests/e2e/completion_test.py runs them in the shells.
#include <gtest/gtest.h>

#include "completion.hpp"

namespace pintle {
namespace {

// Texts contain characters that the shells interpret.
CommandReference odd_program() {
  return {.name = "odd-tool",
          .summary = "Odd.",
          .groups = {{"Options",
                      {{.name = "listen", .value = "HOST:PORT", .help = "It's [one]: $(two) `three`\nnot shown"},
                       {.name = "mode", .value = "MODE", .choices = {"a", "b"}, .help = "Mode"},
                       {.name = "gates", .value = "LIST", .help = "Gates to set:\n  One"},
                       {.name = "tls", .is_negatable = true, .help = "TLS"}}}}};
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Completion, OfZshEscapesDescriptions) {
  const std::string script = print_completion(odd_program(), Shell::zsh);
  EXPECT_TRUE(script.starts_with("#compdef odd-tool\n")) << script;
  EXPECT_TRUE(contains(script, "'*--listen=[It'\\''s \\[one\\]: $(two) `three`]:HOST\\:PORT: '")) << script;
  EXPECT_TRUE(contains(script, "'*--mode=[Mode]:MODE:(a b)'")) << script;
  EXPECT_TRUE(contains(script, "'*--gates=[Gates to set]:LIST: '")) << script;
  EXPECT_TRUE(contains(script, "'*--no-tls[TLS]'")) << script;
  EXPECT_FALSE(contains(script, "not shown")) << script;
}

TEST(Completion, OfFishEscapesDescriptions) {
  const std::string script = print_completion(odd_program(), Shell::fish);
  EXPECT_TRUE(contains(script, " -l listen -x -d 'It\\'s [one]: $(two) `three`'\n")) << script;
  EXPECT_TRUE(contains(script, " -l mode -x -a 'a b' -d 'Mode'\n")) << script;
  EXPECT_TRUE(contains(script, " -l no-tls -d 'TLS'\n")) << script;
}

TEST(Completion, OfBashHasACaseForEachOptionWithAValue) {
  const std::string script = print_completion(odd_program(), Shell::bash);
  EXPECT_TRUE(contains(script, "    'odd-tool --mode') words='a b' ;;\n")) << script;
  EXPECT_TRUE(contains(script, "    'odd-tool --listen') ;;\n")) << script;
  EXPECT_TRUE(contains(script, "'odd-tool') words='--listen --mode --gates --tls --no-tls' ;;\n")) << script;
  EXPECT_TRUE(script.ends_with("complete -F _odd_tool_completion 'odd-tool'\n")) << script;
  EXPECT_FALSE(contains(script, "$(two)")) << script;
}

TEST(Completion, NamesOfFunctionsAreIdentifiers) {
  EXPECT_EQ(identifier_of("a-b.c 1"), "a_b_c_1");
  EXPECT_EQ(first_line("Gates:\n  One"), "Gates");
  EXPECT_EQ(first_line("Gates:"), "Gates:");
}

}  // namespace
}  // namespace pintle
