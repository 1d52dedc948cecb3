// SPDX-License-Identifier: Apache-2.0
// The reviews of authentication.k8s.io and authorization.k8s.io. This server allows all requests, as the
// reviews state.
#include <utility>

#include "../rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

Value to_json(const User& user) {
  json::array groups;
  for (const std::string& group : user.groups) groups.emplace_back(group);
  return json::object{{"username", user.name}, {"groups", std::move(groups)}};
}

class TokenReview final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  void validate(const Value& next, const Value*, std::vector<StatusCause>& causes) const override {
    if (text_at(next, "/spec/token").empty()) causes.push_back(required("spec.token"));
  }
  Value evaluate(const Value& review, const Users& users, const User&) const override {
    const auto holder = users.holder(text_at(review, "/spec/token"));
    if (!holder) return json::object{{"user", json::object()}, {"error", "this server did not issue this token"}};
    return json::object{{"authenticated", true}, {"user", to_json(*holder)}};
  }
};

class SelfSubjectReview final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  Value evaluate(const Value&, const Users&, const User& user) const override {
    return json::object{{"userInfo", to_json(user)}};
  }
};

class AccessReview final : public BuiltinStrategy {
 public:
  explicit AccessReview(BuiltinKind kind)
      : BuiltinStrategy(kind), is_self_review_(kind.facts.kind == "SelfSubjectAccessReview") {}

  void validate(const Value& next, const Value*, std::vector<StatusCause>& causes) const override {
    const Value* resource = json::find(next, "/spec/resourceAttributes");
    const Value* path = json::find(next, "/spec/nonResourceAttributes");
    if ((resource == nullptr) == (path == nullptr)) {
      causes.push_back(invalid_value("spec.resourceAttributes", resource == nullptr ? Value() : *resource,
                                     "set either resourceAttributes or nonResourceAttributes"));
    }
    if (!is_self_review_ && text_at(next, "/spec/user").empty() && json::find(next, "/spec/groups") == nullptr) {
      causes.push_back(invalid_value("spec.user", Value(""), "set a user or groups"));
    }
  }
  Value evaluate(const Value&, const Users&, const User&) const override {
    return json::object{{"allowed", true},
                        {"reason", "this server does not authorize requests: all requests are allowed"}};
  }

 private:
  const bool is_self_review_;
};

class RulesReview final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  Value evaluate(const Value&, const Users&, const User&) const override {
    const json::array all{"*"};
    return json::object{
        {"resourceRules", json::array{json::object{{"verbs", all}, {"apiGroups", all}, {"resources", all}}}},
        {"nonResourceRules", json::array{json::object{{"verbs", all}, {"nonResourceURLs", all}}}},
        {"incomplete", false}};
  }
};

}  // namespace

StrategyPtr review_strategy(BuiltinKind kind) {
  if (kind.facts.kind == "SelfSubjectReview") return std::make_shared<SelfSubjectReview>(std::move(kind));
  if (kind.facts.kind == "TokenReview") return std::make_shared<TokenReview>(std::move(kind));
  if (kind.facts.kind == "SelfSubjectRulesReview") return std::make_shared<RulesReview>(std::move(kind));
  return std::make_shared<AccessReview>(std::move(kind));
}

}  // namespace pintle::apiserver
