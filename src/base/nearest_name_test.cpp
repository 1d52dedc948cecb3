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
  EXPECT_EQ(did_you_mean(std::string(1'000'000, 'x'), known), "");
}

}  // namespace
}  // namespace pintle
