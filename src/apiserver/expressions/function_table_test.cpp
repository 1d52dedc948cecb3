// SPDX-License-Identifier: Apache-2.0
// docs/cel.md lists each function of the API server with what holds it to the behaviour of Kubernetes.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/file.hpp>

#include "apiserver/registry/words.hpp"
#include "authorizer.hpp"
#include "patch_types.hpp"

namespace pintle::apiserver {
namespace {

// The functions in the table of docs/cel.md, and what holds each.
std::map<std::string, std::vector<std::string>> table_of_functions() {
  std::map<std::string, std::vector<std::string>> out;
  const std::string page = read_file("docs/cel.md").value();
  const std::string_view table = std::string_view(page).substr(page.find("## Functions of the API server"));
  for (const std::string_view line : split(table, '\n')) {
    if (!line.starts_with("| `")) continue;
    const auto cells = split(line, '|');
    const auto in_quotes = split(cells[3], '`');
    std::vector<std::string>& proofs = out[std::string(split(cells[1], '`')[1])];
    for (std::size_t i = 1; i < in_quotes.size(); i += 2) proofs.emplace_back(in_quotes[i]);
  }
  return out;
}

TEST(HostFunctionTable, ListsEveryFunctionOfTheApiServer) {
  std::set<std::string> declared;
  for (const cel::Library& library : {authorizer_library(), patch_library()}) {
    for (const auto& function : library.functions) declared.insert(function.name);
  }
  std::set<std::string> listed;
  for (const auto& [name, proofs] : table_of_functions()) listed.insert(name);
  EXPECT_EQ(listed, declared);
}

TEST(HostFunctionTable, NamesWhatCallsTheFunction) {
  const std::string tests = read_file("src/apiserver/access/expressions_test.cpp").value();
  for (const auto& [name, proofs] : table_of_functions()) {
    EXPECT_FALSE(proofs.empty()) << name;
    for (const std::string& proof : proofs) {
      const std::size_t dot = proof.find('.');
      std::string text;
      if (dot == std::string::npos) {
        text = read_file("tests/data/conformance/scenarios/" + proof + ".json").value();
      } else {
        const std::size_t at = tests.find("TEST_F(" + proof.substr(0, dot) + ", " + proof.substr(dot + 1) + ")");
        ASSERT_NE(at, std::string::npos) << proof;
        text = tests.substr(at, tests.find("\n}\n", at) - at);
      }
      EXPECT_NE(text.find(name + "("), std::string::npos) << name << " in " << proof;
    }
  }
}

}  // namespace
}  // namespace pintle::apiserver
