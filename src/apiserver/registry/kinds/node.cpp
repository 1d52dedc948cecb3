// SPDX-License-Identifier: Apache-2.0
// The rules of Node. A create may contain the status: a kubelet creates its Node with one.
#include <string>

#include <fmt/format.h>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/names/address_rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr std::string_view not_ready = "node.kubernetes.io/not-ready";
constexpr std::string_view role_prefix = "node-role.kubernetes.io/";

std::string status_cell(View node) {
  std::string status = "Unknown";
  for (const View condition : node["/status/conditions"].elements()) {
    if (condition.member("type") == "Ready") status = condition.member("status") == "True" ? "Ready" : "NotReady";
  }
  if (node["/spec/unschedulable"] == true) status += ",SchedulingDisabled";
  return status;
}

std::string roles_cell(View labels) {
  std::string out;
  for (const auto [key, value] : labels.members()) {
    const std::string_view role = key.starts_with(role_prefix)  ? key.substr(role_prefix.size())
                                  : key == "kubernetes.io/role" ? value.text()
                                                                : std::string_view{};
    if (!role.empty()) out += fmt::format("{}{}", out.empty() ? "" : ",", role);
  }
  return out.empty() ? "<none>" : out;
}

std::string address_cell(View node, std::string_view type) {
  for (const View address : node["/status/addresses"].elements()) {
    if (address.member("type") == type) return std::string(address.member("address").text());
  }
  return "<none>";
}

void validate_pod_range(std::size_t index, std::string_view text, std::vector<StatusCause>& causes) {
  add_errors(fmt::format("spec.podCIDRs[{}]", index), text, range_text_errors(text), causes);
}

class Node final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const std::string_view first = text_at(next, "/spec/podCIDR");
    if (!first.empty()) validate_pod_range(0, first, causes);
    const Value* all = json::find(next, "/spec/podCIDRs");
    if (all == nullptr || !all->is_array()) return;
    for (std::size_t i = 0; i < all->get_array().size(); ++i) {
      if (i > 0 || first.empty()) validate_pod_range(i, text_at(all->get_array()[i], ""), causes);
    }
  }

  // Does the same as the admission plugin TaintNodesByCondition.
  void prepare_create(Value& node) const override {
    Value& taints = object_in(node, "spec")["taints"];
    if (!taints.is_array()) taints.emplace_array();
    for (const Value& taint : taints.get_array()) {
      if (text_at(taint, "/key") == not_ready && text_at(taint, "/effect") == "NoSchedule") return;
    }
    taints.get_array().emplace_back(object{{"key", not_ready}, {"effect", "NoSchedule"}});
  }

 protected:
  bool resets_status() const override { return false; }

  Value cell(std::string_view column, View node, WallTime /*now*/) const override {
    const View info = node["/status/nodeInfo"];
    if (column == "Status") return Value(status_cell(node));
    if (column == "Roles") return Value(roles_cell(node["/metadata/labels"]));
    if (column == "Version") return Value(info.member("kubeletVersion").text());
    if (column == "Internal-IP") return Value(address_cell(node, "InternalIP"));
    if (column == "External-IP") return Value(address_cell(node, "ExternalIP"));
    if (column == "OS-Image") return Value(text_cell(info.member("osImage"), "<unknown>"));
    if (column == "Kernel-Version") return Value(kernel(info));
    return Value(text_cell(info.member("containerRuntimeVersion"), "<unknown>"));
  }

 private:
  static std::string kernel(View info) {
    const std::string_view version = info.member("kernelVersion").text();
    const std::string_view machine = info.member("architecture").text();
    if (version.empty()) return "<unknown>";
    return machine.empty() ? std::string(version) : fmt::format("{} ({})", version, machine);
  }
};

}  // namespace

StrategyPtr node_strategy(BuiltinKind kind) { return std::make_shared<Node>(std::move(kind)); }

}  // namespace pintle::apiserver
