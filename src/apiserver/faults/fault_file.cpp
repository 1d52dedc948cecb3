// SPDX-License-Identifier: Apache-2.0
// Parses faults from a file.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pintle/apiserver/faults.hpp>
#include <pintle/json/value.hpp>

#include "fault_mapping.hpp"

namespace pintle {
namespace {

using apiserver::FaultMapping;
using Effect = decltype(ServerFault::effect);

std::string usual_reason(int status) {
  switch (status) {
    case 400: return "BadRequest";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "NotFound";
    case 409: return "Conflict";
    case 410: return "Expired";
    case 422: return "Invalid";
    case 429: return "TooManyRequests";
    case 500: return "InternalError";
    case 503: return "ServiceUnavailable";
    case 504: return "Timeout";
    default: return "Unknown";
  }
}

// Reads `status` and `reason`. The default of the reason follows from the status.
void read_status(FaultMapping& from, int& status, std::string& reason) {
  auto number = static_cast<std::uint64_t>(status);
  from.read("status", number, 400, 599);
  status = static_cast<int>(number);
  reason = usual_reason(status);
  from.read("reason", reason);
}

Effect read_error(FaultMapping& from) {
  http::ErrorResponse response;
  if (!from.has("status")) from.add_error("status", "missing; set an HTTP status from 400 to 599");
  read_status(from, response.status, response.reason);
  std::uint64_t seconds = 0;
  from.read("retryAfterSeconds", seconds, 1);
  if (seconds != 0) response.headers.set("Retry-After", std::to_string(seconds));
  from.read("afterCommit", response.after_commit);
  return response;
}

Effect read_delay(FaultMapping& from) {
  http::Delay delay;
  from.read("duration", delay.duration);
  if (!from.has("duration")) from.add_error("duration", "missing; set a duration such as 2s");
  from.read("afterCommit", delay.after_commit);
  return delay;
}

Effect read_drop(FaultMapping& from) {
  http::Drop drop;
  from.read("afterCommit", drop.after_commit);
  return drop;
}

Effect read_truncate(FaultMapping& from) {
  http::TruncateBody cut;
  from.read("afterBytes", cut.after_bytes);
  from.read("afterEvents", cut.after_events);
  from.read("after", cut.after);
  from.read_choice("how", {"reset", "end", "silence"}, [&](std::size_t which) {
    cut.how = std::array{http::TruncateBody::How::reset, http::TruncateBody::How::end,
                         http::TruncateBody::How::silence}[which];
  });
  if (!from.has("afterBytes") && !from.has("afterEvents") && !from.has("after")) {
    from.add_error("", "the body is never truncated; set afterBytes, afterEvents or after");
  }
  return cut;
}

Effect read_repeat(FaultMapping& from) {
  http::RepeatEvent repeat;
  from.read("nth", repeat.nth, 1);
  return repeat;
}

Effect read_stall(FaultMapping& from) {
  http::StallEvents stall;
  from.read("nth", stall.nth, 1);
  from.read("duration", stall.duration);
  if (!from.has("duration")) from.add_error("duration", "missing; set a duration such as 30s");
  return stall;
}

Effect read_split(FaultMapping& from) {
  std::uint64_t bytes = 1;
  from.read("bytes", bytes, 1);
  return http::SplitBody{.bytes = bytes};
}

Effect read_stale(FaultMapping& from) {
  StaleRead stale;
  from.read("versions", stale.versions, 1);
  from.read("age", stale.age);
  from.read("includeUnversioned", stale.include_unversioned);
  if (!from.has("versions") && !from.has("age"))
    from.add_error("", "the replica does not lag behind; set versions or age");
  return stale;
}

Effect read_error_event(FaultMapping& from) {
  ErrorEvent event;
  read_status(from, event.status, event.reason);
  from.read("afterEvents", event.after_events);
  return event;
}

Effect read_bookmarks(FaultMapping& from) {
  WithholdBookmarks bookmarks;
  from.read("onlyInitialEnd", bookmarks.only_initial_end);
  return bookmarks;
}

Effect read_rewind(FaultMapping& from) {
  Rewind rewind;
  from.read("versions", rewind.versions, 1);
  from.read("keepWatches", rewind.keep_watches);
  return rewind;
}

struct EffectKind {
  std::string_view name{};
  Effect (*read)(FaultMapping& from) = nullptr;
  std::vector<std::string_view> verbs{};  // to which it applies; empty: all
};

const std::vector<EffectKind>& effect_kinds() {
  static const std::vector<EffectKind> all{
      {"error", &read_error, {}},
      {"delay", &read_delay, {}},
      {"drop", &read_drop, {}},
      {"truncate", &read_truncate, {}},
      {"repeat", &read_repeat, {"watch"}},
      {"stall", &read_stall, {"watch"}},
      {"split", &read_split, {}},
      {"stale", &read_stale, {"get", "list", "watch"}},
      {"errorEvent", &read_error_event, {"watch"}},
      {"withholdBookmarks", &read_bookmarks, {"watch"}},
      {"rewind", &read_rewind, {}},
  };
  return all;
}

std::string effect_names() {
  std::vector<std::string_view> names;
  for (const EffectKind& kind : effect_kinds()) names.push_back(kind.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

RequestMatcher read_requests(FaultMapping from) {
  RequestMatcher requests;
  from.read_choices("verb", {"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"},
                    requests.verbs);
  from.read("resource", requests.resource);
  from.read("namespace", requests.namespace_);
  from.read("name", requests.name);
  from.read("path", requests.path);
  from.read("client", requests.client);
  from.finish();
  return requests;
}

bool has_a_verb_of(const EffectKind& kind, const RequestMatcher& requests) {
  return kind.verbs.empty() || requests.verbs.empty() ||
         std::any_of(requests.verbs.begin(), requests.verbs.end(), [&](const std::string& verb) {
           return std::find(kind.verbs.begin(), kind.verbs.end(), verb) != kind.verbs.end();
         });
}

void read_effect(FaultMapping& from, const RequestMatcher& requests, Effect& effect) {
  std::vector<std::string_view> effects;
  for (const EffectKind& kind : effect_kinds()) {
    FaultMapping inside = from.inside(kind.name);
    if (!from.has(kind.name)) continue;
    effects.push_back(kind.name);
    effect = kind.read(inside);
    inside.finish();
    if (!has_a_verb_of(kind, requests)) {
      from.add_error("requests.verb", fmt::format("{} applies to none of these verbs, only to {}", kind.name,
                                                  fmt::join(kind.verbs, ", ")));
    }
  }
  if (effects.empty()) from.add_error("", fmt::format("no effect is set; set one of {}", effect_names()));
  if (effects.size() > 1) {
    from.add_error("", fmt::format("has {}; write one rule for each", fmt::join(effects, " and ")));
  }
}

ServerFault read_rule(FaultMapping from) {
  ServerFault rule;
  RequestMatcher requests = read_requests(from.inside("requests"));
  read_effect(from, requests, rule.effect);
  if (from.has("requests")) rule.only = std::move(requests);
  from.read("perTarget", rule.per_target);
  from.read("first", rule.first, 1);
  from.read("every", rule.every, 1);
  from.read("times", rule.times, 1);
  from.read_share("probability", rule.probability);
  from.finish();
  return rule;
}

Error mistaken(std::vector<StatusCause> mistakes) {
  Error error = make_error(ErrorCode::invalid, fmt::format("{}: {}", mistakes[0].field, mistakes[0].message));
  error.causes = std::move(mistakes);
  return error;
}

}  // namespace

Result<ServerFaults> parse_faults(std::string_view text) {
  auto value = json::parse_yaml(text);
  if (!value) return fail(std::move(value.error()));
  const json::Document document(*value);
  std::vector<StatusCause> mistakes;
  FaultMapping from(document.root(), "", mistakes);
  ServerFaults faults;
  from.read("seed", faults.seed, 1);
  const json::View rules = from.take("faults");
  if (!rules.is_array()) from.add_error("faults", "missing; set a list of rules");
  for (std::size_t i = 0; i < rules.size() && rules.is_array(); ++i) {
    faults.rules.push_back(read_rule({rules.element(i), fmt::format("faults[{}]", i), mistakes}));
  }
  from.finish();
  if (!mistakes.empty()) return fail(mistaken(std::move(mistakes)));
  return faults;
}

}  // namespace pintle
