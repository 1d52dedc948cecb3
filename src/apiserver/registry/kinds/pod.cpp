// SPDX-License-Identifier: Apache-2.0
// The rules of Pod. Pods do not run here: clients write the status, and Kubelets ends the Pods.
#include <algorithm>

#include <fmt/format.h>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/values.hpp"
#include "pods/enum_order.hpp"
#include "pods/pod_resize.hpp"
#include "pods/pod_template.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

// How long a Pod stays on a lost node, by the admission plugin DefaultTolerationSeconds.
constexpr int toleration_seconds = 300;

bool tolerates(const Value& toleration, std::string_view key) {
  const std::string_view given = text_at(toleration, "/key");
  const std::string_view effect = text_at(toleration, "/effect");
  return (given == key || given.empty()) && (effect == "NoExecute" || effect.empty());
}

void tolerate_lost_nodes(object& spec) {
  Value& found = spec["tolerations"];
  if (!found.is_array()) found.emplace_array();
  json::array& list = found.get_array();
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    if (std::any_of(list.begin(), list.end(), [&](const Value& one) { return tolerates(one, key); })) continue;
    list.emplace_back(object{
        {"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", toleration_seconds}});
  }
}

// Makes each limit a request too, unless the container requests another amount.
void request_limits(Value& container) {
  const Value* limits = json::find(container, "/resources/limits");
  if (limits == nullptr || !limits->is_object()) return;
  Value& requests = object_in(container, "resources")["requests"];
  const object requested = json::find(container, "/resources/limits")->get_object();
  if (!requests.is_object()) requests.emplace_object();
  for (const auto& [name, amount] : requested) requests.get_object().emplace(name, amount);
}

// Guaranteed: every container has limits for CPU and memory, and equal requests. BestEffort: no container has either.
std::string_view quality_of_service(Value pod) {
  bool guaranteed = true;
  bool has_resources = false;
  for (const char* list : {"/spec/containers", "/spec/initContainers"}) {
    each_object(pod, list, [&](Value& container) {
      for (const char* name : {"cpu", "memory"}) {
        const Value* limit = json::find(container, fmt::format("/resources/limits/{}", name));
        const Value* request = json::find(container, fmt::format("/resources/requests/{}", name));
        has_resources = has_resources || limit != nullptr || request != nullptr;
        guaranteed = guaranteed && limit != nullptr && (request == nullptr || *request == *limit);
      }
    });
  }
  return has_resources ? (guaranteed ? "Guaranteed" : "Burstable") : "BestEffort";
}

constexpr std::string_view forbidden_change =
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

// Returns the spec without the members that an update may change, such as images, resources (resize), ephemeral
// containers, deadline and tolerations.
Value fixed_part(const Value& pod) {
  const Value* found = member(pod, "spec");
  Value spec = found == nullptr ? Value() : *found;
  if (!spec.is_object()) return spec;
  for (const char* name :
       {"activeDeadlineSeconds", "tolerations", "ephemeralContainers", "schedulingGates", "nodeName"}) {
    spec.get_object().erase(name);
  }
  for (const char* list : {"/containers", "/initContainers"}) {
    each_object(spec, list, [](Value& container) {
      for (const char* name : {"image", "resources"}) container.get_object().erase(name);
    });
  }
  return spec;
}

// Sets a negative period of `spec` to the only value that it may get.
void allow_new_grace_period(Value& spec, const Value& next) {
  const auto seconds = [](const Value& of) {
    const Value* found = member(of, "terminationGracePeriodSeconds");
    return found != nullptr && found->is_int64() ? found->get_int64() : 0;
  };
  if (seconds(spec) < 0 && seconds(next) == 1) spec.get_object()["terminationGracePeriodSeconds"] = 1;
}

bool keeps_fixed_part(const Value& next, const Value& old) {
  const Value wanted = fixed_part(next);
  Value spec = fixed_part(old);
  allow_new_grace_period(spec, wanted);
  return wanted == spec;
}

void validate_new_deadline(View spec, View old, std::vector<StatusCause>& causes) {
  const View seconds = spec.member("activeDeadlineSeconds");
  const View before = old.member("activeDeadlineSeconds");
  if (!before.exists()) return;
  const std::string field = "spec.activeDeadlineSeconds";
  if (!seconds.exists()) {
    causes.push_back(invalid_value(field, Value(), "must not update from a positive integer to nil value"));
  } else if (integer_cell(seconds) > integer_cell(before)) {
    causes.push_back(invalid_value(field, seconds.to_value(), "must be less than or equal to previous value"));
  }
}

// The images of a template may have blanks around them.
void validate_images(View spec, std::vector<StatusCause>& causes) {
  for (const char* list : {"containers", "initContainers"}) {
    std::size_t i = 0;
    for (const View container : spec.member(list).elements()) {
      const std::string at = fmt::format("spec.{}[{}].image", list, i++);
      const std::string_view image = container.member("image").text();
      if (image.empty()) continue;
      const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
      if (!is_blank(image.front()) && !is_blank(image.back())) continue;
      causes.push_back(invalid_value(at, Value(image), "must not have leading or trailing whitespace"));
    }
  }
}

