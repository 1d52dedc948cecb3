// SPDX-License-Identifier: Apache-2.0
#include "pods.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "cluster_values.hpp"
#include "nodes/taints.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view script_annotation = "pintle.dev/pod";
constexpr std::string_view only_node = "pintle";  // if the cluster has no Node
constexpr Duration end_of_task = std::chrono::seconds(1);
constexpr Duration first_back_off = std::chrono::seconds(10);
constexpr Duration max_back_off = std::chrono::minutes(5);

bool ends_with_its_containers(const Object& pod) { return pod["/spec/restartPolicy"] != "Always"; }

// Without an annotation, a Pod that always restarts runs for ever, and any other succeeds.
Result<PodScript> script_of(const Object& pod) {
  const View given = pod.annotations().member(script_annotation);
  if (given.exists()) return parse_pod_script(given.text());
  PodScript script;
  if (ends_with_its_containers(pod)) script.end_after = end_of_task;
  return script;
}

bool has_labels(View labels, View selector) {
  for (const auto [name, value] : selector.members()) {
    if (labels.member(name) != value.text()) return false;
  }
  return true;
}

// True if clients have set the conditions of all readiness gates.
bool gates_are_open(const Object& pod) {
  for (const View gate : pod["/spec/readinessGates"].elements()) {
    if (!is_condition_true(pod, gate.member("conditionType").text())) return false;
  }
  return true;
}

// An address that depends on the uid only.
std::string address_of(const Object& pod) {
  const std::string_view uid = pod.uid();
  const auto byte = [&](std::size_t at) {
    const std::string digits(uid.substr(uid.size() < at ? 0 : uid.size() - at, 2));
    return std::strtoul(digits.c_str(), nullptr, 16);
  };
  return fmt::format("10.{}.{}.{}", byte(6), byte(4), byte(2));
}

Value ended_state(const Object& pod, int exit_code, WallTime now) {
  const View start = pod["/status/startTime"];
  return json::object{
      {"terminated", json::object{{"exitCode", exit_code},
                                  {"reason", exit_code == 0 ? "Completed" : "Error"},
                                  {"startedAt", start.exists() ? std::string(start.text()) : format_time(now)},
                                  {"finishedAt", format_time(now)}}}};
}

}  // namespace

Instant Pods::reconcile(const Object& pod) {
  const std::string_view phase = pod["/status/phase"].text();
  if (phase == "Succeeded" || phase == "Failed") return Instant::max();
  const auto script = script_of(pod);
  if (!script) {
    if (pod["/status/reason"] == "InvalidScript") return Instant::max();
    objects_.edit(
        "pods", pod,
        [&](Value& next) {
          json::object& status = object_in(next, "status");
          status["reason"] = "InvalidScript";
          status["message"] = fmt::format("annotation {}: {}", script_annotation, script.error().message);
        },
        "status");
    return Instant::max();
  }
  const auto placed = pod["/spec/nodeName"].text().empty() ? schedule(pod) : std::optional(pod);
  if (!placed) return Instant::max();
  Life& life = lives_.try_emplace(std::string(pod.uid()), Life{.started = objects_.now()}).first->second;
  const Instant end = end_on_node(*placed, life);
  if (end > objects_.now()) return std::min(end, advance(*placed, *script, life));
  evict(*placed);
  return Instant::max();
}

// Returns when the Pod must leave its Node because of a taint; Instant::max(): never.
Instant Pods::end_on_node(const Object& pod, Life& life) const {
  const Object node = objects_.get({"nodes", storage_key("", pod["/spec/nodeName"].text())});
  const auto time = node ? time_on(node, pod["/spec/tolerations"]) : std::nullopt;
  if (!time) {
    life.tainted.reset();
    return Instant::max();
  }
  if (!life.tainted) life.tainted = objects_.now();
  return after(*life.tainted, *time);
}

void Pods::evict(const Object& pod) {
  const NewCondition condition{"DisruptionTarget", "True", "DeletionByTaintManager",
                               "Taint manager: deleting due to NoExecute taint"};
  const Value made = made_condition(pod, condition, objects_.wall_now());
  objects_.edit(
      "pods", pod,
      [&](Value& next) {
        Value& conditions = object_in(next, "status")["conditions"];
        if (!conditions.is_array()) conditions.emplace_array();
        conditions.get_array().push_back(made);
      },
      "status");
  objects_.remove("pods", pod);
}

// Returns a node that the Pod may run on; nothing if there is none.
std::optional<std::string> Pods::node_for(const Object& pod) {
  const std::vector<Object> nodes = objects_.list("nodes");
  if (nodes.empty()) return std::string(only_node);
  std::vector<std::string> fitting;
  for (const Object& node : nodes) {
    if (node["/spec/unschedulable"] == true || node.is_deleting()) continue;
    if (!may_start(pod["/spec/tolerations"], node)) continue;
    if (has_labels(node.labels(), pod["/spec/nodeSelector"])) fitting.emplace_back(node.name());
  }
  if (fitting.empty()) return std::nullopt;
  return fitting[scheduled_++ % fitting.size()];
}

// Assigns the Pod to a node. Returns nothing if there is none, or if another scheduler or a gate is responsible.
std::optional<Object> Pods::schedule(const Object& pod) {
  const std::string_view scheduler = pod["/spec/schedulerName"].text();
  if (!pod["/spec/schedulingGates"].empty() || (!scheduler.empty() && scheduler != "default-scheduler")) {
    return std::nullopt;
  }
  if (const auto node = node_for(pod)) {
    return objects_.edit(
        "pods", pod, [&](Value& next) { object_in(next, "spec")["nodeName"] = *node; }, "binding");
  }
  const NewCondition condition{"PodScheduled", "False", "Unschedulable",
                               fmt::format("0/{} nodes are available.", objects_.list("nodes").size())};
  const Value made = made_condition(pod, condition, objects_.wall_now());
  if (condition_of(pod, "PodScheduled") == Object(made).root()) return std::nullopt;
  objects_.edit(
      "pods", pod, [&](Value& next) { object_in(next, "status")["conditions"] = json::array{made}; }, "status");
  return std::nullopt;
}

