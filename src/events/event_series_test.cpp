// SPDX-License-Identifier: Apache-2.0
#include "event_series.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/names.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

std::string_view text(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? std::string_view() : std::string_view(found->as_string());
}

std::int64_t count_in(const EventWrite& write) {
  const json::Value* found = json::find(write.body, "/series/count");
  return found == nullptr ? 1 : found->as_int64();
}

Error refused(ErrorCode code, int status) {
  Error error = make_error(code, "no");
  error.http_status = status;
  return error;
}
const Error no_response = make_error(ErrorCode::unreachable, "connection refused");
const Error not_found = refused(ErrorCode::not_found, 404);
const Error forbidden = refused(ErrorCode::forbidden, 403);
const Error already_exists = refused(ErrorCode::already_exists, 409);

class EventSeriesTest : public ::testing::Test {
 protected:
  EventSeriesTest() { make({}); }

  void make(EventSeriesOptions options) {
    if (options.reporting_controller.empty()) options.reporting_controller = "test-operator";
    options.random = [this] { return random.next(); };
    series = std::make_unique<EventSeries>(std::move(options));
  }
  static EventOccurrence occurrence(const std::string& object = "a", const std::string& note = "it is so") {
    return {
        .action = "Reconcile",
        .reason = "Odd",
        .note = note,
        .regarding = {.api_version = "v1", .kind = "Pod", .namespace_ = "ns", .name = object, .uid = "u-" + object}};
  }
  EventAdmission happens(const EventOccurrence& what) { return series->on_event(what, now, wall); }
  EventAdmission happens() { return happens(occurrence()); }
  // Returns the write that is due; the test fails if there is none.
  EventWrite due() {
    auto write = series->next(now);
    EXPECT_TRUE(write);
    return write.value_or(EventWrite{});
  }
  EventWrite sends() {
    auto write = series->next(now);
    EXPECT_TRUE(write);
    if (write) series->on_response(nullptr, now);
    return write.value_or(EventWrite{});
  }
  void advance_time(Duration time) {
    now += time;
    wall += time;
    series->on_time(now);
  }
  bool is_idle() { return !series->next(now).has_value(); }

