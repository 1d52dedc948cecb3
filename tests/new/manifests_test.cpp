// SPDX-License-Identifier: Apache-2.0
#include "new/manifests.hpp"

#include <gtest/gtest.h>

namespace pintle::tools {
namespace {

TEST(PrintedManifests, HaveTheRulesOfARoleInTheOrderOfTheOperator) {
  const auto printed = as_printed(R"(kind: ClusterRole
rules:
- {apiGroups: [b.example.com], resources: [pears], verbs: [get]}
- {apiGroups: [""], resources: [figs], resourceNames: [one], verbs: [get]}
- {apiGroups: [""], resources: [nuts], verbs: [list]}
- {apiGroups: [""], resources: [figs], verbs: [get]}
)");
  ASSERT_TRUE(printed) << printed.error().message;
  EXPECT_EQ(*printed, R"(---
kind: ClusterRole
rules:
- apiGroups:
  - ""
  resources:
  - figs
  verbs:
  - get
- apiGroups:
  - ""
  resources:
  - nuts
  verbs:
  - list
- apiGroups:
  - ""
  resources:
  - figs
  resourceNames:
  - one
  verbs:
  - get
- apiGroups:
  - b.example.com
  resources:
  - pears
  verbs:
  - get
)");
}

TEST(PrintedManifests, KeepDocumentsAndTheirFirstComment) {
  EXPECT_EQ(as_printed("---\na: 1\n---\n# Here.\nb: \"2\"\n").value(), "---\na: 1\n---\n# Here.\nb: \"2\"\n");
  EXPECT_EQ(as_printed("a: x  # y\n---\nb: z\n").value(), "---\na: x\n---\nb: z\n");
  EXPECT_EQ(as_printed("").value(), "");
}

TEST(PrintedManifests, AreAnErrorIfTheyAreNoYaml) { EXPECT_FALSE(as_printed("a: [\n")); }

}  // namespace
}  // namespace pintle::tools
