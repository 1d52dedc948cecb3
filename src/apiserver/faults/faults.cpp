// SPDX-License-Identifier: Apache-2.0
#include "faults.hpp"

#include <algorithm>
#include <concepts>
#include <string>
#include <utility>

#include <pintle/apiserver/request_info.hpp>
#include <pintle/object/protobuf.hpp>

#include "error_event_stream.hpp"

namespace pintle::apiserver {
namespace {

template <class Effect, class... Any>
concept OneOf = (std::same_as<Effect, Any> || ...);

// True if an effect can apply to a request.
bool suits(const StaleRead& stale, const http::Request& request, std::string_view verb) {
  if (verb == "watch") return true;
  if (verb != "get" && verb != "list") return false;
  return stale.include_unversioned ||
         !http::parse_target(request.target).parameter("resourceVersion").value_or("").empty();
}
bool suits(const OneOf<http::RepeatEvent, http::StallEvents, ErrorEvent, WithholdBookmarks> auto&,
           const http::Request& /*request*/, std::string_view verb) {
  return verb == "watch";
}
bool suits(const auto&, const http::Request& /*request*/, std::string_view /*verb*/) { return true; }

template <class T>
void keep_first(std::optional<T>& kept, const T& effect) {
  if (!kept) kept = effect;
}

void add_to(Effects& effects, const http::Delay& delay) {
  (delay.after_commit ? effects.response_delay : effects.delay) += delay.duration;
}
void add_to(Effects& effects, const http::Drop& drop) { keep_first(effects.drop, drop); }
void add_to(Effects& effects, const http::ErrorResponse& error) { keep_first(effects.error_response, error); }
void add_to(Effects& effects, const ErrorEvent& event) { keep_first(effects.error_event, event); }
void add_to(Effects& effects, const Rewind& rewind) {
  effects.rewind += rewind.versions;
  effects.keep_watches = rewind.keep_watches;
}
void add_to(Effects& effects, const WithholdBookmarks& bookmarks) {
  effects.read.without_initial_end = true;
  if (!bookmarks.only_initial_end) effects.read.without_bookmarks = true;
}
void add_to(Effects& /*fate*/, const StaleRead&) {}  // applied by its replica
void add_to(Effects& effects, const auto& of_the_body) { effects.body.add(of_the_body); }

std::string full_resource(const RequestInfo& info) {
  const std::size_t part = std::min(info.resource.find('/'), info.resource.size());
  const std::string group = info.group.empty() ? "" : "." + info.group;
  return info.resource.substr(0, part) + group + info.resource.substr(part);
}

bool is_wanted(const RequestMatcher& wanted, const RequestInfo& info) {
  const bool has_verb =
      wanted.verbs.empty() || std::find(wanted.verbs.begin(), wanted.verbs.end(), info.verb) != wanted.verbs.end();
  return has_verb && (wanted.resource.empty() || wanted.resource == full_resource(info)) &&
         (wanted.namespace_.empty() || wanted.namespace_ == info.namespace_) &&
         (wanted.name.empty() || wanted.name == info.name);
}

// Applies the faults of a response body.
http::Response altered(http::Response response, const Effects& effects, const Clock& clock) {
  if (effects.error_event && response.stream != nullptr) {
    const std::string_view type = response.headers.get("Content-Type").value_or("");
    response.stream = std::make_unique<ErrorEventStream>(std::move(response.stream), *effects.error_event,
                                                         type.starts_with(protobuf_media_type));
  }
  effects.body.alter(response, clock);
  return response;
}

}  // namespace

Faults::Faults(Executor& executor, Storage& storage, RequestHandler handler, ServerFaults faults)
    : executor_(executor), storage_(storage), handler_(std::move(handler)), mutex_(executor) {
  if (!faults.rules.empty()) set(std::move(faults));
}

void Faults::set(ServerFaults faults) {
  const std::uint64_t seed = faults.seed != 0 || faults.rules.empty() ? faults.seed : executor_.random();
  const MutexLock lock(mutex_);
  for (const Armed& armed : rules_) {
    if (armed.lag != nullptr) armed.lag->end();
  }
  rules_.clear();
  for (ServerFault& rule : faults.rules) {
    const auto* stale = std::get_if<StaleRead>(&rule.effect);
    auto lag = stale == nullptr ? nullptr : std::make_shared<Lag>(*stale);
    rules_.push_back({.rule = std::move(rule), .lag = std::move(lag)});
  }
  random_ = Random(seed);
  is_armed_ = !rules_.empty();
}

http::Response Faults::handle(const http::Request& request) {
  if (!is_armed_) return handler_(request, {});
  const auto effects = std::make_shared<const Effects>(decide(request));
  if (effects->delay <= Duration::zero()) return proceed(request, *effects);
  return {.delayed = {.delay = effects->delay,
                      .make_response = [this, request, effects] { return proceed(request, *effects); }}};
}

Effects Faults::decide(const http::Request& request) {
  const auto info = request_info(request);
  const std::string verb = info ? info->verb : std::string();
  Effects effects;
  const MutexLock lock(mutex_);
  const auto draw = [random = &random_] { return random->next(); };  // called under the lock
  for (Armed& armed : rules_) {
    const auto& effect = armed.rule.effect;
    if (!std::visit([&](const auto& one) { return suits(one, request, verb); }, effect)) continue;
    if (!armed.count.hits(armed.rule, request, draw)) continue;
    ++hits_;
    std::visit([&](const auto& one) { add_to(effects, one); }, effect);
    if (effects.read.lag == nullptr) effects.read.lag = armed.lag;
  }
  return effects;
}

http::Response Faults::proceed(const http::Request& request, const Effects& effects) {
  if (effects.rewind != 0) {
    if (auto rewound = storage_.rewind_by(effects.rewind, effects.keep_watches); !rewound) {
      return http::response_of(http::ErrorResponse{.body = std::move(rewound.error().message)});
    }
  }
  if (effects.drop && !effects.drop->after_commit) return http::Response{.status = 0};
  const bool is_refused = effects.error_response && !effects.error_response->after_commit;
  http::Response response = is_refused ? http::response_of(*effects.error_response) : handler_(request, effects.read);
  if (response.deferred) {
    return {.deferred = [this, deferred = std::move(response.deferred), effects] {
      return finish(deferred(), effects, false);
    }};
  }
  return finish(std::move(response), effects, is_refused);
}

// Applies the faults of a response. `is_refused`: it is an injected error already.
http::Response Faults::finish(http::Response response, const Effects& effects, bool is_refused) {
  if (effects.drop) return {.status = 0};
  if (effects.error_response && !is_refused) response = http::response_of(*effects.error_response);
  if (effects.response_delay <= Duration::zero()) return altered(std::move(response), effects, executor_);
  const auto kept_response = std::make_shared<http::Response>(std::move(response));
  return {.delayed = {.delay = effects.response_delay, .make_response = [this, kept_response, effects] {
                        return altered(std::move(*kept_response), effects, executor_);
                      }}};
}

}  // namespace pintle::apiserver

namespace pintle {

bool RequestMatcher::operator()(const http::Request& request) const {
  if (!request.target.starts_with(path)) return false;
  if (!request.headers.get("User-Agent").value_or("").starts_with(client)) return false;
  if (verbs.empty() && resource.empty() && namespace_.empty() && name.empty()) return true;
  const auto info = request_info(request);
  return info && apiserver::is_wanted(*this, *info);
}

}  // namespace pintle
