// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/sub_handlers.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <pintle/base/random.hpp>
#include <pintle/base/text.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/object/template_hash.hpp>

namespace pintle {
namespace {

constexpr Duration save_interval = std::chrono::seconds(1);
constexpr std::size_t max_error_length = 100;
constexpr std::size_t max_annotation_name = 63;  // without the prefix

// "progress.hello-operator.greeting.delete"; a name that is too long ends with a hash.
std::string annotation_of(const Context& context, const std::string& name) {
  std::string text = "progress." + context.field_manager() + (name.empty() ? "" : "." + name);
  std::replace(text.begin(), text.end(), '/', '.');
  if (text.size() > max_annotation_name) {
    const std::string hash = template_hash(json::Value(text));
    text = text.substr(0, max_annotation_name - hash.size() - 1) + "-" + hash;
  }
  return "pintle.dev/" + text;
}

std::string input_version(const Object& object) {
  if (object.generation() != 0) return std::to_string(object.generation());
  json::object content;
  for (const auto [name, value] : object.root().members()) {
    if (name != "metadata" && name != "status") content[name] = value.to_value();
  }
  return template_hash(json::Value(std::move(content)));
}

std::string shortened(const std::string& text) { return std::string(truncate_utf8(text, max_error_length)); }

}  // namespace

SubHandlers::SubHandlers(Context& context, SubHandlersOptions options)
    : context_(context),
      annotation_(annotation_of(context, options.name)),
      version_(options.version.empty() ? input_version(context.object()) : std::move(options.version)) {
  load();
}

void SubHandlers::add(std::string id, Function function, SubHandlerOptions options) {
  handlers_.push_back({std::move(id), std::move(function), options});
}

Result<void> SubHandlers::check() const {
  const auto wrong = [](const std::string& what) {
    return fail(make_error(ErrorCode::invalid, "sub-handlers: " + what).terminal());
  };
  if (handlers_.size() > max_count) {
    return wrong(std::to_string(handlers_.size()) + " functions; at most " + std::to_string(max_count) +
                 " are possible, because their progress is an annotation");
  }
  std::set<std::string_view> ids;
  for (const Handler& handler : handlers_) {
    if (handler.id.empty() || handler.id.size() > max_id_length) {
      return wrong("the id " + quote(handler.id) + " is empty or longer than " + std::to_string(max_id_length) +
                   " bytes");
    }
    if (!handler.function) return wrong("the function of " + quote(handler.id) + " is empty");
    if (!ids.insert(handler.id).second) return wrong("two functions have the id " + quote(handler.id));
  }
  return {};
}

// A user may have changed the annotation. A text that cannot be read counts as no progress.
void SubHandlers::load() {
  const auto stored = json::Document::parse(context_.object().annotation(annotation_));
  if (!stored || stored->root().member("version") != version_) return;
  for (const json::View id : stored->root().member("done").elements()) progress_.done[std::string(id.text())] = true;
  for (const auto [id, error] : stored->root().member("failed").members())
    progress_.failed[std::string(id)] = error.text();
  for (const auto [id, one] : stored->root().member("waiting").members()) {
    const auto since = parse_time(one.member("since").text());
    const auto due = parse_time(one.member("due").text());
    const auto delay = parse_duration(one.member("delay").text());
    if (!since || !due || !delay) continue;
    progress_.waiting[std::string(id)] = {
        .failures = static_cast<unsigned>(one.member("failures").as_integer().value_or(0)),
        .since = *since,
        .due = *due,
        .delay = *delay,
        .error = std::string(one.member("error").text())};
  }
}

json::Value SubHandlers::to_json() const {
  json::object all{{"version", version_}};
  json::array done;
  for (const auto& [id, is_done] : progress_.done) done.emplace_back(id);
  if (!done.empty()) all["done"] = std::move(done);
  json::object failed;
  for (const auto& [id, error] : progress_.failed) failed[id] = error;
  if (!failed.empty()) all["failed"] = std::move(failed);
  json::object waiting;
  for (const auto& [id, one] : progress_.waiting) {
    waiting[id] = json::object{{"failures", one.failures},
                               {"since", format_micro_time(one.since)},
                               {"due", format_micro_time(one.due)},
                               {"delay", format_duration(one.delay)},
                               {"error", one.error}};
  }
  if (!waiting.empty()) all["waiting"] = std::move(waiting);
  return all;
}

Result<void> SubHandlers::save() {
  const json::Value patch{{"metadata", {{"annotations", json::object{{annotation_, json::print(to_json())}}}}}};
  auto patched = context_.patch(context_.object(), patch);
  if (!patched) return Result<void>(std::move(patched.error())).with_operation("write the progress of sub-handlers");
  is_changed_ = false;
  return {};
}

Duration SubHandlers::remaining(const Waiting& waiting) const {
  return std::min(Duration(waiting.due - context_.executor().wall_now()), waiting.delay);
}

bool SubHandlers::is_due(const std::string& id) const {
  if (progress_.done.contains(id) || progress_.failed.contains(id)) return false;
  const auto waiting = progress_.waiting.find(id);
  return waiting == progress_.waiting.end() || remaining(waiting->second) <= Duration::zero();
}

void SubHandlers::call(const Handler& handler) {
  const WallTime now = context_.executor().wall_now();
  Waiting waiting{.since = now};
  if (const auto before = progress_.waiting.find(handler.id); before != progress_.waiting.end())
    waiting = before->second;
  Outcome outcome = done;
  try {
    outcome = handler.function(context_);
  } catch (...) {
    outcome = failed(context_.current_exception_error("sub-handler " + handler.id));
  }
  const Error* error = outcome.as_failed();
  if (error != nullptr && error->code == ErrorCode::cancelled && context_.stop_token().stop_requested()) {
    cancelled_ = *error;
    return;
  }
  is_changed_ = true;
  progress_.waiting.erase(handler.id);
  if (outcome.is_done()) {
    progress_.done[handler.id] = true;
  } else if (const RequeueAfter* again = outcome.as_requeue_after()) {
    waiting.delay = again->delay;
    waiting.due = context_.executor().wall_now() + again->delay;
    waiting.error.clear();
    progress_.waiting[handler.id] = std::move(waiting);
  } else {
    note_failure(handler, std::move(waiting),
                 error != nullptr ? *error : make_error(ErrorCode::unknown, "not finished"));
  }
}

void SubHandlers::note_failure(const Handler& handler, Waiting waiting, const Error& error) {
  Executor& executor = context_.executor();
  const SubHandlerOptions& options = handler.options;
  const WallTime now = executor.wall_now();
  const std::string text = error.to_string();
  const bool is_late = options.timeout > Duration::zero() && now - waiting.since >= options.timeout;
  const bool is_last = options.max_retries && waiting.failures >= *options.max_retries;
  if (error.is_terminal || is_late || is_last) {
    context_.log().error("a sub-handler has failed permanently", {{"sub_handler", handler.id}, {"error", text}});
    progress_.failed[handler.id] = shortened(text);
    return;
  }
  const Duration back_off = options.backoff.delay(waiting.failures++, Random::to_unit(executor.random()));
  waiting.delay = std::max(back_off, Duration(error.retry_after.value_or(Duration::zero())));
  waiting.due = now + waiting.delay;
  waiting.error = shortened(text);
  context_.log().error("a sub-handler failed", {{"sub_handler", handler.id},
                                                {"failures", waiting.failures},
                                                {"again_in", format_duration(waiting.delay)},
                                                {"error", text}});
  progress_.waiting[handler.id] = std::move(waiting);
}

// A reconcile without a function that was there before must not wait for it.
void SubHandlers::drop_removed() {
  std::set<std::string_view> ids;
  for (const Handler& handler : handlers_) ids.insert(handler.id);
  const auto is_removed = [&](const auto& one) { return !ids.contains(one.first); };
  const std::size_t dropped = std::erase_if(progress_.done, is_removed) + std::erase_if(progress_.failed, is_removed) +
                              std::erase_if(progress_.waiting, is_removed);
  is_changed_ = is_changed_ || dropped != 0;
}

Outcome SubHandlers::run() {
  if (auto good = check(); !good) return std::move(good.error());
  drop_removed();
  Executor& executor = context_.executor();
  Instant saved = executor.now();
  for (const Handler& handler : handlers_) {
    if (!is_due(handler.id)) continue;
    if (is_changed_ && executor.now() - saved >= save_interval) {
      if (auto done = save(); !done) return std::move(done.error());
      saved = executor.now();
    }
    call(handler);
    if (cancelled_) break;
  }
  if (is_changed_) {
    if (auto done = save(); !done) return std::move(done.error());
  }
  return outcome();
}

Outcome SubHandlers::outcome() const {
  if (cancelled_) return failed(*cancelled_);
  if (!progress_.waiting.empty()) {
    Duration next = Duration::max();
    for (const auto& [id, one] : progress_.waiting) next = std::min(next, remaining(one));
    return requeue_after(next);
  }
  if (progress_.failed.empty()) return done;
  std::string text;
  for (const auto& [id, error] : progress_.failed)
    text += (text.empty() ? "sub-handler " : "; sub-handler ") + id + ": " + error;
  return failed(make_error(ErrorCode::unknown, std::move(text)).terminal());
}

}  // namespace pintle
