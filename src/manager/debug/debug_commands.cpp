// SPDX-License-Identifier: Apache-2.0
#include "debug_commands.hpp"

#include <string>
#include <utility>

#include "debug_parameters.hpp"
#include "manager/pages/json_page.hpp"

namespace pintle {
namespace {

http::Response write_pause(ControllerRunner& controller, const ObjectKey& key, bool is_paused) {
  json::object annotations;
  annotations[controller.pause_annotation()] = is_paused ? json::Value("true") : json::Value();
  const json::Value patch{{"metadata", {{"annotations", std::move(annotations)}}}};
  const auto written = controller.cluster().client->patch(controller.spec().watch.kind, key, patch);
  if (!written) return json_error(written.error());
  return json_page(200, json::object{{"key", key.to_string()}, {"paused", is_paused}});
}

}  // namespace

http::Response no_such_object(const ControllerRunner& controller, const ObjectKey& key) {
  return json_error(404, "there is no " + controller.spec().watch.kind.kind + " " + key.to_string() +
                             " that the controller " + controller.spec().name + " watches");
}

http::Response only_the_leader(const ControllerRunner& controller, const std::optional<ElectionStanding>& election) {
  const std::string leader = election ? election->holder : std::string();
  const std::string pages = election ? election->pages : std::string();
  return json_error(
      503, "this instance does not reconcile the objects of the controller " + controller.spec().name +
               (leader.empty() ? "; send the request to the leader" : "; send the request to the leader, " + leader) +
               (pages.empty() ? "" : ", at " + pages));
}

http::Response reconcile_now(ControllerRunner& controller, const http::Target& target) {
  const auto key = key_parameter(target);
  if (!key) return json_error(400, key.error().message);
  if (!controller.has_object(*key)) return no_such_object(controller, *key);
  controller.release(*key);
  ReconcileCause cause{.source = ReconcileCause::Source::channel, .note = "requested by /debug/"};
  if (!controller.wake(*key, std::move(cause))) return json_error(503, "the queue is full or closed");
  return json_page(202, json::object{{"queued", key->to_string()}});
}

http::Response pause(ControllerRunner& controller, const http::Target& target) {
  const auto key = key_parameter(target);
  if (!key) return json_error(400, key.error().message);
  if (auto valid = check_parameter(target, "paused", {"true", "false"}); !valid) {
    return json_error(400, valid.error().message);
  }
  if (controller.pause_annotation().empty()) {
    return json_error(400, "the controller " + controller.spec().name + " has no pause_annotation");
  }
  if (!controller.object(*key)) return no_such_object(controller, *key);
  const bool is_paused = text_parameter(target, "paused") != "false";
  return {.deferred = [&controller, key = *key, is_paused] { return write_pause(controller, key, is_paused); }};
}

}  // namespace pintle
