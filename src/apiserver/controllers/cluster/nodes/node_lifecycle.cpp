// SPDX-License-Identifier: Apache-2.0
#include "node_lifecycle.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "../cluster_values.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view taint_prefix = "node.kubernetes.io/";

struct ConditionTaint {
  std::string_view condition{};  // "": spec.unschedulable
  std::string_view status{};
  std::string_view key{};
  bool ends_pods = false;  // also with the effect NoExecute
};
constexpr ConditionTaint condition_taints[] = {{"Ready", "False", "not-ready", true},
                                               {"Ready", "Unknown", "unreachable", true},
                                               {"MemoryPressure", "True", "memory-pressure"},
                                               {"DiskPressure", "True", "disk-pressure"},
                                               {"PIDPressure", "True", "pid-pressure"},
                                               {"NetworkUnavailable", "True", "network-unavailable"},
                                               {"", "", "unschedulable"}};

bool has_taint(const Object& node, const ConditionTaint& taint) {
  if (taint.condition.empty()) return node["/spec/unschedulable"] == true;
  return condition_of(node, taint.condition).member("status") == taint.status;
}

bool follows_from_conditions(View taint) {
  std::string_view key = taint.member("key").text();
  if (!key.starts_with(taint_prefix)) return false;
  key.remove_prefix(taint_prefix.size());
  for (const ConditionTaint& one : condition_taints) {
    if (one.key == key) return true;
  }
  return false;
}

// The taint as it is, or a new one.
Value taint_with(const Object& node, const ConditionTaint& taint, std::string_view effect, WallTime now) {
  const std::string key = fmt::format("{}{}", taint_prefix, taint.key);
  for (const View one : node["/spec/taints"].elements()) {
    if (one.member("key") == std::string_view(key) && one.member("effect") == effect) return one.to_value();
  }
  return json::object{{"key", key}, {"effect", effect}, {"timeAdded", format_time(now)}};
}

json::array taints_of(const Object& node, WallTime now) {
  json::array out;
  for (const View taint : node["/spec/taints"].elements()) {
    if (!follows_from_conditions(taint)) out.push_back(taint.to_value());
  }
  for (const ConditionTaint& taint : condition_taints) {
    if (!has_taint(node, taint)) continue;
    out.push_back(taint_with(node, taint, "NoSchedule", now));
    if (taint.ends_pods) out.push_back(taint_with(node, taint, "NoExecute", now));
  }
  return out;
}

}  // namespace

Instant NodeLifecycle::reconcile(const Object& node) {
  const WallTime now = objects_.wall_now();
  if (!condition_of(node, "Ready").exists()) {
    objects_.edit(
        "nodes", node,
        [&](Value& next) {
          const Object current(next);
          json::object ready = made_condition(current, {"Ready", "True", "KubeletReady", "the node is declared"}, now);
          ready["lastHeartbeatTime"] = format_time(now);
          Value& conditions = object_in(next, "status")["conditions"];
          if (!conditions.is_array()) conditions.emplace_array();
          if (!condition_of(current, "Ready").exists()) conditions.get_array().emplace_back(std::move(ready));
        },
        "status");
    return Instant::max();  // the change of the status is the next one
  }
  if (node["/spec/taints"] == Object(Value(json::object{{"list", taints_of(node, now)}}))["/list"] ||
      (node["/spec/taints"].empty() && taints_of(node, now).empty()))
    return Instant::max();
  objects_.edit("nodes", node, [&](Value& next) {
    json::array taints = taints_of(Object(next), now);
    if (taints.empty()) {
      object_in(next, "spec").erase("taints");
    } else {
      object_in(next, "spec")["taints"] = std::move(taints);
    }
  });
  return Instant::max();
}

}  // namespace pintle::apiserver
