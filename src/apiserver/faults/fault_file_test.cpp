// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <pintle/apiserver/faults.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// The only rule in a file.
ServerFault rule_of(const std::string& text) {
  const auto faults = parse_faults("faults:\n- " + text);
  EXPECT_TRUE(faults) << faults.error().message;
  return faults && faults->rules.size() == 1 ? faults->rules[0] : ServerFault{};
}

template <class Effect>
Effect effect_of(const std::string& text) {
  const ServerFault rule = rule_of(text);
  EXPECT_TRUE(std::holds_alternative<Effect>(rule.effect)) << text;
  return std::holds_alternative<Effect>(rule.effect) ? std::get<Effect>(rule.effect) : Effect{};
}

// One line "place: message" for each mistake.
std::string mistakes_in(const std::string& text) {
  const auto faults = parse_faults(text);
  if (faults) return "none";
  std::string lines;
  for (const StatusCause& cause : faults.error().causes) lines += cause.field + ": " + cause.message + "\n";
  return lines.empty() ? faults.error().message : lines;
}

TEST(FaultFile, ReadsEveryEffect) {
  const auto response = effect_of<http::ErrorResponse>("error: {status: 503, retryAfterSeconds: 2, afterCommit: true}");
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.reason, "ServiceUnavailable");
  EXPECT_EQ(response.headers.get("retry-after"), "2");
  EXPECT_TRUE(response.after_commit);
  const auto plain = effect_of<http::ErrorResponse>("error: {status: 500, reason: Mine}");
  EXPECT_EQ(plain.reason, "Mine");
  EXPECT_FALSE(plain.headers.get("retry-after"));
  EXPECT_FALSE(plain.after_commit);

  const auto delay = effect_of<http::Delay>("delay: {duration: 1m30s, afterCommit: true}");
  EXPECT_EQ(delay.duration, 90s);
  EXPECT_TRUE(delay.after_commit);
  EXPECT_FALSE(effect_of<http::Drop>("drop: {}").after_commit);
  EXPECT_FALSE(effect_of<http::Drop>("drop:").after_commit);
  EXPECT_TRUE(effect_of<http::Drop>("drop: {afterCommit: true}").after_commit);

  const auto cut = effect_of<http::TruncateBody>("truncate: {afterBytes: 5, afterEvents: 6, after: 7s, how: silence}");
  EXPECT_EQ(cut.after_bytes, 5U);
  EXPECT_EQ(cut.after_events, 6U);
  EXPECT_EQ(cut.after, 7s);
  EXPECT_EQ(cut.how, http::TruncateBody::How::silence);
  EXPECT_EQ(effect_of<http::TruncateBody>("truncate: {after: 1s}").how, http::TruncateBody::How::reset);
  EXPECT_EQ(effect_of<http::TruncateBody>("truncate: {after: 1s, how: end}").how, http::TruncateBody::How::end);

  EXPECT_EQ(effect_of<http::RepeatEvent>("repeat: {}").nth, 0U);
  EXPECT_EQ(effect_of<http::RepeatEvent>("repeat: {nth: 3}").nth, 3U);
  const auto stall = effect_of<http::StallEvents>("stall: {nth: 2, duration: 30s}");
  EXPECT_EQ(stall.nth, 2U);
  EXPECT_EQ(stall.duration, 30s);
  EXPECT_EQ(effect_of<http::SplitBody>("split: {bytes: 9}").bytes, 9U);

  const auto stale = effect_of<StaleRead>("stale: {versions: 3, age: 5s, includeUnversioned: true}");
  EXPECT_EQ(stale.versions, 3U);
  EXPECT_EQ(stale.age, 5s);
  EXPECT_TRUE(stale.include_unversioned);
  const auto event = effect_of<ErrorEvent>("errorEvent: {afterEvents: 2}");
  EXPECT_EQ(event.status, 410);
  EXPECT_EQ(event.reason, "Expired");
  EXPECT_EQ(event.after_events, 2U);
  EXPECT_EQ(effect_of<ErrorEvent>("errorEvent: {status: 500}").reason, "InternalError");
  EXPECT_TRUE(effect_of<WithholdBookmarks>("withholdBookmarks: {onlyInitialEnd: true}").only_initial_end);
  EXPECT_FALSE(effect_of<WithholdBookmarks>("withholdBookmarks: {}").only_initial_end);
  EXPECT_EQ(effect_of<Rewind>("rewind: {versions: 7}").versions, 7U);
  EXPECT_FALSE(effect_of<Rewind>("rewind: {versions: 7}").keep_watches);
  EXPECT_TRUE(effect_of<Rewind>("rewind: {keepWatches: true}").keep_watches);
}

TEST(FaultFile, SelectsRequestsAndOccurrences) {
  const ServerFault rule = rule_of(
      "{requests: {verb: [list, get], resource: greetings.demo.dev, namespace: ns, name: a, path: /apis/, client: ku},"
      " perTarget: true, first: 2, every: 3, times: 4, probability: 0.5, drop: {}}");
  EXPECT_TRUE(rule.per_target);
  EXPECT_EQ(rule.first, 2U);
  EXPECT_EQ(rule.every, 3U);
  EXPECT_EQ(rule.times, 4U);
  EXPECT_EQ(rule.probability, 0.5);
  const auto counts = [&](const std::string& method, const std::string& target, const std::string& client) {
    return rule.only({.method = method, .target = target, .headers = {{"User-Agent", client}}});
  };
  EXPECT_TRUE(counts("GET", "/apis/demo.dev/v1/namespaces/ns/greetings/a", "kubectl/v1"));
  EXPECT_FALSE(counts("PUT", "/apis/demo.dev/v1/namespaces/ns/greetings/a", "kubectl/v1"));
  EXPECT_FALSE(counts("GET", "/apis/demo.dev/v1/namespaces/ns/greetings/b", "kubectl/v1"));
  EXPECT_FALSE(counts("GET", "/apis/demo.dev/v1/namespaces/m/greetings/a", "kubectl/v1"));
  EXPECT_FALSE(counts("GET", "/apis/other.dev/v1/namespaces/ns/greetings/a", "kubectl/v1"));
  EXPECT_FALSE(counts("GET", "/apis/demo.dev/v1/namespaces/ns/greetings/a", "curl/8"));

  const ServerFault any = rule_of("drop: {}");
  EXPECT_FALSE(any.only);
  EXPECT_EQ(any.first, 1U);
  EXPECT_EQ(any.probability, 1.0);
}

