// The reviews of authentication.k8s.io and authorization.k8s.io. This server does no authorization, and says so.
#include <utility>

#include <fmt/format.h>

#include "../../values.hpp"
#include "../builtin.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// What the specs have in common, as JSON members.
constexpr const char* user_members = R"(
  "user": {"type": "string"}, "uid": {"type": "string"},
  "groups": {"type": "array", "items": {"type": "string", "x-pintle-keep": true}},
  "extra": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}, )";
constexpr const char* attribute_members = R"(
  "nonResourceAttributes": {"type": "object", "properties": {"path": {"type": "string"}, "verb": {"type": "string"}}},
  "resourceAttributes": {"type": "object", "properties": {
    "namespace": {"type": "string"}, "verb": {"type": "string"}, "group": {"type": "string"},
    "version": {"type": "string"}, "resource": {"type": "string"}, "subresource": {"type": "string"},
    "name": {"type": "string"},
    "fieldSelector": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    "labelSelector": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}})";

class ReviewStrategy : public BuiltinStrategy {
 public:
  explicit ReviewStrategy(std::string_view spec_members)
      : BuiltinStrategy(fmt::format(R"("spec": {{"type": "object", "properties": {{{}}}}},
                                       "status": {{"type": "object", "x-kubernetes-preserve-unknown-fields": true}})",
                                    spec_members)) {}

  json::array cells(json::View, WallTime) const override { return {}; }
};

Value to_json(const User& user) {
  json::array groups;
  for (const std::string& group : user.groups) groups.emplace_back(group);
  return json::object{{"username", user.name}, {"groups", std::move(groups)}};
}

class TokenReview final : public ReviewStrategy {
 public:
  TokenReview()
      : ReviewStrategy(R"("token": {"type": "string"}, "audiences": {"type": "array", "items": {"type": "string"}})") {}

  void validate(const Value& next, const Value*, std::vector<Cause>& causes) const override {
    if (text_at(next, "/spec/token").empty()) causes.push_back(required("spec.token"));
  }
  Value answer(const Value& review, const Users& users, const User&) const override {
    const auto holder = users.holder(text_at(review, "/spec/token"));
    if (!holder) return json::object{{"user", json::object()}, {"error", "this server gave nobody this token"}};
    return json::object{{"authenticated", true}, {"user", to_json(*holder)}};
  }
};

class SelfSubjectReview final : public ReviewStrategy {
 public:
  SelfSubjectReview() : ReviewStrategy("") {}

  Value answer(const Value&, const Users&, const User& asker) const override {
    return json::object{{"userInfo", to_json(asker)}};
  }
};

class AccessReview final : public ReviewStrategy {
 public:
  enum class Of { anybody, asker };
  explicit AccessReview(Of of)
      : ReviewStrategy(std::string(of == Of::anybody ? user_members : "") + attribute_members), of_(of) {}

  void validate(const Value& next, const Value*, std::vector<Cause>& causes) const override {
    const Value* resource = json::find(next, "/spec/resourceAttributes");
    const Value* path = json::find(next, "/spec/nonResourceAttributes");
    if ((resource == nullptr) == (path == nullptr)) {
      causes.push_back(invalid_value("spec.resourceAttributes", resource == nullptr ? Value() : *resource,
                                     "give either resourceAttributes or nonResourceAttributes"));
    }
    if (of_ == Of::anybody && text_at(next, "/spec/user").empty() && json::find(next, "/spec/groups") == nullptr) {
      causes.push_back(invalid_value("spec.user", Value(""), "give a user or groups"));
    }
  }
  Value answer(const Value&, const Users&, const User&) const override {
    return json::object{{"allowed", true},
                        {"reason", "this server does no authorization: everybody may do everything"}};
  }

 private:
  const Of of_;
};

class RulesReview final : public ReviewStrategy {
 public:
  RulesReview() : ReviewStrategy(R"("namespace": {"type": "string"})") {}

  Value answer(const Value&, const Users&, const User&) const override {
    const json::array all{"*"};
    return json::object{
        {"resourceRules", json::array{json::object{{"verbs", all}, {"apiGroups", all}, {"resources", all}}}},
        {"nonResourceRules", json::array{json::object{{"verbs", all}, {"nonResourceURLs", all}}}},
        {"incomplete", false}};
  }
};

ResourcePtr review(std::string group, std::string kind, std::shared_ptr<const ReviewStrategy> strategy) {
  std::string singular = kind;
  for (char& c : singular) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c + 32) : c;
  const std::string plural = singular + "s";
  return std::make_shared<const Resource>(Resource{.group = group,
                                                   .version = "v1",
                                                   .plural = plural,
                                                   .singular = std::move(singular),
                                                   .kind = std::move(kind),
                                                   .namespaced = false,
                                                   .is_review = true,
                                                   .schema = strategy->schema(),
                                                   .strategy = strategy});
}

}  // namespace

std::vector<ResourcePtr> review_resources() {
  const std::string authentication = "authentication.k8s.io";
  const std::string authorization = "authorization.k8s.io";
  using Of = AccessReview::Of;
  return {
      review(authentication, "SelfSubjectReview", std::make_shared<SelfSubjectReview>()),
      review(authentication, "TokenReview", std::make_shared<TokenReview>()),
      review(authorization, "SelfSubjectAccessReview", std::make_shared<AccessReview>(Of::asker)),
      review(authorization, "SelfSubjectRulesReview", std::make_shared<RulesReview>()),
      review(authorization, "SubjectAccessReview", std::make_shared<AccessReview>(Of::anybody)),
  };
}

}  // namespace pintle::apiserver
