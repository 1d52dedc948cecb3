// SPDX-License-Identifier: Apache-2.0
#include "terminal/top.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include <gmock/gmock.h>

namespace pintle::tools {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

json::Value parsed(const std::string& text) { return json::parse(text).value(); }

TopState state(int success, int errors, Instant at) {
  TopState made{.at = at};
  made.about = parsed(R"({"name": "op", "version": "1.2.3", "ready": true, "startedAt": "2026-01-01T00:00:00Z",
      "now": "2026-01-01T03:00:00Z", "memoryBytes": 38000000, "problems": [],
      "election": {"leading": false, "leader": "op-b"}})");
  made.controllers =
      parsed(R"({"items": [{"name": "greeting", "kind": {"kind": "Greeting"}, "objects": 120, "workers": 4,
      "working": 1, "waiting": 3, "delayed": 12, "reconciles": {"success": )" +
             std::to_string(success) + R"(, "requeue": 0, "requeueAfter": 0, "error": )" + std::to_string(errors) +
             R"(}, "lastError": {"key": "default/a", "message": "no luck"}}]})");
  made.failing.push_back(
      parsed(R"({"items": [{"key": "default/a", "failures": 5, "reason": "Waiting", "message": "for a child"}]})"));
  made.caches = parsed(R"({"items": [
      {"title": "configmaps", "state": "synced", "objects": 120, "bytes": 92000, "silentSeconds": 3.2},
      {"title": "secrets", "state": "forbidden", "objects": 0, "bytes": 0, "detail": "add a rule"}]})");
  return made;
}

TEST(Top, ShowsControllersProblemsAndCaches) {
  const Instant begin{};
  const TopState before = state(100, 0, begin);
  EXPECT_EQ(top_text(state(106, 4, begin + 2s), &before, "pod default/op", {}),
            R"(op 1.2.3  ready  stands by, leader op-b  up 3h  38 MB  pod default/op

CONTROLLER  KIND      OBJECTS  WORKING  WAITING  DELAYED  PER SECOND  ERRORS/S  LAST ERROR
greeting    Greeting      120      1/4        3       12         5.0       2.0  default/a: no luck

NOT READY  CONTROLLER  FAILURES  WHY
default/a  greeting           5  Waiting: for a child

CACHE       STATE      OBJECTS  MEMORY  SILENT
configmaps  synced         120   92 kB      3s
secrets     forbidden        0     0 B       -  add a rule
)");
}

TEST(Top, HasNoRatesBeforeTheSecondAnswerAndAfterARestart) {
  EXPECT_THAT(top_text(state(100, 0, {}), nullptr, "", {}), HasSubstr("12           -         -"));
  const TopState before = state(100, 0, Instant{});
  EXPECT_THAT(top_text(state(3, 0, Instant{} + 2s), &before, "", {}), HasSubstr("12           -"));
}

TEST(Top, ShowsWhyTheOperatorIsNotReady) {
  TopState now = state(0, 0, {});
  now.about.as_object()["ready"] = false;
  now.about.as_object()["problems"] = json::array{"3 of 5 caches are filled, 12,000 objects"};
  const std::string text = top_text(now, nullptr, "", {});
  EXPECT_THAT(text, HasSubstr("not ready"));
  EXPECT_THAT(text, HasSubstr("\n  3 of 5 caches are filled, 12,000 objects\n"));
}

TEST(Top, FitsTheScreen) {
  TopState now = state(0, 0, {});
  now.about.as_object()["name"] = "öperator";
  const std::string text = top_text(now, nullptr, "", {.rows = 5, .columns = 30});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_THAT(text, HasSubstr("öperator 1.2.3  ready  stands \n"));
  EXPECT_THAT(text, Not(HasSubstr("PER SECOND")));
  EXPECT_THAT(text, HasSubstr("more lines; use a larger ter\n"));
}

TEST(Top, PrintsNoControlCharacters) {
  TopState now = state(0, 0, {});
  now.failing[0] = parsed(R"({"items": [{"key": "default/\u001b[2J", "message": "a\nb"}]})");
  const std::string text = top_text(now, nullptr, "", {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("a\\nb"));
}

}  // namespace
}  // namespace pintle::tools
