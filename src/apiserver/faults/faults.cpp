#include "faults.hpp"

#include <algorithm>
#include <concepts>
#include <string>
#include <utility>

#include <pintle/apiserver/request_info.hpp>

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

void add_to(Fate& fate, const http::Delay& delay) {
  (delay.after_commit ? fate.answer_delay : fate.delay) += delay.duration;
}
void add_to(Fate& fate, const http::Drop& drop) { keep_first(fate.drop, drop); }
void add_to(Fate& fate, const http::ErrorResponse& answer) { keep_first(fate.answer, answer); }
void add_to(Fate& fate, const ErrorEvent& event) { keep_first(fate.error_event, event); }
void add_to(Fate& fate, const Rewind& rewind) { fate.rewind += rewind.versions; }
void add_to(Fate& fate, const WithholdBookmarks& bookmarks) {
  fate.read.without_initial_end = true;
  if (!bookmarks.only_initial_end) fate.read.without_bookmarks = true;
}
void add_to(Fate& /*fate*/, const StaleRead&) {}  // applied by its replica
void add_to(Fate& fate, const auto& of_the_body) { fate.body.add(of_the_body); }

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
http::Response altered(http::Response response, const Fate& fate, const Clock& clock) {
  if (fate.error_event && response.stream != nullptr) {
    response.stream = std::make_unique<ErrorEventStream>(std::move(response.stream), *fate.error_event);
  }
  fate.body.alter(response, clock);
  return response;
}

}  // namespace

Faults::Faults(Executor& executor, Storage& storage, Answerer answerer, ServerFaults faults)
    : executor_(executor), storage_(storage), answerer_(std::move(answerer)), mutex_(executor) {
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

http::Response Faults::answer(const http::Request& request) {
  if (!is_armed_) return answerer_(request, {});
  const auto fate = std::make_shared<const Fate>(decide(request));
  if (fate->delay <= Duration::zero()) return proceed(request, *fate);
  return {
      .delayed = {.delay = fate->delay, .make_response = [this, request, fate] { return proceed(request, *fate); }}};
}

Fate Faults::decide(const http::Request& request) {
  const auto info = request_info(request);
  const std::string verb = info ? info->verb : std::string();
  Fate fate;
  const MutexLock lock(mutex_);
  const auto draw = [random = &random_] { return random->next(); };  // called under the lock
  for (Armed& armed : rules_) {
    const auto& effect = armed.rule.effect;
    if (!std::visit([&](const auto& one) { return suits(one, request, verb); }, effect)) continue;
    if (!armed.count.hits(armed.rule, request, draw)) continue;
    ++hits_;
    std::visit([&](const auto& one) { add_to(fate, one); }, effect);
    if (fate.read.lag == nullptr) fate.read.lag = armed.lag;
  }
  return fate;
}

http::Response Faults::proceed(const http::Request& request, const Fate& fate) {
  if (fate.rewind != 0) storage_.rewind_by(fate.rewind);
  constexpr auto no_answer = [] { return http::Response{.status = 0}; };
  if (fate.drop && !fate.drop->after_commit) return no_answer();
  const bool is_refused = fate.answer && !fate.answer->after_commit;
  http::Response response = is_refused ? http::response_of(*fate.answer) : answerer_(request, fate.read);
  if (fate.drop) return no_answer();
  if (fate.answer && !is_refused) response = http::response_of(*fate.answer);
  if (fate.answer_delay <= Duration::zero()) return altered(std::move(response), fate, executor_);
  const auto held = std::make_shared<http::Response>(std::move(response));
  return {.delayed = {.delay = fate.answer_delay,
                      .make_response = [this, held, fate] { return altered(std::move(*held), fate, executor_); }}};
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
