// SPDX-License-Identifier: Apache-2.0
// The table of ComponentStatus.
#include "../rules.hpp"

namespace pintle::apiserver {
namespace {

class ComponentStatus final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

 protected:
  json::Value cell(std::string_view column, json::View status, WallTime /*now*/) const override {
    for (const json::View condition : status["/conditions"].elements()) {
      if (condition.member("type") != "Healthy") continue;
      if (column == "Message") return json::Value(condition.member("message").text());
      if (column == "Error") return json::Value(condition.member("error").text());
      const json::View healthy = condition.member("status");
      return healthy == "True" ? "Healthy" : healthy == "False" ? "Unhealthy" : "Unknown";
    }
    return column == "Status" ? "Unknown" : "";
  }
};

}  // namespace

StrategyPtr component_status_strategy(BuiltinKind kind) { return std::make_shared<ComponentStatus>(std::move(kind)); }

}  // namespace pintle::apiserver
