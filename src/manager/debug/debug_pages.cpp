// SPDX-License-Identifier: Apache-2.0
#include "debug_pages.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <pintle/base/environment.hpp>

#include "debug_commands.hpp"
#include "debug_files.hpp"
#include "debug_parameters.hpp"
#include "debug_values.hpp"
#include "manager/pages/json_page.hpp"
#include "manager/process_metrics.hpp"
#include "object_view.hpp"
#include "objects_page.hpp"

namespace pintle {
namespace {

constexpr std::string_view root = "/debug/v1";

http::Response only(const char* method) { return json_error(405, std::string("only ") + method + " is allowed"); }
bool is_read(const http::Request& request) { return request.method == "GET" || request.method == "HEAD"; }
http::Response refusal(const Error& error) { return json_error(400, error.message); }

std::optional<QueueEntry::State> state_of(std::string_view name) {
  if (name == "working") return QueueEntry::State::working;
  if (name == "waiting") return QueueEntry::State::waiting;
  if (name == "delayed") return QueueEntry::State::delayed;
  return std::nullopt;
}

json::array values_of(const auto& items, const auto& value_of) {
  json::array values;
  for (const auto& one : items) values.emplace_back(value_of(one));
  return values;
}

json::object election_value(const ElectionStanding& standing, bool leading) {
  json::object value{{"lease", standing.lease}, {"leading", leading}};
  set_text(value, "leader", standing.holder);
  if (!leading) set_text(value, "leaderPages", standing.pages);
  set_text(value, "renewedAt", standing.renewed);
  return value;
}

bool reconciles_here(const ControllerRunner& controller, const Inspected& seen) {
  return seen.leading || controller.spec().leadership == Leadership::every_instance;
}

// A stream that ends after some minutes. The client connects again, so a token that was revoked does not outlive this.
class StreamWithAge final : public http::BodyStream {
 public:
  StreamWithAge(const Executor& executor, std::unique_ptr<http::BodyStream> stream)
      : executor_(executor), end_(executor.now() + std::chrono::minutes(10)), stream_(std::move(stream)) {}

  [[nodiscard]] State read(std::string& out) override {
    return executor_.now() < end_ ? stream_->read(out) : State::ended;
  }
  void on_ready(std::function<void()> wake) override { stream_->on_ready(std::move(wake)); }
  [[nodiscard]] Instant next_deadline() const override { return std::min(end_, stream_->next_deadline()); }

