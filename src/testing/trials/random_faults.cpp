// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/http/message.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>

#include "plan.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

bool is_lease_request(const http::Request& request) { return request.target.find("/leases") != std::string::npos; }
bool is_update(const http::Request& request) { return request.method == "PUT" || request.method == "PATCH"; }
// A write of an object that the operator manages, for which an instance may need the Lease.
bool is_work(const http::Request& request) { return http::is_write(request) && !is_lease_request(request); }

// As from a replica that lags behind.
http::ErrorResponse version_too_large() {
  return {.status = 504,
          .reason = "Timeout",
          .headers = {{"Retry-After", "1"}},
          .body =
              R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","code":504,"reason":"Timeout",)"
              R"("message":"Timeout: Too large resource version: 9, current: 8","details":{"causes":[)"
              R"({"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],)"
              R"("retryAfterSeconds":1}})"};
}

// The review of a request, with a response.
std::string review_with(const http::Request& request, const std::function<void(json::object& response)>& fill) {
  auto review = json::parse(request.body);
  if (!review || !review->is_object()) return "{}";
  json::object& members = review->get_object();
  json::object response;
  if (const json::Value* uid = json::find(*review, "/request/uid")) response["uid"] = *uid;
  fill(response);
  members.erase("request");
  members["response"] = std::move(response);
  return json::print(*review);
}

// 503: with another code, an operator may wait for a change of its object.
std::string refusing_review(const http::Request& request) {
  return review_with(request, [](json::object& response) {
    const std::string message(refused_by_trial);
    response["allowed"] = false;
    response["status"] = json::object{{"code", 503}, {"reason", "ServiceUnavailable"}, {"message", message}};
    response["result"] = json::object{{"status", "Failure"}, {"message", message}};  // of a conversion
  });
}

// It allows the request, and is that of another one.
std::string wrong_review(const http::Request& request) {
  return review_with(request, [](json::object& response) {
    response["uid"] = "another";
    response["allowed"] = true;
    response["result"] = json::object{{"status", "Success"}};
    response["convertedObjects"] = json::array();
  });
}

// Draws one fault after the other.
class FaultPlanner {
 public:
  // `edits`: the events so far; half of the faults begin shortly before one of them.
  FaultPlanner(const SimulateOptions& options, const Survey& survey, std::size_t instances,
               const std::vector<Event>& edits, Random& random)
      : options_(options), survey_(survey), instances_(instances), random_(random) {
    for (const Event& edit : edits) times_.push_back(edit.at);
  }

  Event draw(FaultClass of) {
    const std::uint64_t when = random_.below(8);
    at_ = std::chrono::duration_cast<Duration>(random_.unit() * std::max<Duration>(options_.active - 30s, 0s));
    if (when == 0) at_ = -1ms;  // before the objects are created
    if (when >= 4 && !times_.empty()) {
      at_ =
          std::max<Duration>(times_[random_.below(times_.size())] - std::chrono::milliseconds(random_.below(500)), 0s);
    }
    instance_ = random_.below(instances_);
    if (instances_ > 1) who_ = "operator " + std::to_string(instance_ + 1) + " ";
    switch (of) {
      case FaultClass::crash: return crash();
      case FaultClass::restart: return restart();
      case FaultClass::freeze: return freeze();
      case FaultClass::stale_reads: return stale_reads();
      case FaultClass::lost_events: return lost_events();
      case FaultClass::protocol: return protocol();
      case FaultClass::election: return election();
      case FaultClass::clock: return clock();
      case FaultClass::outside: return outside();
      case FaultClass::webhooks: return webhooks();
    }
    return restart();
  }

 private:
  // `has_pause`: the response contains how long the client should wait, if such a response may contain it.
  static http::ErrorResponse response(int status, bool has_pause) {
    const http::Headers pause = has_pause ? http::Headers{{"Retry-After", "1"}} : http::Headers();
    switch (status) {
      case 429: return {.status = 429, .reason = "TooManyRequests", .headers = pause};
      case 503: return {.status = 503, .reason = "ServiceUnavailable", .headers = pause};
      case 504: return {.status = 504, .reason = "Timeout", .after_commit = true};
      default: return {};
    }
  }

