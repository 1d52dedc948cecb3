#include "scope.hpp"

#include <gtest/gtest.h>

namespace pintle {
namespace {

Object pod(const char* namespace_, const char* team, json::Value spec = json::object()) {
  return Object(json::object{
      {"metadata", json::object{{"name", "a"}, {"namespace", namespace_}, {"labels", json::object{{"team", team}}}}},
      {"spec", std::move(spec)}});
}

TEST(Scope, IsNamespaceAndSelectorsTogether) {
  EXPECT_EQ(Scope("", "", "").contains(pod("x", "t")), true);
  EXPECT_EQ(Scope("x", "", "").contains(pod("x", "t")), true);
  EXPECT_EQ(Scope("x", "", "").contains(pod("y", "t")), false);
  EXPECT_EQ(Scope("x", "team=t", "metadata.name=a").contains(pod("x", "t")), true);
  EXPECT_EQ(Scope("x", "team=u", "").contains(pod("x", "t")), false);
  EXPECT_EQ(Scope("", "", "metadata.name=b").contains(pod("x", "t")), false);
}

// Servers select by values that objects do not hold when they are the default.
TEST(Scope, DoesNotKnowWhatAServerMakesOfAFieldThatIsNotThere) {
  const Scope unscheduled("", "", "spec.unschedulable=false");
  EXPECT_EQ(unscheduled.contains(pod("x", "t")), std::nullopt);
  const Scope on_node("", "", "spec.nodeName=n1");
  EXPECT_EQ(on_node.contains(pod("x", "t", json::object{{"nodeName", "n1"}})), true);
  EXPECT_EQ(on_node.contains(pod("x", "t", json::object{{"nodeName", "n2"}})), std::nullopt);
}

TEST(Scope, OfASelectorThatCannotBeReadIsUnknown) {
  EXPECT_EQ(Scope("", "a in (", "").contains(pod("x", "t")), std::nullopt);
  EXPECT_EQ(Scope("", "", "nonsense").contains(pod("x", "t")), std::nullopt);
}

}  // namespace
}  // namespace pintle
