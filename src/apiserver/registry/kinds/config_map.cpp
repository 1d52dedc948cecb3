// SPDX-License-Identifier: Apache-2.0
// The rules of ConfigMap.
#include <string_view>

#include <fmt/format.h>

#include "../rules.hpp"
#include "apiserver/registry/values.hpp"
#include "data.hpp"

namespace pintle::apiserver {
namespace {

// A key has a text or bytes.
void check_one_value(const json::Value& map, std::vector<StatusCause>& causes) {
  const json::Value* texts = member(map, "data");
  const json::Value* bytes = member(map, "binaryData");
  if (texts == nullptr || bytes == nullptr || !texts->is_object() || !bytes->is_object()) return;
  for (const auto& [key, value] : texts->get_object()) {
    const std::string_view name = key;
    if (!bytes->get_object().contains(name)) continue;
    causes.push_back(
        invalid_value(fmt::format("data[{}]", name), json::Value(name), "duplicate of key present in binaryData"));
  }
}

class ConfigMapStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const json::Value& next, const json::Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    if (old != nullptr) check_immutable_data(next, *old, {"data", "binaryData"}, causes);
    check_data_keys(next, "data", causes);
    check_one_value(next, causes);
    check_data_keys(next, "binaryData", causes);
    check_data_size(next, "[]", {"data"}, {"binaryData"}, causes);
  }

 protected:
  json::Value cell(std::string_view /*Data*/, json::View object, WallTime /*now*/) const override {
    return count_data(object, {"data", "binaryData"});
  }
};

}  // namespace

StrategyPtr config_map_strategy(BuiltinKind kind) { return std::make_shared<ConfigMapStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
