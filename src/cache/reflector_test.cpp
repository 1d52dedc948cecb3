// SPDX-License-Identifier: Apache-2.0
// Lists, watches and retries of the reflector.
#include <pintle/cache/reflector.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reflector_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// The first list takes any state, in pages, and the watch begins at the version of the list (traps 2, 13 and 15).
TEST(Reflector, ListsThenWatchesFromTheVersionOfTheList) {
  Reflector r = reflector();
  EXPECT_EQ(text(r.start()), "list(0,500)");
  EXPECT_EQ(text(on_list(r, page("7", {"a", "b"}), start)), "replace(a,b) watch(7)");
  EXPECT_EQ(r.resource_version(), "7");
}

TEST(Reflector, ReadsTheNewestStateAtTheStartOnRequest) {
  Reflector r = reflector();
  EXPECT_EQ(text(r.start(start, true)), "list(,500)");
  EXPECT_EQ(text(on_list(r, page("7", {"a"}), start)), "replace(a) watch(7)");
  r.on_watch_open(start);
  EXPECT_EQ(text(r.on_watch_end(fail(refusal(ErrorCode::expired, 410, "Gone")), start)), "trouble list(7,500)");
}

// With one fixed time the watches of many clients would end together (trap 7).
TEST(Reflector, RequestsAWatchOfFiveToTenMinutes) {
  for (const double random : {0.0, 0.5, 0.999}) {
    Reflector r = reflector(random);
    (void)r.start();
    const auto actions = on_list(r, page("7", {}), start);
    const auto timeout = std::get<StartWatch>(actions.at(1)).timeout;
    EXPECT_GE(timeout, 300s);
    EXPECT_LT(timeout, 600s);
  }
}

// The request for a later page has the token and no version (trap 16).
TEST(Reflector, ReadsAllPagesBeforeItReplaces) {
  Reflector r = reflector();
  (void)r.start();
  EXPECT_EQ(text(on_list(r, page("7", {"a"}, "t1"), start)), "list(,500,t1)");
  EXPECT_EQ(text(on_list(r, page("7", {"b"}, "t2"), start)), "list(,500,t2)");
  EXPECT_EQ(text(on_list(r, page("7", {"c"}), start)), "replace(a,b,c) watch(7)");
}

// Pages that expired once would probably expire again (trap 17).
TEST(Reflector, ReadsAllAtOnceWhenThePagesExpire) {
  Reflector r = watching();
  (void)r.on_watch_end(fail(refusal(ErrorCode::unavailable, 500, "InternalError")), start);
  EXPECT_EQ(text(r.on_timer()), "list(7,500)");
  EXPECT_EQ(text(on_list(r, page("8", {"a"}, "t1"), start)), "list(,500,t1)");
  EXPECT_EQ(text(r.on_list_end(fail(refusal(ErrorCode::expired, 410, "Expired")), start)), "trouble list(7,0)");
  EXPECT_EQ(text(on_list(r, page("9", {"a", "b"}), start)), "replace(a,b) watch(9)");

  Reflector first = reflector();
  (void)first.start();
  (void)on_list(first, page("7", {"a"}, "t1"), start);
  EXPECT_EQ(text(first.on_list_end(fail(refusal(ErrorCode::expired, 410, "Expired")), start)), "trouble list(0,0)")
      << "a list in pages could expire again";
}

