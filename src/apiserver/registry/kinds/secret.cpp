// SPDX-License-Identifier: Apache-2.0
// The rules of Secret.
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

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

const json::Value* datum(const json::Value& secret, std::string_view key) {
  const json::Value* data = member(secret, "data");
  return data == nullptr ? nullptr : member(*data, key);
}

std::string data_field(std::string_view key) { return fmt::format("data[{}]", key); }

// The message of the Go library about a text that is no JSON object, as far as the text begins wrong.
std::string json_error(std::string_view text) {
  if (text.empty()) return "unexpected end of JSON input";
  const auto parsed = json::parse(text);
  if (!parsed) {
    const bool may_begin = std::string_view("{[\"-tfn0123456789").find(text.front()) != std::string_view::npos;
    if (may_begin) return parsed.error().message;
    return fmt::format("invalid character '{}' looking for beginning of value", text.substr(0, 1));
  }
  if (parsed->is_object() || parsed->is_null()) return {};
  const std::string_view kind = parsed->is_array()    ? "array"
                                : parsed->is_string() ? "string"
                                : parsed->is_bool()   ? "bool"
                                                      : "number";
  return fmt::format("json: cannot unmarshal {} into Go value of type map[string]interface {{}}", kind);
}

void check_registry_login(const json::Value& secret, std::string_view key, std::vector<StatusCause>& causes) {
  const json::Value* found = datum(secret, key);
  if (found == nullptr) return causes.push_back(required(data_field(key)));
  const auto bytes = Bytes::from_base64(text_at(*found, ""));
  const std::string error = bytes ? json_error(bytes->data) : std::string();
  if (error.empty()) return;
  causes.push_back(invalid_value(data_field(key), json::Value("<secret contents redacted>"), error));
}

// Some types have keys that they need.
void check_content(const json::Value& secret, std::vector<StatusCause>& causes) {
  const std::string_view type = text_at(secret, "/type");
  const auto require_key = [&](std::string_view key) {
    if (datum(secret, key) == nullptr) causes.push_back(required(data_field(key)));
  };
  if (type == "kubernetes.io/dockercfg") return check_registry_login(secret, ".dockercfg", causes);
  if (type == "kubernetes.io/dockerconfigjson") return check_registry_login(secret, ".dockerconfigjson", causes);
  if (type == "kubernetes.io/basic-auth") {
    if (datum(secret, "username") != nullptr || datum(secret, "password") != nullptr) return;
    require_key("username");
    require_key("password");
  } else if (type == "kubernetes.io/ssh-auth") {
    const json::Value* key = datum(secret, "ssh-privatekey");
    if (key == nullptr || text_at(*key, "").empty()) causes.push_back(required(data_field("ssh-privatekey")));
  } else if (type == "kubernetes.io/tls") {
    require_key("tls.crt");
    require_key("tls.key");
  } else {
    check_account_name(secret, causes);
  }
}

class SecretStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const json::Value& next, const json::Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    if (old != nullptr) {
      if (text_at(next, "/type") != text_at(*old, "/type")) {
        causes.push_back(immutable_field("type", json::Value(text_at(next, "/type"))));
      }
      check_immutable_data(next, *old, {"data"}, causes);
    }
    check_data_keys(next, "data", causes);
    check_data_size(next, "data", {}, {"data"}, causes);
    check_content(next, causes);
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
