// SPDX-License-Identifier: Apache-2.0
#include "debug_pages.hpp"

#include <string_view>

#include "json_page.hpp"

namespace pintle {
namespace {

http::Response only(const char* method) { return json_error(405, std::string("only ") + method + " is allowed"); }

// Returns "" if there is no such parameter.
std::string parameter_of(const http::Request& request, std::string_view name) {
  const http::Target target = http::parse_target(request.target);
  return std::string(target.parameter(name).value_or(std::string_view()));
}

ObjectKey key_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return {.name = text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

http::Response reconcile(ControllerRunner& controller, const http::Request& request) {
  if (request.method != "POST") return only("POST");
  const ObjectKey key = key_of(parameter_of(request, "key"));
  if (key.name.empty()) return json_error(400, "the name of the object is missing; set ?key=namespace/name");
  if (!controller.has_object(key)) {
    return json_error(404, "there is no " + controller.spec().watch.kind.kind + " " + key.to_string() +
                               " that the controller " + controller.spec().name + " watches");
  }
  controller.release(key);
  ReconcileCause cause{.source = ReconcileCause::Source::channel, .note = "requested by /debug/"};
  if (!controller.wake(key, std::move(cause))) return json_error(503, "the queue is full or closed");
  return json_page(202, json::object{{"queued", key.to_string()}});
}

}  // namespace

http::Response DebugPages::handle(const http::Request& request) {
  constexpr std::string_view controllers = "/debug/controllers";
  const std::string path = http::parse_target(request.target).path;
  const Inspected seen = inspect_();
  if (path == "/debug" || path == "/debug/") return request.method == "GET" ? overview(seen) : only("GET");
  if (path == "/debug/log-level") return set_level(request);
  if (path == controllers || path.starts_with(std::string(controllers) + "/")) {
    return controller(request, path.substr(controllers.size()), seen);
  }
  return json_error(404, "not found; available: /debug/, /debug/controllers and /debug/log-level");
}

http::Response DebugPages::overview(const Inspected& seen) const {
  json::array names;
  for (const ControllerRunner* one : seen.controllers) names.emplace_back(one->spec().name);
  return json_page(200, json::object{{"manager", options_.name},
                                     {"version", options_.version},
                                     {"ready", seen.ready},
                                     {"leading", seen.leading},
                                     {"log_level", to_string(log_.level())},
                                     {"controllers", std::move(names)}});
}

// `rest` is the path behind /debug/controllers: "", "/NAME" or "/NAME/reconcile".
http::Response DebugPages::controller(const http::Request& request, const std::string& rest,
                                      const Inspected& seen) const {
  if (rest.empty() || rest == "/") {
    if (request.method != "GET") return only("GET");
    json::array all;
    for (const ControllerRunner* one : seen.controllers) all.emplace_back(one->debug());
    return json_page(200, all);
  }
  const std::size_t slash = rest.find('/', 1);
  const std::string name = rest.substr(1, slash == std::string::npos ? slash : slash - 1);
  const std::string what = slash == std::string::npos ? "" : rest.substr(slash);
  for (ControllerRunner* one : seen.controllers) {
    if (one->spec().name != name) continue;
    if (what == "/reconcile") return reconcile(*one, request);
    if (!what.empty()) return json_error(404, "not found; available: /debug/controllers/" + name + "/reconcile");
    return request.method == "GET" ? json_page(200, one->debug()) : only("GET");
  }
  return json_error(404, "there is no controller \"" + name + "\"; /debug/controllers lists them");
}

http::Response DebugPages::set_level(const http::Request& request) const {
  if (request.method != "POST") return only("POST");
  const auto level = parse_log_level(parameter_of(request, "level"));
  if (!level) return json_error(400, level.error().message);
  log_.set_level(*level);
  return json_page(200, json::object{{"log_level", to_string(*level)}});
}

}  // namespace pintle