// Brings the Pod to the state that its script has now. Returns when the next one is due.
Instant Pods::advance(const Object& pod, const PodScript& script, Life& life) {
  const Instant now = objects_.now();
  if (now < life.started) return life.started;
  const Duration age = now - life.started;
  if (script.end_after && age >= *script.end_after) {
    end(pod, script, life);
    return life.state == State::waiting ? life.started : Instant::max();
  }
  const bool is_now_ready = script.ready_after && age >= *script.ready_after;
  const State state = is_now_ready ? State::ready : State::running;
  const bool awaits_gates =
      is_now_ready && is_ready(pod) != gates_are_open(pod) && !pod["/spec/readinessGates"].empty();
  if (life.state != state || awaits_gates) {
    life.state = state;
    write(pod, life);
  }
  Instant due = Instant::max();
  if (script.ready_after && !is_now_ready) due = after(life.started, *script.ready_after);
  if (script.end_after) due = std::min(due, after(life.started, *script.end_after));
  return due;
}

// The containers have ended: the Pod ends too, or they restart after the back-off.
void Pods::end(const Object& pod, const PodScript& script, Life& life) {
  life.last_exit_code = script.exit_code;
  const std::string_view policy = pod["/spec/restartPolicy"].text();
  const bool restarts = policy == "Always" || (policy == "OnFailure" && script.exit_code != 0);
  if (restarts) {
    ++life.restarts;
    const Duration back_off = std::min(first_back_off * (1 << std::min(life.restarts - 1, 5)), max_back_off);
    life.started = after(objects_.now(), back_off);
    life.state = State::waiting;
  } else {
    life.state = script.exit_code == 0 ? State::succeeded : State::failed;
  }
  write(pod, life);
}

void Pods::write(const Object& pod, const Life& life) {
  const json::object status = status_of(pod, life);
  objects_.edit(
      "pods", pod,
      [&](Value& next) {
        json::object& written = object_in(next, "status");
        for (const auto& [name, value] : status) written[name] = value;
      },
      "status");
}

json::object Pods::status_of(const Object& pod, const Life& life) const {
  const View start = pod["/status/startTime"];
  const std::string address = address_of(pod);
  std::string_view phase = "Running";
  if (life.state == State::succeeded) phase = "Succeeded";
  if (life.state == State::failed) phase = "Failed";
  return {{"phase", phase},
          {"startTime", start.exists() ? std::string(start.text()) : format_time(objects_.wall_now())},
          {"hostIP", "127.0.0.1"},
          {"hostIPs", json::array{json::object{{"ip", "127.0.0.1"}}}},
          {"podIP", address},
          {"podIPs", json::array{json::object{{"ip", address}}}},
          {"conditions", conditions(pod, life)},
          {"containerStatuses", container_statuses(pod, life)}};
}

json::array Pods::conditions(const Object& pod, const Life& life) const {
  const WallTime now = objects_.wall_now();
  const bool are_ready = life.state == State::ready;
  const bool has_ended = life.state == State::succeeded || life.state == State::failed;
  std::string why = "ContainersNotReady";
  if (has_ended) why = life.state == State::failed ? "PodFailed" : "PodCompleted";
  const bool gates_open = gates_are_open(pod);
  json::array out;
  const auto add = [&](const char* type, bool status, std::string reason) {
    out.emplace_back(
        made_condition(pod, {type, status ? "True" : "False", status ? std::string() : std::move(reason), ""}, now));
  };
  add("Initialized", true, "");
  add("Ready", are_ready && gates_open, are_ready ? "ReadinessGatesNotReady" : why);
  add("ContainersReady", are_ready, why);
  add("PodScheduled", true, "");
  for (const View condition : pod["/status/conditions"].elements()) {
    const std::string_view type = condition.member("type").text();
    const bool is_ours =
        type == "Initialized" || type == "Ready" || type == "ContainersReady" || type == "PodScheduled";
    if (!is_ours) out.push_back(condition.to_value());
  }
  return out;
}

json::array Pods::container_statuses(const Object& pod, const Life& life) const {
  const WallTime now = objects_.wall_now();
  json::array out;
  std::size_t index = 0;
  for (const View container : pod["/spec/containers"].elements()) {
    json::object state{{"running", json::object{{"startedAt", format_time(now)}}}};
    const View before = pod["/status/containerStatuses"].element(index++)["/state/running"];
    if (before.exists()) state["running"] = before.to_value();
    json::object last;
    if (life.restarts > 0) last = ended_state(pod, life.last_exit_code, now).get_object();
    if (life.state == State::waiting) {
      state = {{"waiting",
                json::object{{"reason", "CrashLoopBackOff"}, {"message", "the container waits for its restart"}}}};
    } else if (life.state == State::succeeded || life.state == State::failed) {
      state = ended_state(pod, life.last_exit_code, now).get_object();
    }
    const bool runs = life.state == State::running || life.state == State::ready;
    out.emplace_back(json::object{{"name", container.member("name").text()},
                                  {"state", std::move(state)},
                                  {"lastState", std::move(last)},
                                  {"ready", life.state == State::ready},
                                  {"restartCount", life.restarts},
                                  {"image", container.member("image").text()},
                                  {"imageID", ""},
                                  {"containerID", fmt::format("pintle://{}/{}", pod.uid(), life.restarts)},
                                  {"started", runs}});
  }
  return out;
}

}  // namespace pintle::apiserver
