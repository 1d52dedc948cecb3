// SPDX-License-Identifier: Apache-2.0
#include "terminal/why.hpp"

#include <gmock/gmock.h>

namespace pintle::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

json::Value parsed(const char* text) { return json::parse(text).value(); }

const char* const controllers = R"({"items": [
  {"name": "web", "kind": {"group": "shop.dev", "version": "v1", "kind": "Policy"}},
  {"name": "pods", "kind": {"group": "", "version": "v1", "kind": "Pod"}}]})";

TEST(Why, FindsTheControllerOfAKind) {
  for (const char* word : {"Policy", "policy", "policies", "policies.shop.dev", "policy.shop.dev", "web"}) {
    EXPECT_EQ(controller_of(parsed(controllers), word).value(), "web") << word;
  }
  EXPECT_EQ(controller_of(parsed(controllers), "pod").value(), "pods");
  for (const char* word : {"policys", "policies.other.dev", "pod.shop.dev", ""}) {
    const auto missing = controller_of(parsed(controllers), word);
    ASSERT_FALSE(missing) << word;
    EXPECT_THAT(missing.error().message, HasSubstr("it has controllers of Policy, Pod"));
  }
}

TEST(Why, PrintsAllThatIsKnown) {
  const std::string text = why_text(parsed(R"({
    "key": "default/a", "kind": {"group": "shop.dev", "version": "v1", "kind": "Policy"}, "readiness": "notReady",
    "why": "its child is not ready", "next": "the next reconcile is due in 5s",
    "conditions": [{"type": "Ready", "status": "False", "reason": "Waiting", "message": "for a child"}],
    "reconciles": [
      {"begun": "2026-01-01T12:00:01.000000Z", "outcome": "error", "seconds": 0.003, "error": "no luck",
       "causes": [{"text": "retry 2"}, {"text": "timer"}], "writes": [],
       "spans": [{"name": "GET /a", "seconds": 0.4}, {"name": "GET /b", "seconds": 2.5}]},
      {"begun": "2026-01-01T12:00:00.000000Z", "outcome": "success", "seconds": 1.5, "causes": [{"text": "initial"}],
       "writes": [{"verb": "update", "kind": {"group": "", "version": "v1", "kind": "ConfigMap"}, "key": "default/b",
                   "changes": [{"path": "/data/x", "before": "1", "after": "2"}, {"path": "/data/y", "after": "3"}]},
                  {"verb": "write", "kind": {"group": "", "version": "v1", "kind": "Event"}, "key": "default/c",
                   "changes": [{"path": "/reason", "after": "4"}]}]}],
    "owners": [],
    "children": [{"readiness": "notReady", "kind": {"group": "apps", "version": "v1", "kind": "Deployment"},
                  "key": "default/a", "reason": "ImagePull", "message": "no such image"}],
    "events": [{"at": "2026-01-01T12:00:02Z", "type": "Warning", "reason": "Failed", "message": "twice", "count": 2}]})"),
                                    "web");
  EXPECT_EQ(text, R"(shop.dev/v1 Policy default/a  (controller web, notReady)
why   its child is not ready
next  the next reconcile is due in 5s

conditions
  Ready=False  Waiting: for a child

reconciles, the newest first
  12:00:01  error          3.0 ms  retry 2; timer
      no luck
      GET /b took 2.5 s
  12:00:00  success         1.5 s  initial
      update v1 ConfigMap default/b
        /data/x: 1 -> 2
        /data/y: nothing -> 3
      write v1 Event default/c
        /reason: 4

children
  notReady  apps/v1 Deployment default/a  ImagePull: no such image

events of this operator
  12:00:02  Warning Failed: twice (2 times)
)");
}

TEST(Why, OfAnObjectWithoutHistory) {
  const std::string text = why_text(parsed(R"({"key": "a", "kind": {"version": "v1", "kind": "Node"}})"), "nodes");
  EXPECT_THAT(text, HasSubstr("Nothing is wrong as far as the operator can determine."));
  EXPECT_THAT(text, HasSubstr("no reconcile is in the history"));
}

TEST(Why, PrintsNoControlCharacters) {
  const std::string text =
      why_text(json::Value{{"key", "a"},
                           {"why", "\x1b[31mred"},
                           {"conditions", json::array{json::object{{"type", "a\nb"}, {"status", "\x07"}}}}},
               "c");
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\x07")));
  EXPECT_THAT(text, HasSubstr("a\\nb"));
}

}  // namespace
}  // namespace pintle::tools
