// SPDX-License-Identifier: Apache-2.0
// docs/cel.md lists each function and macro with what holds it to the behaviour of Kubernetes.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/file.hpp>

#include "check/declarations.hpp"
#include "test_support.hpp"

namespace pintle::cel {
namespace {

// The text between two marks, from a place that then moves behind it. Empty if there is none.
std::string between(std::string_view text, std::size_t& at, std::string_view open, std::string_view close) {
  const auto start = text.find(open, at);
  const auto end = start == std::string_view::npos ? start : text.find(close, start + open.size());
  if (end == std::string_view::npos) {
    at = std::string_view::npos;
    return {};
  }
  at = end + close.size();
  return std::string(text.substr(start + open.size(), end - start - open.size()));
}

// The rows of the tables, without those of the API server: each function, and the names of recordings and tests.
std::map<std::string, std::vector<std::string>> listed_functions() {
  std::map<std::string, std::vector<std::string>> rows;
  const auto text = *read_file("docs/cel.md");
  const std::string_view page = text;
  for (std::string_view rest = page.substr(0, page.find("## Functions of the API server")); !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.starts_with("| `")) continue;
    std::size_t at = 0;
    const auto name = between(line, at, "`", "`");
    at = line.rfind('|', line.rfind('|') - 1);
    for (auto proof = between(line, at, "`", "`"); !proof.empty(); proof = between(line, at, "`", "`")) {
      rows[name].push_back(proof);
    }
  }
  return rows;
}

std::set<std::string> declared_functions() {
  const auto environment = make_environment();
  const auto& declarations = EnvironmentAccess::declarations(environment);
  std::set<std::string> names;
  for (const auto& function : declarations.functions()) {
    if (function.first.find('@') == std::string::npos && function.first.find('_') == std::string::npos) {
      names.insert(function.first);
    }
  }
  for (const auto& macro : declarations.macros()) names.insert(macro.name);
  return names;
}

// The body of a test "Suite.Name" in the sources of this layer; empty if there is none.
std::string body_of_test(const std::string& test) {
  const auto dot = test.find('.');
  const auto head = "TEST(" + test.substr(0, dot) + ", " + test.substr(dot + 1) + ")";
  for (const char* file : {"library/string_extension_test.cpp", "library/standard_test.cpp",
                           "kubernetes/lists_test.cpp", "kubernetes/values_test.cpp", "evaluate/evaluator_test.cpp"}) {
    const auto text = *read_file(std::string("src/cel/") + file);
    const auto start = text.find(head);
    if (start != std::string::npos) return text.substr(start, text.find("\n}\n", start) - start);
  }
  return {};
}

// Whether a text calls a function, or contains its name without a namespace as a word in quotes.
bool names_function(const std::string& text, const std::string& function) {
  if (text.find('"' + function.substr(function.rfind('.') + 1) + '"') != std::string::npos) return true;
  for (auto at = text.find(function + "("); at != std::string::npos; at = text.find(function + "(", at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool is_inside_word = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z');
    if (!is_inside_word) return true;
  }
  return false;
}

TEST(FunctionTable, ListsEveryFunction) {
  std::set<std::string> listed;
  for (const auto& row : listed_functions()) listed.insert(row.first);

  EXPECT_EQ(listed, declared_functions());
}

TEST(FunctionTable, NamesWhatCallsTheFunction) {
  for (const auto& [function, proofs] : listed_functions()) {
    EXPECT_FALSE(proofs.empty()) << function;
    for (const auto& proof : proofs) {
      const bool is_recording = proof.find('.') == std::string::npos;
      const auto text =
          is_recording ? *read_file("tests/data/conformance/scenarios/" + proof + ".json") : body_of_test(proof);
      EXPECT_TRUE(names_function(text, function)) << function << " in " << proof;
    }
  }
}

}  // namespace
}  // namespace pintle::cel
