// The rules of ValidatingWebhookConfiguration and MutatingWebhookConfiguration. This server calls no webhooks.
#include <fmt/format.h>

#include "../rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

class Webhooks final : public BuiltinStrategy {
 public:
  explicit Webhooks(BuiltinKind kind)
      : BuiltinStrategy(kind), mutates_(kind.facts.kind == "MutatingWebhookConfiguration") {}

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    std::size_t i = 0;
    for (const View hook : document.root().member("webhooks").elements()) {
      const std::string at = fmt::format("webhooks[{}]", i++);
      const View client = hook.member("clientConfig");
      if (client.member("url").exists() == client.member("service").exists()) {
        causes.push_back(required(at + ".clientConfig", "exactly one of url or service is required"));
      }
      if (hook.member("admissionReviewVersions").empty()) {
        causes.push_back(required(at + ".admissionReviewVersions", "must specify one of v1, v1beta1"));
      }
      const std::string_view effects = hook.member("sideEffects").text();
      if (effects != "None" && effects != "NoneOnDryRun") {
        causes.push_back(not_supported(at + ".sideEffects", Value(effects), {"None", "NoneOnDryRun"}));
      }
    }
  }

 protected:
  void set_defaults(Value& configuration) const override {
    each_object(configuration, "/webhooks", [&](Value& hook) {
      object& members = hook.get_object();
      set_default(members, "failurePolicy", "Fail");
      set_default(members, "matchPolicy", "Equivalent");
      members.emplace("namespaceSelector", object());
      members.emplace("objectSelector", object());
      members.emplace("timeoutSeconds", 10);
      if (mutates_) set_default(members, "reinvocationPolicy", "Never");
      if (object* service = object_at(hook, "/clientConfig/service")) service->emplace("port", 443);
      each_object(hook, "/rules", [](Value& rule) { set_default(rule.get_object(), "scope", "*"); });
    });
  }

  Value cell(std::string_view /*Webhooks*/, View configuration, WallTime /*now*/) const override {
    return static_cast<std::int64_t>(configuration.member("webhooks").size());
  }

 private:
  const bool mutates_;
};

}  // namespace

StrategyPtr webhooks_strategy(BuiltinKind kind) { return std::make_shared<Webhooks>(std::move(kind)); }

}  // namespace pintle::apiserver
