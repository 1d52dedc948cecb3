// SPDX-License-Identifier: Apache-2.0
#include "watched_part.hpp"

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>

namespace pintle {
namespace {

Object pod(const char* namespace_, const char* team, json::Value spec = json::object()) {
  return Object(json::object{
      {"metadata", json::object{{"name", "a"}, {"namespace", namespace_}, {"labels", json::object{{"team", team}}}}},
      {"spec", std::move(spec)}});
}

TEST(WatchedPart, IsNamespaceAndSelectorsTogether) {
  EXPECT_EQ(WatchedPart("", "", "").contains(pod("x", "t")), true);
  EXPECT_EQ(WatchedPart("x", "", "").contains(pod("x", "t")), true);
  EXPECT_EQ(WatchedPart("x", "", "").contains(pod("y", "t")), false);
  EXPECT_EQ(WatchedPart("x", "team=t", "metadata.name=a").contains(pod("x", "t")), true);
  EXPECT_EQ(WatchedPart("x", "team=u", "").contains(pod("x", "t")), false);
  EXPECT_EQ(WatchedPart("", "", "metadata.name=b").contains(pod("x", "t")), false);
}

// A server also selects objects by default values of fields that they do not contain.
TEST(WatchedPart, IsUnknownForAMissingField) {
  const WatchedPart unscheduled("", "", "spec.unschedulable=false");
  EXPECT_EQ(unscheduled.contains(pod("x", "t")), std::nullopt);
  const WatchedPart on_node("", "", "spec.nodeName=n1");
  EXPECT_EQ(on_node.contains(pod("x", "t", json::object{{"nodeName", "n1"}})), true);
  EXPECT_EQ(on_node.contains(pod("x", "t", json::object{{"nodeName", "n2"}})), std::nullopt);
}

TEST(WatchedPart, IsUnknownForAnInvalidSelector) {
  EXPECT_EQ(WatchedPart("", "a in (", "").contains(pod("x", "t")), std::nullopt);
  EXPECT_EQ(WatchedPart("", "", "nonsense").contains(pod("x", "t")), std::nullopt);
}

}  // namespace
}  // namespace pintle
