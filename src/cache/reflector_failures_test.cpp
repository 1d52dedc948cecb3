// SPDX-License-Identifier: Apache-2.0
// Servers and proxies whose responses are of no use: the reflector must neither repeat a request without a pause nor
// keep the cache empty.
#include <pintle/cache/reflector.hpp>

#include <chrono>
#include <variant>

#include "reflector_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

Result<void> lost_connection() { return fail(refusal(ErrorCode::unreachable, 0, "")); }

// An aggregated server may ignore `watch` and send the list, which is no event (traps 9 and 11).
TEST(Reflector, DoesNotSpinOnWatchesThatSendNoEvent) {
  Reflector r = watching();
  Instant now = start;
  int watches = 0;
  Reflector::Actions actions;
  for (; now < start + 1h && watches < 1000; ++watches) {
    EXPECT_EQ(text(r.on_watch_bytes(page("7", {"a"}) + "\n")), "trouble");
    actions = r.on_watch_end({}, now);
    if (const auto* timer = std::get_if<StartTimer>(&actions.back())) {
      now = after(now, timer->delay);
      actions = r.on_timer();
    }
    if (std::holds_alternative<StartList>(actions.back())) actions = on_list(r, page("7", {"a"}), now);
    ASSERT_TRUE(std::holds_alternative<StartWatch>(actions.back())) << text(actions);
    r.on_watch_open(now);
  }
  EXPECT_LE(watches, 200) << "with the longest back-off, one each 30 s";
}

// The form is only guessed from the first byte, so text of a proxy can look like protobuf.
TEST(Reflector, BacksOffFromListsInAnUnknownForm) {
  Reflector r = reflector();
  (void)r.start();
  EXPECT_EQ(text(on_list(r, "keep calm", start)), "trouble list(0,500)") << "JSON is requested at once";
  EXPECT_FALSE(r.accepts_protobuf());
  EXPECT_EQ(text(on_list(r, "keep calm", start)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "list(0,500)");
  EXPECT_EQ(text(on_list(r, "keep calm", start)), "trouble timer(1.6s)");
  (void)r.on_timer();
  EXPECT_EQ(text(on_list(r, page("7", {"a"}), start)), "replace(a) watch(7)");
}

// A proxy may cut every connection before a long stream is complete (trap 22).
TEST(Reflector, ReadsPagesAfterTwoStreamsThatLostTheirConnection) {
  Reflector r = streaming();
  EXPECT_EQ(text(r.on_watch_end(lost_connection(), start)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "stream()") << "one lost connection may be a coincidence";
  EXPECT_EQ(text(r.on_watch_end(lost_connection(), start + 1s)), "trouble timer(1.6s)");
  EXPECT_EQ(text(r.on_timer()), "stream()") << "a server that cannot be reached cuts no stream";
  r.on_watch_open(start + 3s);
  (void)r.on_watch_bytes(event("ADDED", "a", "50"));
  EXPECT_EQ(text(r.on_watch_end(lost_connection(), start + 5s)), "trouble list(0,500)");
  EXPECT_EQ(text(on_list(r, page("7", {"b"}), start + 6s)), "replace(b) watch(7)");
  r.on_watch_open(start + 6s);
  (void)r.on_watch_bytes(error_event(410, "Expired"));
  EXPECT_EQ(text(r.on_watch_end({}, start + 5min)), "trouble stream(7)") << "the next full read tries a stream again";
}

TEST(Reflector, BacksOffIfEveryConnectionIsCut) {
  Reflector r = streaming();
  Instant now = start;
  int requests = 1;
  Reflector::Actions actions = r.on_watch_end(lost_connection(), now);
  for (; now < start + 1h && requests < 1000; ++requests) {
    if (const auto* timer = std::get_if<StartTimer>(&actions.back())) {
      now = after(now, timer->delay);
      actions = r.on_timer();
    }
    if (std::holds_alternative<StartList>(actions.back())) {
      actions = r.on_list_end(lost_connection(), now);
    } else {
      r.on_watch_open(now);
      (void)r.on_watch_bytes(event("ADDED", "a", "50"));
      actions = r.on_watch_end(lost_connection(), now);
    }
  }
  EXPECT_GE(requests, 100);
  EXPECT_LE(requests, 300) << "at most two for each back-off, whose longest one is 30 s";
}

}  // namespace
}  // namespace pintle
