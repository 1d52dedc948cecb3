// SPDX-License-Identifier: Apache-2.0
#include "apply_set.hpp"

#include <gtest/gtest.h>

namespace pintle::apply_set {
namespace {

// The first is the example in the Kubernetes documentation.
TEST(ApplySet, ItsIdIsMadeOfNameNamespaceKindAndGroup) {
  EXPECT_EQ(id_of({"test", "my-set"}, {"v1", "Secret"}), "applyset-0eFHV8ySqp7XoShsGvyWFQD3s96yqwHmzc4e0HR1dsY-v1");
  EXPECT_EQ(id_of({"", "mySet"}, {"v1", "Secret"}), "applyset-D915-gi226r0L_jAPy9gDapOroXYsegQAXEpgX0LwZo-v1");
  EXPECT_NE(id_of({"a", "b"}, {"x/v1", "K"}), id_of({"a", "b"}, {"y/v1", "K"}));
  EXPECT_EQ(id_of({"a", "b"}, {"x/v1", "K"}), id_of({"a", "b"}, {"x/v2", "K"})) << "the version does not matter";
}

TEST(ApplySet, NamesAreSortedWithCommas) {
  EXPECT_EQ(print({"Secret", "ConfigMap", "Deployment.apps"}), "ConfigMap,Deployment.apps,Secret");
  EXPECT_EQ(print({}), "");
  for (const char* text : {"ConfigMap,Deployment.apps,Secret", ",Secret,,Deployment.apps,ConfigMap,"}) {
    EXPECT_EQ(names_in(text), (Names{"ConfigMap", "Deployment.apps", "Secret"})) << text;
  }
  EXPECT_TRUE(names_in("").empty());
}

TEST(ApplySet, AKindIsNamedWithItsGroup) {
  EXPECT_EQ(name_of({"v1", "ConfigMap"}), "ConfigMap");
  EXPECT_EQ(name_of({"apps/v1", "Deployment"}), "Deployment.apps");
  EXPECT_EQ(kind_named("Note.test.pintle.dev").group, "test.pintle.dev");
  EXPECT_EQ(kind_named("Note.test.pintle.dev").kind, "Note");
  EXPECT_EQ(kind_named("ConfigMap").group, "");
}

}  // namespace
}  // namespace pintle::apply_set
