// ConfigMap.
#include "../builtin.hpp"
#include "../cells.hpp"
#include "data.hpp"

namespace pintle::apiserver {
namespace {

class ConfigMapStrategy final : public BuiltinStrategy {
 public:
  ConfigMapStrategy()
      : BuiltinStrategy(R"(
          "immutable": {"type": "boolean"},
          "data": {"type": "object", "additionalProperties": {"type": "string", "x-pintle-keep": true}},
          "binaryData": {"type": "object", "additionalProperties": {"type": "string", "x-pintle-keep": true}})") {}

  Answer<void> accept(json::Value& object, std::vector<std::string>& unknown) const override {
    if (auto fitted = BuiltinStrategy::accept(object, unknown); !fitted) return fitted;
    return check_bytes(object, "binaryData");
  }

  void validate(const json::Value& next, const json::Value* old, std::vector<Cause>& causes) const override {
    check_data_keys(next, "data", causes);
    check_data_keys(next, "binaryData", causes);
    if (old != nullptr) check_immutable_data(next, *old, {"data", "binaryData"}, causes);
  }

  json::array cells(json::View object, WallTime now) const override {
    return {object["/metadata/name"].text(), count_data(object, {"data", "binaryData"}), age_cell(object, now)};
  }
};

}  // namespace

ResourcePtr config_map_resource() {
  const auto strategy = std::make_shared<ConfigMapStrategy>();
  return std::make_shared<const Resource>(Resource{
      .version = "v1",
      .plural = "configmaps",
      .singular = "configmap",
      .kind = "ConfigMap",
      .list_kind = "ConfigMapList",
      .short_names = {"cm"},
      .collection = "configmaps",
      .stored_api_version = "v1",
      .columns = {{.name = "Name", .format = "name"}, {.name = "Data"}, {.name = "Age"}},
      .schema = strategy->schema(),
      .strategy = strategy,
  });
}

}  // namespace pintle::apiserver