TEST(FaultFile, MayBeJsonAndHaveASeed) {
  const auto faults =
      parse_faults(R"({"seed": 7, "faults": [{"requests": {"verb": "watch"}, "repeat": {}}, {"drop": {}}]})");
  ASSERT_TRUE(faults) << faults.error().message;
  EXPECT_EQ(faults->seed, 7U);
  EXPECT_EQ(faults->rules.size(), 2U);
}

TEST(FaultFile, ReportsEveryErrorWithItsPlaceAndRemedy) {
  const std::string effects =
      "error, delay, drop, truncate, repeat, stall, split, stale, errorEvent, withholdBookmarks, rewind";
  const std::string verbs = "get, list, watch, create, update, patch, delete, deletecollection";
  const struct {
    std::string file;
    std::string mistakes;
  } cases[] = {
      {"", "faults: missing; set a list of rules\n"},
      {"- drop: {}", ": expected a mapping, got [{\"drop\":{}}]\nfaults: missing; set a list of rules\n"},
      {"faults: {}", "faults: missing; set a list of rules\n"},
      {"faults: []\nfoo: 1", "foo: unknown member; remove it, or use one of seed, faults\n"},
      {"faults: []\nseed: 0", "seed: expected a whole number from 1 up, got 0\n"},
      {"faults: [{}]", "faults[0]: no effect is set; set one of " + effects + "\n"},
      {"faults: [drop]",
       "faults[0]: expected a mapping, got \"drop\"\nfaults[0]: no effect is set; set one of " + effects + "\n"},
      {"faults: [{drop: {}}, {delay: {duration: 1s}, drop: {}}]",
       "faults[1]: has delay and drop; write one rule for each\n"},
      {"faults: [{drop: {}, frist: 2}]", "faults[0].frist: unknown member; remove it, or use one of requests, " +
                                             effects + ", perTarget, first, every, times, probability\n"},
      {"faults: [{drop: true}]", "faults[0].drop: expected a mapping, got true\n"},
      {"faults: [{drop: {after: 1}}]", "faults[0].drop.after: unknown member; remove it, or use one of afterCommit\n"},
      {"faults: [{drop: {afterCommit: 1}}]", "faults[0].drop.afterCommit: expected true or false, got 1\n"},
      {"faults: [{drop: {}, first: 0, every: -1, times: x, probability: 2}]",
       "faults[0].first: expected a whole number from 1 up, got 0\n"
       "faults[0].every: expected a whole number from 1 up, got -1\n"
       "faults[0].times: expected a whole number from 1 up, got \"x\"\n"
       "faults[0].probability: expected a number from 0 to 1, got 2\n"},
      {"faults: [{drop: {}, probability: often}]",
       "faults[0].probability: expected a number from 0 to 1, got \"often\"\n"},
      {"faults: [{error: {}}]", "faults[0].error.status: missing; set an HTTP status from 400 to 599\n"},
      {"faults: [{error: {status: 200, reason: 5, retryAfterSeconds: 0}}]",
       "faults[0].error.status: expected a whole number from 400 to 599, got 200\n"
       "faults[0].error.reason: expected a string, got 5; put it in quotes\n"
       "faults[0].error.retryAfterSeconds: expected a whole number from 1 up, got 0\n"},
      {"faults: [{delay: {}}]", "faults[0].delay.duration: missing; set a duration such as 2s\n"},
      {"faults: [{delay: {duration: 5}}]", "faults[0].delay.duration: expected a time such as 250ms or 1m30s, got 5\n"},
      {"faults: [{truncate: {how: of}}]",
       "faults[0].truncate.how: expected one of reset, end, silence, got \"of\"\n"
       "faults[0].truncate: the body is never truncated; set afterBytes, afterEvents or after\n"},
      {"faults: [{stall: {nth: 0}}]",
       "faults[0].stall.nth: expected a whole number from 1 up, got 0\n"
       "faults[0].stall.duration: missing; set a duration such as 30s\n"},
      {"faults: [{stale: {}}]", "faults[0].stale: the replica does not lag behind; set versions or age\n"},
      {"faults: [{drop: {}, requests: {verb: lst, kind: Pod}}]",
       "faults[0].requests.verb: expected some of " + verbs +
           ", got \"lst\"\n"
           "faults[0].requests.kind: unknown member; remove it, or use one of verb, resource, namespace, name, path, "
           "client\n"},
      {"faults: [{repeat: {}, requests: {verb: [list, get]}}]",
       "faults[0].requests.verb: repeat applies to none of these verbs, only to watch\n"},
      {"faults: [{stale: {versions: 1}, requests: {verb: create}}]",
       "faults[0].requests.verb: stale applies to none of these verbs, only to get, list, watch\n"},
  };
  for (const auto& one : cases) EXPECT_EQ(mistakes_in(one.file), one.mistakes) << one.file;
  EXPECT_NE(mistakes_in("faults: [").find("at line 2"), std::string::npos) << mistakes_in("faults: [");
}

}  // namespace
}  // namespace pintle