  Event made(std::string kind, std::string what, std::function<void(Run&)> act) {
    return {.at = at_, .what = who_ + what, .kind = std::move(kind), .act = std::move(act)};
  }

  Duration seconds(std::uint64_t most) { return std::chrono::milliseconds(200 + random_.below(most * 1000)); }

  Event injected(std::string kind, std::string what, const http::Fault& fault) {
    const Duration time = seconds(20);
    what += " for " + format_duration(time);
    return made(std::move(kind), what,
                [instance = instance_, fault, time](Run& run) { run.fleet().inject(instance, fault, time); });
  }

  // `verbs`: of the requests that the fault hits; empty: all.
  Event in_server(std::string kind, std::string what, ServerFault fault, std::vector<std::string> verbs = {}) {
    const Duration time = seconds(30);
    what += " for " + format_duration(time);
    // Only the operator: the user must see the truth.
    fault.only = RequestMatcher{.verbs = std::move(verbs), .client = survey_.client};
    return made(std::move(kind), what, [fault, time](Run& run) { run.inject(fault, time); });
  }

  Event crash() {
    const std::uint64_t writes = 1 + random_.below(5);
    const bool after = random_.below(2) == 0;
    const Duration pause = seconds(8);
    return made(after ? "crash-after-write" : "crash-before-write",
                fmt::format("crashes {} its write {}, and starts {} later", after ? "after" : "before", writes,
                            format_duration(pause)),
                [instance = instance_, writes, after, pause](Run& run) {
                  run.fleet().crash(instance, writes, after, 15s, pause);
                });
  }

  Event restart() {
    const Duration pause = seconds(8);
    return made("restart", "is stopped, and starts " + format_duration(pause) + " later",
                [instance = instance_, pause](Run& run) { run.fleet().restart(instance, pause); });
  }

  Event freeze() {
    const Duration time = 2s + seconds(40);  // most are longer than a Lease lasts
    return made("freeze", "gets no processor for " + format_duration(time),
                [instance = instance_, time](Run& run) { run.fleet().freeze(instance, time); });
  }

  // The server refuses streaming lists, which begin with the newest state; a list of pages may be old.
  Event with_old_lists(std::string kind, std::string what, const StaleRead& stale) {
    const Duration time = seconds(30);
    what += " for " + format_duration(time);
    const RequestMatcher all{.client = survey_.client};
    const auto is_streaming_list = [all](const http::Request& request) {
      return all(request) && http::parse_target(request.target).parameter("sendInitialEvents").has_value();
    };
    const ServerFault refusal{.effect = http::ErrorResponse{.status = 400, .reason = "BadRequest"},
                              .only = is_streaming_list};
    return made(std::move(kind), what, [late = ServerFault{.effect = stale, .only = all}, refusal, time](Run& run) {
      run.inject(refusal, time);
      run.inject(late, time);
    });
  }

  Event stale_reads() {
    const Duration age = seconds(40);
    switch (random_.below(3)) {
      case 0: return with_old_lists("stale-reads", "reads are " + format_duration(age) + " old", {.age = age});
      case 1:
        return after_a_crash(
            1, false, 1s,
            with_old_lists("time-travel", "crashes, and then its reads are " + format_duration(age) + " old",
                           {.age = age}));
      default: {
        // So few that the next process reads the cause of the last writes, but not the writes.
        const std::uint64_t versions = 1 + random_.below(4);
        const std::uint64_t writes = 1 + random_.below(4);
        return after_a_crash(
            writes, true, 15s,
            with_old_lists(
                "short-time-travel",
                fmt::format("crashes after its write {}, and then its reads are {} changes old", writes, versions),
                {.versions = versions}));
      }
    }
  }

  // Lets the fault begin with a crash.
  Event after_a_crash(std::uint64_t writes, bool after_commit, Duration limit, Event event) const {
    event.act = [instance = instance_, writes, after_commit, limit, then = std::move(event.act)](Run& run) {
      run.fleet().crash(instance, writes, after_commit, limit, 500ms);
      then(run);
    };
    return event;
  }

