// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/nearest_name.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(NearestName, IsSuggestedWithinTheDistance) {
  const std::vector<std::string> known{"log-level", "log-format", "crds", "namespace"};
  EXPECT_EQ(did_you_mean("log-levle", known), "; did you mean log-level?");
  EXPECT_EQ(did_you_mean("logformat", known), "; did you mean log-format?");
  EXPECT_EQ(did_you_mean("crd", known), "; did you mean crds?");
  EXPECT_EQ(did_you_mean("--crd", known, "--"), "; did you mean --crds?");
  EXPECT_EQ(did_you_mean("PREFIX_x", known, "PREFIX_"), "");
  EXPECT_EQ(did_you_mean("name-space", known), "; did you mean namespace?");
  for (const char* wrong : {"", "x", "car", "greeting", "format-of-the-log"}) {
    EXPECT_EQ(did_you_mean(wrong, known), "") << wrong;
  }
  for (const char* swapped : {"rcds", "crsd"}) {
    EXPECT_EQ(did_you_mean(swapped, known), "; did you mean crds?") << swapped;
  }
  EXPECT_EQ(did_you_mean("rcsd", known), "") << "two swaps";
  EXPECT_EQ(did_you_mean(std::string(1'000'000, 'x'), known), "");
}

TEST(NearestName, IsSuggestedForItsBeginning) {
  const std::vector<std::string> known{"man", "migrate-storage", "log-level", "log-format"};
  EXPECT_EQ(did_you_mean("migrate", known), "; did you mean migrate-storage?");
  EXPECT_EQ(did_you_mean("mi", known), "; did you mean migrate-storage?");
  EXPECT_EQ(did_you_mean("log", known), "") << "two names begin with it";
  EXPECT_EQ(did_you_mean("m", known), "");
}

}  // namespace
}  // namespace pintle