// A list without a limit is expensive for the server, and the failure may have been a consequence.
TEST(Reflector, ReadsPagesAgainAfterAFailedListOfAll) {
  Reflector r = reflector();
  (void)r.start();
  (void)on_list(r, page("7", {"a"}, "t1"), start);
  EXPECT_EQ(text(r.on_list_end(fail(refusal(ErrorCode::expired, 410, "Expired")), start)), "trouble list(0,0)");
  EXPECT_EQ(text(r.on_list_end(fail(refusal(ErrorCode::timeout, 504, "Timeout")), start)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "list(0,500)");
}

// If the server no longer has the requested version, or does not have it yet, the reflector immediately repeats the
// list without a version, but only once (traps 2 to 4).
TEST(Reflector, ReadsTheNewestWhenItsVersionIsUnavailable) {
  Error too_large = refusal(ErrorCode::timeout, 504, "Timeout");
  too_large.causes.push_back({.reason = "ResourceVersionTooLarge"});
  Error too_large_in_words = refusal(ErrorCode::timeout, 504, "Timeout");
  too_large_in_words.message = "Too large resource version: 9, current: 8";
  const std::vector<Error> unavailable{refusal(ErrorCode::expired, 410, "Expired"),
                                       refusal(ErrorCode::expired, 410, "Gone"), too_large, too_large_in_words};
  for (const Error& error : unavailable) {
    Reflector r = watching();
    (void)r.on_watch_end(fail(refusal(ErrorCode::unavailable, 500, "InternalError")), start);
    EXPECT_EQ(text(r.on_timer()), "list(7,500)");
    EXPECT_EQ(text(r.on_list_end(fail(error), start)), "trouble list(,500)") << error.to_string();
    EXPECT_EQ(text(r.on_list_end(fail(error), start)), "trouble timer(1.6s)") << "the second attempt waits";
    EXPECT_EQ(text(r.on_timer()), "list(,500)");
    EXPECT_EQ(text(on_list(r, page("3", {}), start)), "replace() watch(3)")
        << "a restored server may have a lower version";
  }
}

// The delays grow, and start over if the last failure is more than two minutes ago (trap 1).
TEST(Reflector, BacksOffFromFailedListsAndResetsAfterTwoMinutes) {
  Reflector r = reflector();
  (void)r.start();
  const Error error = refusal(ErrorCode::unreachable, 0, "");
  EXPECT_EQ(text(r.on_list_end(fail(error), start)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "list(0,500)");
  EXPECT_EQ(text(r.on_list_end(fail(error), start + 1s)), "trouble timer(1.6s)");
  (void)r.on_timer();
  EXPECT_EQ(text(r.on_list_end(fail(error), start + 3s)), "trouble timer(3.2s)");
  (void)r.on_timer();
  EXPECT_EQ(text(r.on_list_end(fail(error), start + 3min + 4s)), "trouble timer(800ms)");
}

TEST(Reflector, WaitsAsLongAsTheServerRequests) {
  Error overloaded = refusal(ErrorCode::too_many_requests, 429, "TooManyRequests");
  overloaded.retry_after = 60s;
  Error starting = refusal(ErrorCode::unavailable, 503, "ServiceUnavailable");
  starting.retry_after = 24h;

  Reflector r = watching();
  EXPECT_EQ(text(r.on_watch_end(fail(overloaded), start)), "trouble timer(" + format_duration(60s) + ")");
  EXPECT_EQ(text(r.on_timer()), "watch(7)");
  Reflector lists = reflector();
  (void)lists.start();
  EXPECT_EQ(text(lists.on_list_end(fail(starting), start)), "trouble timer(" + format_duration(5min) + ")")
      << "longer times are not credible";
  Reflector streams = streaming();
  EXPECT_EQ(text(streams.on_watch_end(fail(overloaded), start)), "trouble timer(" + format_duration(60s) + ")");
  starting.retry_after = 100ms;
  EXPECT_EQ(text(watching().on_watch_end(fail(starting), start)), "trouble timer(800ms)");
}

TEST(Reflector, RefusesABodyThatIsNoList) {
  for (const char* body : {"", "{", "[]", "{\"metadata\":{}}", R"({"metadata":{"resourceVersion":"1"},"items":3})"}) {
    Reflector r = reflector();
    (void)r.start();
    EXPECT_EQ(text(on_list(r, body, start)), "trouble timer(800ms)") << body;
  }
}

TEST(Reflector, ReadsEventsInPiecesOfAnySize) {
  const std::string stream =
      event("ADDED", "b", "8") + event("MODIFIED", "a", "9") + "\n" + event("DELETED", "b", "10");
  for (std::size_t size = 1; size < stream.size(); size += 7) {
    Reflector r = watching();
    std::string all;
    for (std::size_t at = 0; at < stream.size(); at += size) {
      const std::string some = text(r.on_watch_bytes(std::string_view(stream).substr(at, size)));
      if (!some.empty()) all += some + " ";
    }
    EXPECT_EQ(all.substr(0, all.size() - 1), "put(b) put(a) erase(b)") << size;
    EXPECT_EQ(r.resource_version(), "10");
  }
}

// The object of a bookmark has no content (trap 8).
TEST(Reflector, ABookmarkChangesOnlyTheVersion) {
  Reflector r = watching();
  EXPECT_EQ(text(r.on_watch_bytes(event("BOOKMARK", "", "12"))), "");
  EXPECT_EQ(text(r.on_watch_end({}, start + 5min)), "watch(12)");
}

// The initial events are in no order of versions (trap 10).
TEST(Reflector, DoesNotTakeVersionsFromTheInitialEventsOfAWatchFromZero) {
  Reflector r = reflector();
  (void)r.start();
  EXPECT_EQ(text(on_list(r, page("0", {}), start)), "replace() watch(0)");
  (void)r.on_watch_bytes(event("ADDED", "a", "50") + event("ADDED", "b", "20"));
  EXPECT_EQ(r.resource_version(), "0");
  (void)r.on_watch_bytes(event("MODIFIED", "b", "60"));
  EXPECT_EQ(r.resource_version(), "60");
  (void)r.on_watch_bytes(event("ADDED", "c", "61"));
  EXPECT_EQ(r.resource_version(), "61");
}

// A `Table` must not reach the cache (trap 11).
TEST(Reflector, DropsEventsOfAnotherKind) {
  Reflector r = watching();
  EXPECT_EQ(text(r.on_watch_bytes(
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\"}}\n")),
            "trouble");
  EXPECT_EQ(r.resource_version(), "7");
}

// An expired version, reported in the stream or when the watch is opened, leads to a list from the last version (trap
// 3).
TEST(Reflector, ListsAnewWhenTheWatchHasExpired) {
  Reflector in_stream = watching();
  EXPECT_EQ(text(in_stream.on_watch_bytes(error_event(410, "Expired"))), "");
  EXPECT_TRUE(in_stream.should_end_watch());
  EXPECT_EQ(text(in_stream.on_watch_end({}, start)), "trouble list(7,500)");

  Reflector at_opening = watching();
  EXPECT_EQ(text(at_opening.on_watch_end(fail(refusal(ErrorCode::expired, 410, "Gone")), start)),
            "trouble list(7,500)");
}

// The history of a watch can be shorter than that of a list. Only a list can find that a version is gone, and the next
// watch that expires is again followed by a list from the last version (trap 5).
TEST(Reflector, TheListAfterAnExpiredWatchFindsOutWhetherItsVersionIsGone) {
  Reflector r = watching();
  (void)r.on_watch_bytes(error_event(410, "Expired"));
  ASSERT_EQ(text(r.on_watch_end({}, start)), "trouble list(7,500)");
  EXPECT_EQ(text(r.on_list_end(fail(refusal(ErrorCode::expired, 410, "Expired")), start)), "trouble list(,500)");
  EXPECT_EQ(text(on_list(r, page("9", {"a"}), start)), "replace(a) watch(9)");
  r.on_watch_open(start + 5min);
  const auto again = r.on_watch_end(fail(refusal(ErrorCode::expired, 410, "Gone")), start + 5min);
  EXPECT_EQ(text(again), "trouble list(9,500)");
}

// The version is still good, and a list is expensive (trap 6).
TEST(Reflector, WatchesFromTheSameVersionAfterATemporaryError) {
  for (const Error& error :
       {refusal(ErrorCode::unreachable, 0, ""), refusal(ErrorCode::too_many_requests, 429, "TooManyRequests")}) {
    Reflector r = watching();
    EXPECT_EQ(text(r.on_watch_end(fail(error), start)), "trouble timer(800ms)");
    EXPECT_EQ(text(r.on_timer()), "watch(7)");
  }
  Reflector r = watching();
  EXPECT_EQ(text(r.on_watch_end({}, start + 5min)), "watch(7)") << "the end of a stream without an error is normal";
}

TEST(Reflector, ListsAnewAfterAnyOtherRefusal) {
  Reflector r = watching();
  (void)r.on_watch_bytes(error_event(500, "InternalError"));
  EXPECT_EQ(text(r.on_watch_end({}, start)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "list(7,500)");
}

// A server or proxy may close every watch (trap 9).
TEST(Reflector, DoesNotSpinOnWatchesThatEndAtOnce) {
  Reflector r = watching();
  EXPECT_EQ(text(r.on_watch_end({}, start + 500ms)), "timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "watch(7)");
  r.on_watch_open(start + 2s);
  (void)r.on_watch_bytes(event("MODIFIED", "a", "8"));
  EXPECT_EQ(text(r.on_watch_end({}, start + 2s)), "watch(8)") << "a watch with events may end at any time";
}

// A response with all objects in one piece could take longer than a server allows. Without a match, a version with a
// limit would mean exactly that version; with `NotOlderThan` the server can page the relist (trap 15).
TEST(Reflector, ARelistIsPagedAndNotOlderThanTheCache) {
  Reflector r = watching();
  (void)r.on_watch_end(fail(refusal(ErrorCode::unavailable, 500, "InternalError")), start);
  const auto actions = r.on_timer();
  EXPECT_EQ(text(actions), "list(7,500)");
  EXPECT_EQ(std::get<StartList>(actions.at(0)).resource_version_match, "NotOlderThan");
  const auto next = on_list(r, page("9", {"a"}, "t1"), start);
  EXPECT_EQ(text(next), "list(,500,t1)");
  EXPECT_EQ(std::get<StartList>(next.at(0)).resource_version_match, "") << "the continue token contains the version";
}

// A version below that of the cache belongs to another history of the same resource.
TEST(Reflector, AVersionBelowTheCacheEndsTheWatchAndLists) {
  for (const std::string& older :
       {event("MODIFIED", "a", "5"), event("DELETED", "a", "6"), event("BOOKMARK", "", "3")}) {
    Reflector r = watching();
    EXPECT_EQ(text(r.on_watch_bytes(older + event("ADDED", "b", "8"))), "") << older;
    EXPECT_TRUE(r.should_end_watch());
    EXPECT_EQ(r.resource_version(), "7");
    EXPECT_EQ(text(r.on_watch_end(fail(ErrorCode::cancelled, "ended by us"), start)), "trouble list(,500)")
        << "the newest state, since the version of the cache is invalid";
    const auto actions = on_list(r, page("5", {"a"}), start);
    EXPECT_EQ(text(actions), "replace(a) watch(5)");
    EXPECT_TRUE(std::get<Replace>(actions.at(0)).may_follow_rewind);
    EXPECT_TRUE(std::get<Replace>(actions.at(0)).follows_rewind) << "also if the list contains what the cache contains";
  }
}

TEST(Reflector, AnOutdatedListIsRepeatedAtTheNewestVersion) {
  Reflector r = watching();
  (void)r.on_watch_end(fail(refusal(ErrorCode::unavailable, 500, "InternalError")), start);
  (void)r.on_timer();
  EXPECT_EQ(text(on_list(r, page("3", {"old"}), start)), "trouble list(,500)");
  EXPECT_EQ(text(on_list(r, page("4", {"a"}), start)), "replace(a) watch(4)") << "the second list is accepted";
}

TEST(Reflector, VersionsThatAreNoNumbersAreUsedInOrderOfArrival) {
  Reflector r = reflector();
  (void)r.start();
  (void)on_list(r, page("v-9", {"a"}), start);
  EXPECT_EQ(text(r.on_watch_bytes(event("MODIFIED", "a", "v-3"))), "put(a)");
  EXPECT_EQ(r.resource_version(), "v-3");
}

// The server drops its history faster than a watch can follow a list.
TEST(Reflector, BacksOffWhenEachWatchIsExpired) {
  Reflector r = watching();
  Instant now = start;
  std::size_t lists = 0;
  while (now < start + 1h) {
    auto actions = r.on_watch_end(fail(refusal(ErrorCode::expired, 410, "Expired")), now);
    if (const auto* timer = std::get_if<StartTimer>(&actions.back())) {
      now = after(now, timer->delay);
      actions = r.on_timer();
    }
    ASSERT_TRUE(std::holds_alternative<StartList>(actions.back())) << text(actions);
    ASSERT_LT(++lists, 500U);
    (void)on_list(r, page("7", {"a"}), now);
    r.on_watch_open(now);
    now = after(now, 1ms);
  }
  EXPECT_LE(lists, 150U);
  EXPECT_GE(lists, 50U) << "the reflector does not give up";
}

// While a server restarts, the delays between the attempts grow. The list after its first response does not wait too.
TEST(Reflector, ListsAtOnceIfTheVersionIsGoneAfterARestart) {
  Reflector r = watching();
  const Error expired = refusal(ErrorCode::expired, 410, "Expired");
  EXPECT_EQ(text(r.on_watch_end(fail(refusal(ErrorCode::unreachable, 0, "")), start)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "watch(7)");
  EXPECT_EQ(text(r.on_watch_end(fail(refusal(ErrorCode::unreachable, 0, "")), start + 1s)), "trouble timer(1.6s)");
  EXPECT_EQ(text(r.on_timer()), "watch(7)");

  EXPECT_EQ(text(r.on_watch_end(fail(expired), start + 3s)), "trouble list(7,500)");
  EXPECT_EQ(text(on_list(r, page("9", {"a"}), start + 3s)), "replace(a) watch(9)");

  EXPECT_EQ(text(r.on_watch_end(fail(expired), start + 3s)), "trouble timer(3.2s)") << "the second one waits";
  EXPECT_EQ(text(r.on_timer()), "list(9,500)");
}

// Returns the timeout of the watch that the actions start, or 0.
std::chrono::seconds timeout_of(const Reflector::Actions& actions) {
  const auto* watch = std::get_if<StartWatch>(&actions.back());
  return watch == nullptr ? 0s : watch->timeout;
}

// After the connection was lost, the address may belong to another server, whose history is below the version of the
// cache.
TEST(Reflector, ListsSoonAfterABrokenWatch) {
  for (const bool is_cut_well : {false, true}) {
    SCOPED_TRACE(is_cut_well);
    Reflector r = watching();
    Reflector::Actions actions;
    if (is_cut_well) {
      actions = r.on_watch_end({}, start + 30s);
    } else {
      EXPECT_EQ(text(r.on_watch_end(fail(refusal(ErrorCode::unreachable, 0, "")), start + 30s)),
                "trouble timer(800ms)");
      actions = r.on_timer();
    }
    ASSERT_EQ(text(actions), "watch(7)") << "with jitter, since all clients of a server lose it together";
    EXPECT_LE(timeout_of(actions), 2min);
    r.on_watch_open(start + 31s);
    actions = r.on_watch_end({}, start + 31s + timeout_of(actions));
    ASSERT_EQ(text(actions), "list(,500)") << "only the newest state shows whether the version still exists";
    const auto listed = on_list(r, page("9", {"a"}), start + 5min);
    EXPECT_TRUE(std::get<Replace>(listed.at(0)).may_follow_rewind);
    EXPECT_GE(timeout_of(listed), 300s) << "the timeout is normal again";
  }
  Reflector r = watching();
  EXPECT_EQ(text(r.on_watch_end(fail(refusal(ErrorCode::too_many_requests, 429, "")), start)), "trouble timer(800ms)");
  EXPECT_GE(timeout_of(r.on_timer()), 300s) << "a busy server has not changed";
}

// A proxy cuts every connection after a minute.
TEST(Reflector, ListsSeldomIfEveryWatchIsTruncated) {
  Reflector r = watching();
  Instant now = start;
  std::size_t lists = 0;
  while (now < start + 24h) {
    now = after(now, 1min);
    auto actions = r.on_watch_end({}, now);
    if (std::holds_alternative<StartList>(actions.back())) {
      ++lists;
      actions = on_list(r, page("7", {"a"}), now);
    }
    ASSERT_TRUE(std::holds_alternative<StartWatch>(actions.back())) << text(actions);
    r.on_watch_open(now);
  }
  EXPECT_GE(lists, 20U);
  EXPECT_LE(lists, 40U) << "one each hour, and a few at the beginning";
}

TEST(Reflector, ListsWhenTheServerContradictsTheCache) {
  Reflector r = watching();
  r.on_version_conflict(start);
  EXPECT_TRUE(r.should_end_watch());
  EXPECT_EQ(text(r.on_watch_end(fail(ErrorCode::cancelled, "ended by us"), start)), "trouble list(,500)");
  (void)on_list(r, page("7", {"a"}), start + 1s);
  r.on_watch_open(start + 1s);
  r.on_version_conflict(start + 2s);
  EXPECT_FALSE(r.should_end_watch()) << "it was checked a second ago";
  r.on_version_conflict(start + 5min);
  EXPECT_TRUE(r.should_end_watch());
}

TEST(Reflector, EndsAStreamThatIsNoJsonOrHasNoEnd) {
  Reflector broken = watching();
  EXPECT_EQ(text(broken.on_watch_bytes("}{\n" + event("ADDED", "b", "8"))), "");
  EXPECT_TRUE(broken.should_end_watch());
  EXPECT_EQ(text(broken.on_watch_end(fail(ErrorCode::cancelled, "ended by us"), start)), "trouble timer(800ms)");

  Reflector endless({.kind = {"v1", "ConfigMap"}, .max_event_size = 100});
  (void)endless.start();
  (void)on_list(endless, page("7", {}), start);
  EXPECT_EQ(text(endless.on_watch_bytes(std::string(101, 'x'))), "");
  EXPECT_TRUE(endless.should_end_watch());
}

// The initial events are complete at the annotated bookmark, and the stream continues as a watch (traps 20 and 23).
TEST(Reflector, AStreamReplacesTheListOnceItIsComplete) {
  Reflector r = streaming();
  EXPECT_EQ(text(r.on_watch_bytes(event("ADDED", "b", "50") + event("ADDED", "a", "20") + event("ADDED", "c", "30"))),
            "");
  EXPECT_EQ(text(r.on_watch_bytes(event("BOOKMARK", "", "52"))), "")
      << "a bookmark without the annotation does not end the initial events";
  EXPECT_EQ(text(r.on_watch_bytes(event("DELETED", "c", "53") + event("MODIFIED", "a", "54"))), "");
  EXPECT_EQ(r.resource_version(), "");
  const auto actions = r.on_watch_bytes(all_sent("54") + event("ADDED", "d", "55"));
  EXPECT_EQ(text(actions), "replace(a,b) put(d)");
  EXPECT_EQ(std::get<Replace>(actions.at(0)).resource_version, "54") << "later events are not part of the list";
  EXPECT_EQ(r.resource_version(), "55");
  EXPECT_EQ(text(r.on_watch_end({}, start + 5min)), "watch(55)");
}

// Each attempt would delay the cache.
TEST(Reflector, RemembersForADayThatTheServerRejectsStreams) {
  for (const int status : {400, 405, 422}) {
    Reflector r = streaming();
    EXPECT_EQ(text(r.on_watch_end(fail(refusal(ErrorCode::invalid, status, "Invalid")), start)), "trouble list(0,500)");
    EXPECT_EQ(text(on_list(r, page("7", {"a"}), start)), "replace(a) watch(7)");
    r.on_watch_open(start);
    (void)r.on_watch_bytes(error_event(410, "Expired"));
    EXPECT_EQ(text(r.on_watch_end({}, start + 23h)), "trouble list(7,500)");
    (void)on_list(r, page("8", {"a"}), start + 23h);
    r.on_watch_open(start + 23h);
    (void)r.on_watch_bytes(error_event(410, "Expired"));
    EXPECT_EQ(text(r.on_watch_end({}, start + 25h)), "trouble stream(8)") << "the server may have been upgraded";
  }
}

// All caches of a kind have the same server.
TEST(Reflector, SharesThatTheServerRejectsStreams) {
  const auto pause = std::make_shared<std::atomic<Instant>>();
  const ReflectorOptions options{.kind = {"v1", "ConfigMap"}, .list_mode = ListMode::streaming, .stream_pause = pause};
  Reflector first(options);
  EXPECT_EQ(text(first.start(start)), "stream()");
  EXPECT_EQ(text(first.on_watch_end(fail(refusal(ErrorCode::invalid, 422, "Invalid")), start)), "trouble list(0,500)");
  EXPECT_EQ(text(Reflector(options).start(start + 23h)), "list(0,500)");
  EXPECT_EQ(text(Reflector(options).start(start + 24h)), "stream()");
}

// A server that ignores the parameter sends no bookmark that ends the initial events, however long the stream lasts
// (trap 22).
TEST(Reflector, AStreamThatPausesWithoutItsEndIsReplacedByAList) {
  Reflector r = streaming();
  (void)r.on_watch_bytes(event("ADDED", "a", "5"));
  ASSERT_EQ(r.stream_deadline(), start + 10s);
  r.on_stream_pause(start + 10s);
  EXPECT_FALSE(r.should_end_watch()) << "an object has arrived";
  (void)r.on_watch_bytes(event("MODIFIED", "a", "6") + event("BOOKMARK", "", "6"));
  r.on_stream_pause(start + 20s);
  EXPECT_TRUE(r.should_end_watch()) << "changes are no progress";
  EXPECT_FALSE(r.stream_deadline());
  EXPECT_EQ(text(r.on_watch_end(fail(ErrorCode::cancelled, "ended by us"), start + 20s)), "trouble list(0,500)");
  EXPECT_EQ(text(on_list(r, page("7", {"b"}), start + 21s)), "replace(b) watch(7)");
  r.on_watch_open(start + 21s);
  (void)r.on_watch_bytes(error_event(410, "Expired"));
  EXPECT_EQ(text(r.on_watch_end({}, start + 1h)), "trouble list(7,500)") << "the next stream would pause as well";

  Reflector endless = streaming();
  Instant now = start;
  for (int i = 0; i < 100 && !endless.should_end_watch(); ++i) {
    (void)endless.on_watch_bytes(event("ADDED", "n" + std::to_string(i), std::to_string(5 + i)));
    now = endless.stream_deadline().value();
    endless.on_stream_pause(now);
  }
  EXPECT_EQ(now, start + 1min);

  Reflector complete = streaming();
  (void)complete.on_watch_bytes(event("ADDED", "a", "5") + all_sent("6"));
  EXPECT_FALSE(complete.stream_deadline());
  complete.on_stream_pause(start + 1h);
  EXPECT_FALSE(complete.should_end_watch()) << "the stream is a watch now";
}

// Another stream could fail in the same way for ever (traps 21 and 22).
TEST(Reflector, ListsOnceWhenTheStreamFailsOrEndsTooEarly) {
  Reflector refused = streaming();
  EXPECT_EQ(text(refused.on_watch_end(fail(refusal(ErrorCode::unavailable, 500, "InternalError")), start)),
            "trouble list(0,500)");
  EXPECT_EQ(text(on_list(refused, page("7", {"a"}), start)), "replace(a) watch(7)");
  refused.on_watch_open(start);
  EXPECT_EQ(text(refused.on_watch_bytes(event("ADDED", "b", "8"))), "put(b)");
  (void)refused.on_watch_bytes(error_event(410, "Expired"));
  EXPECT_EQ(text(refused.on_watch_end({}, start)), "trouble stream(8)") << "the next attempt streams again";

  Reflector cut = streaming();
  (void)cut.on_watch_bytes(event("ADDED", "a", "50"));
  EXPECT_EQ(text(cut.on_watch_end({}, start + 5min)), "trouble list(0,500)");
  EXPECT_EQ(text(on_list(cut, page("7", {"b"}), start)), "replace(b) watch(7)")
      << "the list replaces the objects of the stream";
}

// A lost connection is temporary, and a stream can begin without the version that the server lost (traps 19 and 21).
TEST(Reflector, StreamsAgainAfterTemporaryFailures) {
  Reflector r = streaming();
  (void)r.on_watch_bytes(event("ADDED", "a", "50"));
  EXPECT_EQ(text(r.on_watch_end(fail(refusal(ErrorCode::unreachable, 0, "")), start)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "stream()");
  EXPECT_EQ(text(r.on_watch_bytes(all_sent("60"))), "replace()")
      << "the new stream replaces the objects of the former one";
  (void)r.on_watch_bytes(error_event(410, "Expired"));
  EXPECT_EQ(text(r.on_watch_end({}, start + 3min)), "trouble stream(60)");
  const Error expired = refusal(ErrorCode::expired, 410, "Expired");
  EXPECT_EQ(text(r.on_watch_end(fail(expired), start + 3min)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "stream()") << "at the newest version, since that version is unavailable";
  EXPECT_EQ(text(r.on_watch_end(fail(expired), start)), "trouble list(,500)") << "the stream is tried only once";
}

// A replica that lags behind, or a server that was rewound, does not have the version (trap 19).
TEST(Reflector, AStreamAtAVersionThatIsTooLargeIsRepeatedAtTheNewestVersion) {
  Reflector r = streaming();
  (void)r.on_watch_bytes(all_sent("60"));
  (void)r.on_watch_bytes(error_event(410, "Expired"));
  EXPECT_EQ(text(r.on_watch_end({}, start + 3min)), "trouble stream(60)");
  (void)r.on_watch_bytes(R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","code":504,)"
                         R"("reason":"Timeout","message":"Timeout: Too large resource version: 60, current: 50",)"
                         R"("details":{"causes":[{"reason":"ResourceVersionTooLarge"}],"retryAfterSeconds":1}}})"
                         "\n");
  EXPECT_EQ(text(r.on_watch_end({}, start + 3min)), "trouble timer(1s)") << "the server sends Retry-After";
  EXPECT_EQ(text(r.on_timer()), "stream()");
}

// The new stream requests the newest state, because the server may have been rewound (trap 19).
TEST(Reflector, AnOutdatedStreamIsRepeatedAtTheNewestVersion) {
  Reflector r = streaming();
  (void)r.on_watch_bytes(all_sent("60"));
  (void)r.on_watch_bytes(error_event(410, "Expired"));
  EXPECT_EQ(text(r.on_watch_end({}, start + 3min)), "trouble stream(60)");
  EXPECT_EQ(text(r.on_watch_bytes(event("ADDED", "old", "40") + all_sent("50"))), "");
  EXPECT_TRUE(r.should_end_watch());
  EXPECT_EQ(text(r.on_watch_end(fail(ErrorCode::cancelled, "ended by us"), start + 3min)), "trouble timer(800ms)");
  EXPECT_EQ(text(r.on_timer()), "stream()");
  EXPECT_EQ(text(r.on_watch_bytes(event("ADDED", "a", "51") + all_sent("52"))), "replace(a)");
}

}  // namespace
}  // namespace pintle