  Event lost_events() {
    const std::uint64_t after = random_.below(4);
    const Duration pause = seconds(15);
    const std::vector<std::string> watches{"watch"};
    switch (random_.below(8)) {
      case 0:
        return in_server("watch-reset", fmt::format("watches are reset after {} events", after),
                         {.effect = http::TruncateBody{.after_events = after}}, watches);
      case 1:
        return in_server(
            "watch-silent", fmt::format("watches are silent after {} events", after),
            {.effect = http::TruncateBody{.after_events = after, .how = http::TruncateBody::How::silence}, .times = 2},
            watches);
      case 2:
        return in_server("watch-410", fmt::format("watches end with 410 after {} events", after),
                         {.effect = ErrorEvent{.after_events = after}, .times = 3});
      case 3: return in_server("repeated-events", "events are repeated", {.effect = http::RepeatEvent{}});
      case 4:
        return in_server("late-events", "events are " + format_duration(pause) + " late",
                         {.effect = http::StallEvents{.nth = 1 + after, .duration = pause}, .times = 4});
      case 5: return in_server("no-bookmarks", "bookmarks are missing", {.effect = WithholdBookmarks{}});
      case 6:
        return made("compaction", "the history is compacted", [](Run& run) { run.simulation().server().compact(); });
      default: {
        const std::uint64_t versions = 1 + random_.below(4);
        return made("rewind", fmt::format("the state before the last {} changes is restored", versions),
                    [versions](Run& run) { run.rewind(versions); });
      }
    }
  }

  Event protocol() {
    const std::uint64_t times = 1 + random_.below(4);
    switch (random_.below(8)) {
      case 0:
        return injected("conflict", fmt::format("{} updates get a conflict", times),
                        {.effect = http::conflict_response(), .only = is_update, .times = times});
      case 1:
      case 2: {
        constexpr std::array statuses{429, 500, 503, 504};
        const int status = statuses[random_.below(statuses.size())];
        const bool has_pause = random_.below(2) == 0;
        return injected(fmt::format("error-{}", status),
                        fmt::format("{} requests get {}{}", times, status,
                                    response(status, has_pause).headers.get("Retry-After") ? " with Retry-After" : ""),
                        {.effect = response(status, has_pause), .only = is_work, .times = times});
      }
      case 3:
        return injected("lost-request", fmt::format("{} requests are lost", times),
                        {.effect = http::Drop{}, .times = times});
      case 4:
        return injected("lost-response", fmt::format("the responses of {} writes are lost", times),
                        {.effect = http::Drop{.after_commit = true}, .only = is_work, .times = times});
      case 5:
        return after_a_crash(
            1, false, 1s,
            in_server("version-too-large",
                      fmt::format("crashes, and then {} reads get 504 because their version is too large", times),
                      {.effect = version_too_large(), .times = times}, {"get", "list", "watch"}));
      case 6: {
        const std::size_t bytes = 1 + random_.below(100);
        return after_a_crash(
            1, false, 1s,
            injected("split-body", fmt::format("crashes, and then responses arrive in pieces of {} bytes", bytes),
                     {.effect = http::SplitBody{.bytes = bytes}}));
      }
      default: {
        const Duration delay = seconds(2);
        return injected("delay", "requests are delayed by " + format_duration(delay),
                        {.effect = http::Delay{.duration = delay}, .times = 5});
      }
    }
  }

  Event election() {
    const Duration time = seconds(30);
    return made("lease-lost", "cannot reach its Lease for " + format_duration(time),
                [instance = instance_, time](Run& run) {
                  run.fleet().inject(instance, {.effect = http::Drop{}, .only = is_lease_request}, time);
                });
  }

  Event clock() {
    const bool back = random_.below(2) == 0;
    const Duration by = back ? -seconds(600) : seconds(3600);
    who_.clear();
    return made("clock-jump",
                fmt::format("the wall clock jumps by {}{}", back ? "-" : "", format_duration(back ? -by : by)),
                [by](Run& run) { run.simulation().executor().move_wall_clock(by); });
  }