  Random random{7};
  Instant now{1000s};
  WallTime wall{1'767'225'600s};
  std::unique_ptr<EventSeries> series;
};

TEST_F(EventSeriesTest, TheFirstIsCreatedWhole) {
  happens();
  const EventWrite write = sends();
  EXPECT_FALSE(write.is_patch);
  EXPECT_EQ(text(write.body, "/metadata/namespace"), "ns");
  EXPECT_EQ(text(write.body, "/metadata/name"), write.key.name);
  EXPECT_EQ(text(write.body, "/eventTime"), "2026-01-01T00:00:00.000000Z");
  EXPECT_EQ(text(write.body, "/type"), "Normal");
  EXPECT_EQ(text(write.body, "/action"), "Reconcile");
  EXPECT_EQ(text(write.body, "/reason"), "Odd");
  EXPECT_EQ(text(write.body, "/note"), "it is so");
  EXPECT_EQ(text(write.body, "/reportingController"), "test-operator");
  EXPECT_EQ(text(write.body, "/regarding/uid"), "u-a");
  EXPECT_EQ(json::find(write.body, "/series"), nullptr);
  EXPECT_EQ(json::find(write.body, "/related"), nullptr);
  // The fields of the older Event API stay unset (trap 68).
  for (const char* old : {"/deprecatedCount", "/deprecatedSource", "/deprecatedFirstTimestamp"}) {
    EXPECT_EQ(json::find(write.body, old), nullptr);
  }
  EXPECT_TRUE(is_idle());
}

// A write for each occurrence would load the server (trap 65).
TEST_F(EventSeriesTest, TheSecondMakesItASeriesAndLaterOnesAreOnlyCounted) {
  happens();
  const EventWrite created = sends();
  advance_time(1s);
  happens();
  const EventWrite patched = sends();
  EXPECT_TRUE(patched.is_patch);
  EXPECT_EQ(patched.key, created.key);
  EXPECT_EQ(json::print(patched.body), R"({"series":{"count":2,"lastObservedTime":"2026-01-01T00:00:01.000000Z"}})");
  for (int i = 0; i < 50; ++i) happens();
  EXPECT_TRUE(is_idle());
}

// A count that the server does not have is sent every 30 min (trap 65).
TEST_F(EventSeriesTest, AnUnsentCountIsSentEveryHalfHour) {
  happens();
  sends();
  happens();
  sends();
  for (int minute = 0; minute < 29; ++minute) {
    advance_time(1min);
    happens();
    ASSERT_TRUE(is_idle()) << minute;
  }
  advance_time(1min);
  EXPECT_EQ(count_in(sends()), 31);
  for (int minute = 0; minute < 29; ++minute) {
    advance_time(1min);
    happens();
    ASSERT_TRUE(is_idle()) << minute;
  }
  advance_time(1min);
  EXPECT_EQ(count_in(sends()), 60);
}

// A series ends after 6 min without an occurrence (trap 65).
TEST_F(EventSeriesTest, ASeriesIsOverAfterSixIdleMinutesAndItsLastCountIsSent) {
  happens();
  const EventWrite first = sends();
  happens();
  sends();
  happens();
  EXPECT_EQ(series->next_deadline(), now + 6min);
  advance_time(6min);
  const EventWrite last = sends();
  EXPECT_TRUE(last.is_patch);
  EXPECT_EQ(count_in(last), 3);
  EXPECT_EQ(series->open(), 0U);
  EXPECT_EQ(series->next_deadline(), Instant::max());
  happens();
  const EventWrite next = sends();
  EXPECT_FALSE(next.is_patch);
  EXPECT_NE(next.key.name, first.key.name);
}

TEST_F(EventSeriesTest, ASingleOccurrenceExpiresWithoutAWrite) {
  happens();
  sends();
  advance_time(6min);
  EXPECT_TRUE(is_idle());
  EXPECT_EQ(series->open(), 0U);
}

// A note often contains a counter or a time (trap 64).
TEST_F(EventSeriesTest, AllFieldsButTheNoteAreCompared) {
  happens();
  sends();
  happens(occurrence("a", "another note"));
  EXPECT_TRUE(sends().is_patch);

  std::vector<EventOccurrence> others(6, occurrence());
  others[0].type = EventType::warning;
  others[1].action = "Other";
  others[2].reason = "Other";
  others[3].regarding.name = "b";
  others[4].regarding.uid = "another";
  others[5].related = EventReference{.api_version = "v1", .kind = "Node", .name = "n"};
  for (const EventOccurrence& other : others) {
    happens(other);
    EXPECT_FALSE(sends().is_patch);
  }
}

// A patch that fails with 404 is followed by a create without `resourceVersion` (trap 65).
TEST_F(EventSeriesTest, ASeriesWithoutItsEventIsCreatedAnew) {
  happens();
  const EventWrite created = sends();
  happens();
  ASSERT_TRUE(due().is_patch);
  EXPECT_EQ(series->on_response(&not_found, now), EventSendResult::retry_later);
  const EventWrite again = sends();
  EXPECT_FALSE(again.is_patch);
  EXPECT_EQ(again.key, created.key);
  EXPECT_EQ(count_in(again), 2);
  EXPECT_EQ(json::find(again.body, "/metadata/resourceVersion"), nullptr);
  EXPECT_TRUE(is_idle());
}

// A create that fails with AlreadyExists may have succeeded before, so the series is patched (trap 66).
TEST_F(EventSeriesTest, ACreateOfAnExistingSeriesBecomesAPatch) {
  happens();
  sends();
  happens();
  due();
  series->on_response(&not_found, now);
  ASSERT_FALSE(due().is_patch);
  EXPECT_EQ(series->on_response(&already_exists, now), EventSendResult::retry_later);
  EXPECT_TRUE(is_idle()) << "after a pause";
  advance_time(13s);
  EXPECT_TRUE(sends().is_patch);
}

// A write without a response is tried 12 times, 10 s apart with jitter (trap 66).
TEST_F(EventSeriesTest, AWriteWithoutAResponseIsTriedTwelveTimes) {
  happens();
  std::set<Duration> pauses;
  for (int attempt = 1; attempt < 12; ++attempt) {
    due();
    ASSERT_EQ(series->on_response(&no_response, now), EventSendResult::retry_later) << attempt;
    const Duration pause = series->next_deadline() - now;
    EXPECT_GE(pause, 10s);
    EXPECT_LT(pause, 12500ms);
    pauses.insert(pause);
    EXPECT_TRUE(is_idle());
    advance_time(pause);
  }
  EXPECT_GT(pauses.size(), 5U);
  due();
  EXPECT_EQ(series->on_response(&no_response, now), EventSendResult::given_up);
  EXPECT_TRUE(is_idle());
  happens();
  EXPECT_FALSE(sends().is_patch) << "the next occurrence begins a new series";
}

// The server would refuse the same write again (trap 66).
TEST_F(EventSeriesTest, ARefusedWriteIsNotRepeated) {
  const Error overloaded = refused(ErrorCode::unavailable, 503);
  for (const Error& error : {forbidden, not_found, overloaded}) {
    happens();
    due();
    EXPECT_EQ(series->on_response(&error, now), EventSendResult::given_up);
    EXPECT_TRUE(is_idle());
  }
  happens();
  sends();
  happens();
  due();
  EXPECT_EQ(series->on_response(&forbidden, now), EventSendResult::given_up);
  happens();
  EXPECT_TRUE(is_idle()) << "a refused patch waits for the next refresh";
  for (int minute = 0; minute < 30; ++minute) {
    advance_time(1min);
    happens();
  }
  EXPECT_TRUE(sends().is_patch);
}

TEST_F(EventSeriesTest, AlreadyExistsAfterALostResponseCountsAsSent) {
  happens();
  const EventWrite first = due();
  series->on_response(&no_response, now);
  advance_time(13s);
  EXPECT_EQ(due().key, first.key);
  EXPECT_EQ(series->on_response(&already_exists, now), EventSendResult::sent);
  EXPECT_TRUE(is_idle());
  happens();
  EXPECT_TRUE(sends().is_patch);
}

TEST_F(EventSeriesTest, ATakenNameIsReplacedOnce) {
  happens();
  const EventWrite first = due();
  EXPECT_EQ(series->on_response(&already_exists, now), EventSendResult::retry_later);
  EXPECT_NE(due().key, first.key);
  EXPECT_EQ(series->on_response(&already_exists, now), EventSendResult::given_up);
}

TEST_F(EventSeriesTest, OccurrencesBeforeTheCreateAreCountedInIt) {
  happens();
  happens();
  happens();
  EXPECT_EQ(series->waiting(), 1U);
  const EventWrite created = sends();
  EXPECT_FALSE(created.is_patch);
  EXPECT_EQ(count_in(created), 3);
  EXPECT_TRUE(is_idle());
}

TEST_F(EventSeriesTest, OccurrencesDuringACreateMakeItASeries) {
  happens();
  due();
  happens();
  happens();
  series->on_response(nullptr, now);
  const EventWrite patched = sends();
  EXPECT_TRUE(patched.is_patch);
  EXPECT_EQ(count_in(patched), 3);
  EXPECT_TRUE(is_idle());
}

TEST_F(EventSeriesTest, ASeriesThatEndsDuringAWriteSendsItsLastCount) {
  happens();
  due();
  happens();
  advance_time(6min);
  EXPECT_EQ(series->open(), 0U);
  series->on_response(nullptr, now);
  EXPECT_EQ(count_in(sends()), 2);
  EXPECT_EQ(series->waiting(), 0U);
}

// The number of waiting writes is limited, and further ones are dropped (trap 66).
TEST_F(EventSeriesTest, AThousandWaitAndMoreAreRefused) {
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(happens(occurrence(std::to_string(i))), EventAdmission::accepted);
  EXPECT_EQ(happens(occurrence("one more")), EventAdmission::too_many_wait);
  EXPECT_EQ(happens(occurrence("7")), EventAdmission::accepted) << "an occurrence of a waiting Event is only counted";
  EXPECT_EQ(series->waiting(), 1000U);
  sends();
  EXPECT_EQ(happens(occurrence("one more")), EventAdmission::accepted);
}

// A limited number of series is kept, 4,096 by default (trap 69).
TEST_F(EventSeriesTest, TheLongestIdleSeriesIsEvicted) {
  make({.max_series = 3});
  for (const char* name : {"a", "b", "c"}) {
    happens(occurrence(name));
    sends();
  }
  happens(occurrence("a"));
  sends();
  happens(occurrence("d"));
  EXPECT_FALSE(sends().is_patch);
  EXPECT_EQ(series->open(), 3U);
  happens(occurrence("a"));
  EXPECT_TRUE(is_idle()) << "the series is kept, and the occurrence counted";
  happens(occurrence("b"));
  EXPECT_FALSE(sends().is_patch) << "the series has ended";
  // "d" makes room for "e", and "a" for "f". The server does not have the last count of "a", so that is sent.
  happens(occurrence("e"));
  happens(occurrence("f"));
  std::vector<std::int64_t> counts;
  while (auto write = series->next(now)) {
    counts.push_back(count_in(*write));
    series->on_response(nullptr, now);
  }
  EXPECT_EQ(counts, (std::vector<std::int64_t>{1, 1, 3}));
}

// Each object may cause 25 writes at once, then one every 300 s (trap 69).
TEST_F(EventSeriesTest, AnObjectMayCauseTwentyFiveWritesAtOnceAndOneEachFiveMinutes) {
  const auto different = [](int i) {
    EventOccurrence what = occurrence();
    what.reason = "Reason" + std::to_string(i);
    return what;
  };
  for (int i = 0; i < 25; ++i) {
    ASSERT_EQ(happens(different(i)), EventAdmission::accepted) << i;
    sends();
  }
  EXPECT_EQ(happens(different(25)), EventAdmission::too_many_of_one_object);
  EXPECT_EQ(happens(occurrence("b")), EventAdmission::accepted) << "each object has its own limit";
  sends();
  EXPECT_EQ(happens(different(0)), EventAdmission::accepted);
  EXPECT_TRUE(is_idle()) << "the occurrence is counted, and the write waits";
  advance_time(299s);
  EXPECT_EQ(happens(different(26)), EventAdmission::too_many_of_one_object);
  advance_time(1s);
  EXPECT_EQ(happens(different(0)), EventAdmission::accepted);
  EXPECT_EQ(count_in(sends()), 3) << "the token was used for the patch that begins the series";
}

TEST_F(EventSeriesTest, AStopSendsEveryCountOnce) {
  happens(occurrence("a"));
  sends();
  happens(occurrence("a"));
  sends();
  happens(occurrence("a"));
  happens(occurrence("b"));
  sends();
  happens(occurrence("c"));
  due();
  series->on_response(&no_response, now);
  series->finish_all();
  const EventWrite c = due();
  EXPECT_FALSE(c.is_patch);
  EXPECT_EQ(series->on_response(&no_response, now), EventSendResult::given_up);
  EXPECT_EQ(count_in(sends()), 3);
  EXPECT_TRUE(is_idle());
  EXPECT_EQ(series->waiting(), 0U);
  EXPECT_EQ(series->open(), 0U);
}

// An Event must have a namespace (trap 67).
TEST_F(EventSeriesTest, EventsOfObjectsWithoutANamespaceAreInDefault) {
  EventOccurrence what = occurrence();
  what.regarding.namespace_.clear();
  happens(what);
  const EventWrite write = sends();
  EXPECT_EQ(write.key.namespace_, "default");
  EXPECT_EQ(json::find(write.body, "/regarding/namespace"), nullptr);
}

// A server refuses texts that are empty, too long or no qualified name (trap 68).
TEST_F(EventSeriesTest, EveryFieldIsValid) {
  make({.reporting_controller = "my operator/with (odd) signs_", .reporting_instance = std::string(300, 'i')});
  EventOccurrence what = occurrence("a", std::string(1023, 'n') + "äöü");
  what.action = "";
  what.reason = std::string(200, 'r');
  happens(what);
  const EventWrite write = sends();
  EXPECT_EQ(text(write.body, "/note"), std::string(1023, 'n')) << "no incomplete character";
  EXPECT_EQ(text(write.body, "/reason").size(), 128U);
  EXPECT_EQ(text(write.body, "/action"), "Unspecified");
  EXPECT_EQ(text(write.body, "/reportingController"), "my-operator-with--odd--signs");
  EXPECT_EQ(text(write.body, "/reportingInstance").size(), 128U);
}

// Some names of objects are no valid names of Events (traps 67 and 68).
TEST(EventName, IsASubdomainWhateverTheObjectIsCalled) {
  Random random(5);
  const auto number = [&] { return random.next(); };
  EXPECT_EQ(event_name("a.b-c", 0xabc, number), "a.b-c.abc");
  const std::string longest(253, 'x');
  const std::string cut_at_a_dot = std::string(235, 'x') + ".-" + std::string(16, 'y');
  for (const std::string& name :
       {longest, cut_at_a_dot, std::string("system:node:a"), std::string("Upper"), std::string()}) {
    const std::string made = event_name(name, 0x1234567890abcdef, number);
    EXPECT_FALSE(names::validate_dns1123_subdomain(made)) << made;
  }
  EXPECT_TRUE(event_name(longest, 0x1234567890abcdef, number).starts_with(std::string(236, 'x')));
  const std::string uuid = event_name("Upper", 1, number);
  ASSERT_EQ(uuid.size(), 36U);
  EXPECT_EQ(uuid[14], '4');
}

TEST_F(EventSeriesTest, NamesAreNeverUsedTwice) {
  std::set<std::string> names;
  for (int i = 0; i < 500; ++i) {
    EventOccurrence what = occurrence("a");
    what.regarding.uid = std::to_string(i);
    happens(what);
    names.insert(sends().key.name);
  }
  EXPECT_EQ(names.size(), 500U);
}

// With random occurrences and responses the limits hold, no count decreases, and in the end nothing waits.
TEST_F(EventSeriesTest, KeepsItsLimitsUnderRandomOperations) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    random = Random(seed);
    make({.max_series = 5, .max_waiting = 3});
    std::map<ObjectKey, std::int64_t> server;
    for (int step = 0; step < 2000; ++step) {
      if (random.below(3) == 0) happens(occurrence(std::to_string(random.below(9))));
      if (random.below(20) == 0) advance_time(std::chrono::seconds(random.below(600)));
      ASSERT_LE(series->open(), 5U);
      ASSERT_LE(series->waiting(), 3U);
      const auto write = series->next(now);
      if (!write) continue;
      const Error* response = nullptr;
      if (write->is_patch ? server.count(write->key) == 0 : server.count(write->key) != 0) {
        response = write->is_patch ? &not_found : &already_exists;
      } else if (random.below(4) == 0) {
        response = random.below(2) == 0 ? &no_response : &forbidden;
      } else {
        ASSERT_GE(count_in(*write), server[write->key]) << "a count never decreases";
        server[write->key] = count_in(*write);
        if (random.below(10) == 0) server.erase(write->key);
      }
      series->on_response(response, now);
    }
    series->finish_all();
    for (int i = 0; i < 200; ++i) {
      if (series->next(now)) series->on_response(nullptr, now);
    }
    EXPECT_EQ(series->waiting(), 0U);
    EXPECT_EQ(series->open(), 0U);
    EXPECT_EQ(series->next_deadline(), Instant::max());
  }
}

}  // namespace
}  // namespace pintle