 private:
  const Executor& executor_;
  const Instant end_;
  const std::unique_ptr<http::BodyStream> stream_;
};

}  // namespace

DebugPages::DebugPages(Surroundings around) : around_(std::move(around)), started_at_(around_.executor.wall_now()) {}

http::Response DebugPages::handle(const http::Request& request) {
  const http::Target target = http::parse_target(request.target);
  std::string_view path = target.path;
  if (!path.starts_with(root)) {
    return json_error(404, "not found; the debug API is at /debug/v1/, and /debug/v1/openapi.json describes it");
  }
  path.remove_prefix(root.size());
  if (path == "/log-level") return request.method == "POST" ? set_level(target) : only("POST");
  constexpr std::string_view controllers = "/controllers/";
  if (path.starts_with(controllers)) return of_controller(request, path.substr(controllers.size()));
  if (!is_read(request)) return only("GET");
  if (path == "/operator") return json_page(200, operator_value(around_.inspect()));
  if (path == "/controllers") return json_page(200, controllers_value());
  if (path == "/replicas") return replicas();
  if (path == "/reconciles") return reconciles(target);
  if (path == "/log") return log_lines(target);
  if (path == "/stream") return stream(target);
  if (path == "/caches") {
    const Moment moment(around_.executor);
    const Inspected seen = around_.inspect();
    return json_page(
        200,
        json::object{{"items", values_of(seen.caches, [&](const auto& cache) { return cache_value(cache, moment); })}});
  }
  if (path == "/openapi.json") {
    return {.headers = {{"Content-Type", "application/json"}}, .body = std::string(debug_files().front().text)};
  }
  return json_error(404, "not found; /debug/v1/openapi.json lists all paths");
}

json::Value DebugPages::operator_value(const Inspected& seen) const {
  const ReconcileHistory::Size size = around_.history.size();
  json::object value{{"name", around_.options.name},
                     {"version", around_.options.version},
                     {"pintleVersion", PINTLE_VERSION},
                     {"startedAt", format_micro_time(started_at_)},
                     {"now", format_micro_time(around_.executor.wall_now())},
                     {"ready", seen.ready},
                     {"problems", values_of(seen.problems, [](const auto& one) { return json::Value(one); })}};
  set_text(value, "instance", seen.election ? seen.election->identity : host_name());
  if (seen.election) value["election"] = election_value(*seen.election, seen.leading);
  value["logLevel"] = to_string(around_.log.level());
  value["memoryBytes"] = resident_memory();
  value["history"] = {{"limit", around_.history.limit()}, {"records", size.records}, {"bytes", size.bytes}};
  value["controllers"] =
      values_of(seen.controllers, [](const auto* controller) { return json::Value(controller->spec().name); });
  return value;
}

json::Value DebugPages::controllers_value() const {
  const Inspected seen = around_.inspect();
  return json::object{
      {"items", values_of(seen.controllers, [](const auto* controller) { return controller_value(*controller); })}};
}

http::Response DebugPages::replicas() const {
  if (around_.replicas == nullptr) return json_error(404, "the operator runs without leader election, as one instance");
  return {.deferred = [this] {
    const auto replicas = around_.replicas->list();
    if (!replicas) return json_error(replicas.error());
    const auto election = around_.inspect().election;
    const std::string leader = election ? election->holder : std::string();
    return json_page(
        200,
        json::object{{"items", values_of(*replicas, [&](const Replica& one) { return replica_value(one, leader); })}});
  }};
}

// `rest` is the path behind /debug/v1/controllers/: "NAME/queue".
http::Response DebugPages::of_controller(const http::Request& request, std::string_view rest) const {
  const http::Target target = http::parse_target(request.target);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string name(rest.substr(0, slash));
  const std::string_view what = rest.substr(slash);
  const Inspected seen = around_.inspect();
  const auto found = std::find_if(seen.controllers.begin(), seen.controllers.end(),
                                  [&](const auto* one) { return one->spec().name == name; });
  if (found == seen.controllers.end()) {
    return json_error(404, "there is no controller \"" + name + "\"; /debug/v1/controllers lists them");
  }
  ControllerRunner& controller = **found;
  const bool is_command = what == "/reconcile" || what == "/pause";
  if (is_command ? request.method != "POST" : !is_read(request)) return only(is_command ? "POST" : "GET");
  if (what == "/queue") return queue(controller, target);
  if (what == "/objects") return objects(controller, target);
  if (what == "/object") return object(controller, target, seen);
  if (what == "/reconcile") {
    if (!reconciles_here(controller, seen)) return only_the_leader(controller, seen.election);
    return reconcile_now(controller, target);
  }
  if (what == "/pause") return pause(controller, target);
  return json_error(404, "not found; /debug/v1/openapi.json lists all paths");
}

http::Response DebugPages::queue(const ControllerRunner& controller, const http::Target& target) const {
  const auto limit = limit_parameter(target);
  if (!limit) return refusal(limit.error());
  if (auto valid = check_parameter(target, "state", {"working", "waiting", "delayed"}); !valid) {
    return refusal(valid.error());
  }
  const QueuePart part = controller.queue({.search = text_parameter(target, "search"),
                                           .state = state_of(text_parameter(target, "state")),
                                           .limit = *limit});
  const Moment moment(around_.executor);
  return json_page(
      200, json::object{{"total", part.total},
                        {"matching", part.matching},
                        {"items", values_of(part.entries, [&](const auto& one) { return entry_value(one, moment); })}});
}

http::Response DebugPages::objects(const ControllerRunner& controller, const http::Target& target) const {
  const auto limit = limit_parameter(target);
  if (!limit) return refusal(limit.error());
  if (auto valid = check_parameter(target, "state", {"notReady"}); !valid) return refusal(valid.error());
  return json_page(200, objects_value(controller,
                                      {.search = text_parameter(target, "search"),
                                       .is_not_ready = !text_parameter(target, "state").empty(),
                                       .limit = *limit},
                                      around_.history, Moment(around_.executor)));
}

http::Response DebugPages::object(const ControllerRunner& controller, const http::Target& target,
                                  const Inspected& seen) const {
  const auto key = key_parameter(target);
  if (!key) return refusal(key.error());
  ObjectFacts facts = facts_about(controller, *key, around_.history);
  facts.reconciles_here = reconciles_here(controller, seen);
  if (seen.election) facts.leader = seen.election->holder;
  if (!facts.object && !facts.entry && facts.reconciles.empty()) return no_such_object(controller, *key);
  const auto find = [&](const GroupVersionKind& kind) -> const ControllerRunner* {
    for (const ControllerRunner* one : seen.controllers) {
      if (one->spec().watch.kind == kind) return one;
    }
    return nullptr;
  };
  return json_page(200, object_value(controller, *key, facts, find, Moment(around_.executor)));
}

http::Response DebugPages::reconciles(const http::Target& target) const {
  const auto limit = limit_parameter(target);
  if (!limit) return refusal(limit.error());
  if (auto valid = check_parameter(target, "outcome", {"success", "requeue", "requeueAfter", "error"}); !valid) {
    return refusal(valid.error());
  }
  ReconcileHistory::Filter filter{.controller = text_parameter(target, "controller"),
                                  .outcome = text_parameter(target, "outcome")};
  if (target.parameter("key")) {
    auto key = key_parameter(target);
    if (!key) return refusal(key.error());
    filter.key = std::move(*key);
  }
  const auto records = around_.history.newest(filter, *limit);
  return json_page(200,
                   json::object{{"items", values_of(records, [](const auto& one) { return reconcile_value(*one); })}});
}

http::Response DebugPages::log_lines(const http::Target& target) const {
  const auto limit = limit_parameter(target);
  if (!limit) return refusal(limit.error());
  LogTail::Filter filter{.search = text_parameter(target, "search")};
  if (const auto name = target.parameter("level")) {
    const auto level = parse_log_level(*name);
    if (!level) return refusal(level.error());
    filter.level = *level;
  }
  const auto lines = around_.log_tail.newest(filter, *limit);
  return json_page(200, json::object{{"items", values_of(lines, [](const auto& one) { return line_value(*one); })}});
}

http::Response DebugPages::stream(const http::Target& target) const {
  DebugStream::Options options{.reconciles = {.controller = text_parameter(target, "controller")}};
  if (target.parameter("key")) {
    auto key = key_parameter(target);
    if (!key) return refusal(key.error());
    options.reconciles.key = std::move(*key);
  }
  std::string_view names = target.parameter("events").value_or("");
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    const std::string name(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
    if (name != "controllers" && name != "reconcile" && name != "log") {
      return json_error(400, "event \"" + name + "\" is not one of controllers, reconcile, log");
    }
    options.events.insert(name);
  }
  if (++*open_streams_ > max_streams) {
    --*open_streams_;
    return json_error(503, "there are " + std::to_string(max_streams) + " streams already; close one");
  }
  const DebugStream::Sources sources{
      .executor = around_.executor, .history = around_.history, .log = around_.log_tail, .controllers = [this] {
        return controllers_value();
      }};
  return {.headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
          .stream = std::make_unique<StreamWithAge>(
              around_.executor, std::make_unique<DebugStream>(sources, std::move(options), open_streams_))};
}

http::Response DebugPages::set_level(const http::Target& target) const {
  const auto level = parse_log_level(text_parameter(target, "level"));
  if (!level) return refusal(level.error());
  around_.log.set_level(*level);
  return json_page(200, json::object{{"logLevel", to_string(*level)}});
}

}  // namespace pintle