  Event outside() {
    const std::uint64_t times = 1 + random_.below(4);
    const std::size_t which = random_.below(survey_.outside);
    who_.clear();
    switch (random_.below(4)) {
      case 0:
        return made("outside-repeated", fmt::format("{} outside calls arrive twice", times),
                    [which, times](Run& run) { run.subject().outside.at(which)->repeat_next(times); });
      case 1:
        return made("outside-failure", fmt::format("{} outside calls fail", times), [which, times](Run& run) {
          run.subject().outside.at(which)->fail_next(
              make_error(ErrorCode::unavailable, "the trial lets this call fail"), times);
        });
      case 2:
        return made("outside-lost-response", fmt::format("the responses of {} outside calls are lost", times),
                    [which, times](Run& run) { run.subject().outside.at(which)->drop_next_response(times); });
      default: {
        const Duration delay = seconds(20);
        return made("outside-delay", fmt::format("{} outside calls take {}", times, format_duration(delay)),
                    [which, times, delay](Run& run) { run.subject().outside.at(which)->delay_next(delay, times); });
      }
    }
  }

  Event webhooks() {
    const std::uint64_t times = 1 + random_.below(6);
    who_.clear();
    switch (random_.below(6)) {
      case 0: {
        const Duration delay = seconds(15);  // the default limit of a call is 10 seconds
        return in_webhooks("webhook-delay", fmt::format("{} calls of webhooks take {}", times, format_duration(delay)),
                           {.effect = http::Delay{.duration = delay, .after_commit = random_.below(2) == 0}}, times);
      }
      case 1:
        return in_webhooks("webhook-failure", fmt::format("{} calls of webhooks are lost", times),
                           {.effect = http::Drop{}}, times);
      case 2:
        return in_webhooks("webhook-500", fmt::format("{} calls of webhooks get 500", times),
                           {.effect = http::ErrorResponse{}}, times);
      case 3:
        return in_webhooks("webhook-refusal", fmt::format("{} calls of webhooks are refused", times),
                           {.effect = http::ErrorResponse{.status = 200, .body_of = refusing_review}}, times);
      case 4:
        return in_webhooks("webhook-wrong-review", fmt::format("{} calls of webhooks get a wrong review", times),
                           {.effect = http::ErrorResponse{.status = 200, .body_of = wrong_review}}, times);
      default:
        return in_webhooks("webhook-lost-response",
                           fmt::format("the responses of {} calls of webhooks are lost", times),
                           {.effect = http::Drop{.after_commit = true}}, times);
    }
  }

  Event in_webhooks(std::string kind, std::string what, http::Fault fault, std::uint64_t times) {
    const Duration time = seconds(30);
    fault.times = times;
    what += " within " + format_duration(time);
    return made(std::move(kind), std::move(what),
                [fault, time](Run& run) { run.fleet().inject_into_webhooks(fault, time); });
  }

  const SimulateOptions& options_;
  const Survey& survey_;
  const std::size_t instances_;
  Random& random_;
  std::vector<Duration> times_;
  Duration at_{};
  std::size_t instance_ = 0;
  std::string who_{};
};

}  // namespace

std::vector<FaultClass> applicable_faults(const SimulateOptions& options, const Survey& survey) {
  std::vector<FaultClass> classes;
  for (const FaultClass one : options.faults) {
    if (one == FaultClass::election && !survey.has_election) continue;
    if (one == FaultClass::outside && survey.outside == 0) continue;
    if (one == FaultClass::webhooks && !survey.has_webhooks) continue;
    classes.push_back(one);
  }
  return classes;
}

void add_random_faults(std::vector<Event>& events, std::size_t count, const SimulateOptions& options,
                       const Survey& survey, std::size_t instances, Random& random) {
  const std::vector<FaultClass> classes = applicable_faults(options, survey);
  if (classes.empty()) return;
  FaultPlanner planner(options, survey, instances, events, random);
  for (std::size_t i = 0; i < count; ++i) events.push_back(planner.draw(classes[random.below(classes.size())]));
  if (options.without.contains(Oracle::bounded_work) || random.below(4) != 0) return;
  if (auto outage = outage_of(options, survey, random)) events.push_back(std::move(*outage));
}

}  // namespace pintle::testkit
