// Secret.
#include <utility>

#include <pintle/object/bytes.hpp>

#include "../../values.hpp"
#include "../builtin.hpp"
#include "../cells.hpp"
#include "data.hpp"

namespace pintle::apiserver {
namespace {

class SecretStrategy final : public BuiltinStrategy {
 public:
  SecretStrategy()
      : BuiltinStrategy(R"(
          "immutable": {"type": "boolean"},
          "data": {"type": "object", "additionalProperties": {"type": "string", "nullable": true, "x-pintle-keep": true}},
          "stringData": {"type": "object", "additionalProperties": {"type": "string", "x-pintle-keep": true}},
          "type": {"type": "string"})") {}

  Answer<void> accept(json::Value& object, std::vector<std::string>& unknown) const override {
    if (auto fitted = BuiltinStrategy::accept(object, unknown); !fitted) return fitted;
    if (auto checked = check_bytes(object, "data"); !checked) return checked;
    if (json::Value* texts = member(object, "stringData")) {
      json::object& data = object_in(object, "data");
      for (const auto& [key, text] : texts->get_object()) data[key] = Bytes(text_at(text, "")).to_base64();
      object.get_object().erase("stringData");
    }
    if (member(object, "type") == nullptr) object.get_object()["type"] = "Opaque";
    return {};
  }

  void validate(const json::Value& next, const json::Value* old, std::vector<Cause>& causes) const override {
    check_data_keys(next, "data", causes);
    if (old == nullptr) return;
    if (text_at(next, "/type") != text_at(*old, "/type")) {
      causes.push_back(immutable_field("type", json::Value(text_at(next, "/type"))));
    }
    check_immutable_data(next, *old, {"data"}, causes);
  }

  json::array cells(json::View object, WallTime now) const override {
    return {object["/metadata/name"].text(), object.member("type").text(), count_data(object, {"data"}),
            age_cell(object, now)};
  }
};

}  // namespace

ResourcePtr secret_resource() {
  const auto strategy = std::make_shared<SecretStrategy>();
  return std::make_shared<const Resource>(Resource{
      .version = "v1",
      .plural = "secrets",
      .singular = "secret",
      .kind = "Secret",
      .list_kind = "SecretList",
      .collection = "secrets",
      .stored_api_version = "v1",
      .fields = {{"type", "/type"}},
      .columns = {{.name = "Name", .format = "name"}, {.name = "Type"}, {.name = "Data"}, {.name = "Age"}},
      .schema = strategy->schema(),
      .strategy = strategy,
  });
}

}  // namespace pintle::apiserver