void validate_new(View spec, std::vector<StatusCause>& causes) {
  if (!spec.member("ephemeralContainers").empty()) {
    causes.push_back(forbidden_field("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (!spec.member("nodeName").text().empty() && !spec.member("schedulingGates").empty()) {
    causes.push_back(forbidden_field("spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
  }
}

// False if a container was added or removed, after which nothing else is checked.
bool keeps_containers(View spec, View old, std::vector<StatusCause>& causes) {
  for (const char* list : {"containers", "initContainers"}) {
    if (spec.member(list).size() == old.member(list).size()) continue;
    causes.push_back(forbidden_field(fmt::format("spec.{}", list), "pod updates may not add or remove containers"));
    return false;
  }
  return true;
}

bool is_same_toleration(View a, View b) {
  for (const char* name : {"key", "operator", "value", "effect"}) {
    if (a.member(name).text() != b.member(name).text()) return false;
  }
  return true;
}

void validate_only_added_tolerations(View spec, View old, std::vector<StatusCause>& causes) {
  for (const View before : old.member("tolerations").elements()) {
    bool stays = false;
    for (const View one : spec.member("tolerations").elements()) stays = stays || is_same_toleration(one, before);
    if (stays) continue;
    causes.push_back(
        forbidden_field("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds"));
    return;
  }
}

void validate_only_removed_gates(View spec, View old, std::vector<StatusCause>& causes) {
  std::size_t i = 0;
  for (const View gate : spec.member("schedulingGates").elements()) {
    const std::string at = fmt::format("spec.schedulingGates[{}].name", i++);
    const std::string_view name = gate.member("name").text();
    bool is_known = false;
    for (const View one : old.member("schedulingGates").elements()) is_known = is_known || one.member("name") == name;
    if (is_known) continue;
    causes.push_back(
        forbidden_field(at, fmt::format("only deletion is allowed, but found new scheduling gate '{}'", name)));
  }
}

// ---- what is shown ----

std::string reason_of(View state) {
  const View ended = state.member("terminated");
  if (const std::string_view waits = state["/waiting/reason"].text(); !waits.empty()) return std::string(waits);
  if (!ended.exists()) return "";
  if (const std::string_view reason = ended.member("reason").text(); !reason.empty()) return std::string(reason);
  if (const std::int64_t signal = integer_cell(ended.member("signal")); signal != 0) {
    return fmt::format("Signal:{}", signal);
  }
  return fmt::format("ExitCode:{}", integer_cell(ended.member("exitCode")));
}

// Returns why the first unfinished init container delays the others; "" if all have finished.
std::string init_reason(View pod) {
  const View statuses = pod["/status/initContainerStatuses"];
  std::size_t i = 0;
  for (const View status : statuses.elements()) {
    const View ended = status["/state/terminated"];
    const bool done = ended.exists() && integer_cell(ended.member("exitCode")) == 0;
    if (!done) {
      const std::string reason = reason_of(status.member("state"));
      if (!reason.empty() && reason != "PodInitializing") return fmt::format("Init:{}", reason);
      return fmt::format("Init:{}/{}", i, pod["/spec/initContainers"].size());
    }
    ++i;
  }
  return "";
}

bool is_ready(View pod) {
  for (const View one : pod["/status/conditions"].elements()) {
    if (one.member("type") == "Ready") return one.member("status") == "True";
  }
  return false;
}

std::string state_of(View pod) {
  std::string reason(text_cell(pod["/status/phase"], ""));
  if (const std::string_view given = pod["/status/reason"].text(); !given.empty()) reason = given;
  if (std::string init = init_reason(pod); !init.empty()) {
    reason = std::move(init);
  } else {
    bool runs = false;
    // Backwards, so that the reason of the first container is used.
    const View statuses = pod["/status/containerStatuses"];
    for (std::size_t i = statuses.size(); i-- > 0;) {
      const View state = statuses.element(i).member("state");
      if (std::string why = reason_of(state); !why.empty()) {
        reason = std::move(why);
      } else if (statuses.element(i).member("ready") == true && state.member("running").exists()) {
        runs = true;
      }
    }
    if (reason == "Completed" && runs) reason = is_ready(pod) ? "Running" : "NotReady";
  }
  if (!pod["/metadata/deletionTimestamp"].exists()) return reason;
  return pod["/status/reason"] == "NodeLost" ? "Unknown" : "Terminating";
}

std::string restarts_of(View pod, WallTime now) {
  std::int64_t count = 0;
  std::string_view last;
  for (const View status : pod["/status/containerStatuses"].elements()) {
    count += integer_cell(status.member("restartCount"));
    last = std::max(last, status["/lastState/terminated/finishedAt"].text());
  }
  if (count == 0 || last.empty()) return std::to_string(count);
  return fmt::format("{} ({} ago)", count, human_age(last, now));
}

std::string ready_of(View pod) {
  std::size_t ready = 0;
  for (const View status : pod["/status/containerStatuses"].elements()) {
    if (status.member("ready") == true && status["/state/running"].exists()) ++ready;
  }
  return fmt::format("{}/{}", ready, pod["/spec/containers"].size());
}

std::string gates_of(View pod) {
  const View gates = pod["/spec/readinessGates"];
  if (gates.empty()) return "<none>";
  std::size_t met = 0;
  for (const View gate : gates.elements()) {
    for (const View one : pod["/status/conditions"].elements()) {
      if (one.member("type") != gate.member("conditionType").text()) continue;
      if (one.member("status") == "True") ++met;
    }
  }
  return fmt::format("{}/{}", met, gates.size());
}

class Pod final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void prepare_create(Value& pod) const override {
    BuiltinStrategy::prepare_create(pod);
    const std::string_view quality = quality_of_service(pod);
    object& status = object_in(pod, "status");
    status["phase"] = "Pending";
    status["qosClass"] = quality;
  }

  // A Pod that is not on a node, or has finished, needs no time.
  std::optional<std::int64_t> grace_period(View pod, std::optional<std::int64_t> requested) const override {
    const View phase = pod["/status/phase"];
    if (pod["/spec/nodeName"].text().empty() || phase == "Failed" || phase == "Succeeded") return 0;
    const std::int64_t seconds = requested ? *requested : integer_cell(pod["/spec/terminationGracePeriodSeconds"]);
    return seconds < 0 ? 1 : seconds;
  }

  void keep_other_parts(std::string_view subresource, Value& next, const Value& old) const override {
    if (subresource == "resize") keep_all_but_resources(next, old);
    if (subresource == "ephemeralcontainers") keep_all_but_ephemeral_containers(next, old);
  }
  void validate_subresource(std::string_view subresource, const Value& next, const Value& old,
                            std::vector<StatusCause>& causes) const override {
    if (subresource == "resize") {
      if (quality_of_service(next) != quality_of_service(old)) {
        causes.push_back(invalid_value("metadata", Value(quality_of_service(next)),
                                       "Pod QOS Class may not change as a result of resizing"));
      }
      validate_resize(next, old, causes);
    } else if (!same_resources(next, old)) {
      causes.push_back(forbidden_field("spec", forbidden_change));
    }
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    const std::size_t before_enums = causes.size();
    BuiltinStrategy::validate(next, old, causes);
    const std::size_t enums = causes.size();
    const Value& spec = next.as_object().at("spec");  // set_defaults() adds it
    const Value* accepted = old == nullptr ? nullptr : member(*old, "spec");
    if (accepted != nullptr && spec == *accepted) return;
    const json::Document document(spec);
    validate_pod_spec(document.root(), "spec", causes);
    if (enums > before_enums) place_enum_causes("spec", enums, causes);
    validate_images(document.root(), causes);
    if (old == nullptr) return validate_new(document.root(), causes);
    const json::Document before(accepted == nullptr ? Value() : *accepted);
    if (!keeps_containers(document.root(), before.root(), causes)) return;
    validate_new_deadline(document.root(), before.root(), causes);
    validate_only_added_tolerations(document.root(), before.root(), causes);
    validate_only_removed_gates(document.root(), before.root(), causes);
    const std::string_view node = text_at(*old, "/spec/nodeName");
    const bool moves = !node.empty() && node != text_at(next, "/spec/nodeName");
    if (!moves && keeps_fixed_part(next, *old)) return;
    causes.push_back(forbidden_field("spec", forbidden_change));
  }

 protected:
  void set_defaults(Value& pod) const override {
    object_in(pod, "spec");
    default_pod_spec(pod);
    object& spec = object_in(pod, "spec");
    spec.emplace("enableServiceLinks", true);
    for (const char* list : {"/spec/containers", "/spec/initContainers"}) each_object(pod, list, request_limits);
    tolerate_lost_nodes(spec);  // as the admission plugin DefaultTolerationSeconds does
  }

  Value cell(std::string_view column, View pod, WallTime now) const override {
    if (column == "Ready") return Value(ready_of(pod));
    if (column == "Status") return Value(state_of(pod));
    if (column == "Restarts") return Value(restarts_of(pod, now));
    if (column == "IP") return Value(text_cell(pod["/status/podIPs/0/ip"]));
    if (column == "Node") return Value(text_cell(pod["/spec/nodeName"]));
    if (column == "Nominated Node") return Value(text_cell(pod["/status/nominatedNodeName"]));
    return Value(gates_of(pod));
  }
};

}  // namespace

StrategyPtr pod_strategy(BuiltinKind kind) { return std::make_shared<Pod>(std::move(kind)); }

}  // namespace pintle::apiserver
