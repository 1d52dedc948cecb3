// SPDX-License-Identifier: Apache-2.0
// The rules of ConfigMap.
#include "../rules.hpp"
#include "data.hpp"

namespace pintle::apiserver {
namespace {

class ConfigMapStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const json::Value& next, const json::Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    check_data_keys(next, "data", causes);
    check_data_keys(next, "binaryData", causes);
    check_data_size(next, "[]", {"data"}, {"binaryData"}, causes);
    if (old != nullptr) check_immutable_data(next, *old, {"data", "binaryData"}, causes);
  }

 protected:
  json::Value cell(std::string_view /*Data*/, json::View object, WallTime /*now*/) const override {
    return count_data(object, {"data", "binaryData"});
  }
};

}  // namespace

StrategyPtr config_map_strategy(BuiltinKind kind) { return std::make_shared<ConfigMapStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
