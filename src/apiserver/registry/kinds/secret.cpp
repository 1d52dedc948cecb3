// SPDX-License-Identifier: Apache-2.0
// The rules of Secret.
#include <utility>

#include <pintle/object/bytes.hpp>

#include "../rules.hpp"
#include "apiserver/registry/values.hpp"
#include "data.hpp"

namespace pintle::apiserver {
namespace {

// A controller fills in the rest of such a Secret.
void check_account_name(const json::Value& secret, std::vector<StatusCause>& causes) {
  if (text_at(secret, "/type") != "kubernetes.io/service-account-token") return;
  constexpr std::string_view place = "/metadata/annotations/kubernetes.io~1service-account.name";
  if (!text_at(secret, place).empty()) return;
  causes.push_back(required("metadata.annotations[kubernetes.io/service-account.name]"));
}

class SecretStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const json::Value& next, const json::Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    check_data_keys(next, "data", causes);
    check_data_size(next, "data", {}, {"data"}, causes);
    check_account_name(next, causes);
    if (old == nullptr) return;
    if (text_at(next, "/type") != text_at(*old, "/type")) {
      causes.push_back(immutable_field("type", json::Value(text_at(next, "/type"))));
    }
    check_immutable_data(next, *old, {"data"}, causes);
  }

 protected:
  void set_defaults(json::Value& object) const override {
    if (json::Value* texts = member(object, "stringData"); texts != nullptr && texts->is_object()) {
      const json::Value given = *texts;
      json::object& data = object_in(object, "data");
      for (const auto& [key, text] : given.get_object()) data[key] = Bytes(text_at(text, "")).to_base64();
      object.get_object().erase("stringData");
    }
    set_default(object.as_object(), "type", "Opaque");
  }

  json::Value cell(std::string_view column, json::View object, WallTime /*now*/) const override {
    if (column == "Type") return json::Value(object.member("type").text());
    return count_data(object, {"data"});
  }
};

}  // namespace

StrategyPtr secret_strategy(BuiltinKind kind) { return std::make_shared<SecretStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
