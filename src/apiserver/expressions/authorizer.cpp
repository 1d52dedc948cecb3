// SPDX-License-Identifier: Apache-2.0
#include "authorizer.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>

namespace pintle::apiserver {
namespace {

using cel::Type;

constexpr std::uint64_t cost_of_check = 350'000;

constexpr std::string_view authorizer = "kubernetes.authorization.Authorizer";
constexpr std::string_view path_check = "kubernetes.authorization.PathCheck";
constexpr std::string_view group_check = "kubernetes.authorization.GroupCheck";
constexpr std::string_view resource_check = "kubernetes.authorization.ResourceCheck";
constexpr std::string_view decision = "kubernetes.authorization.Decision";

// A step on the way to a decision, or the decision.
class Step final : public cel::Opaque {
 public:
  Step(std::string_view type, AuthorizerFunction function, AuthorizerQuery query = {}, AuthorizerAnswer answer = {})
      : type_(type), function_(std::move(function)), query_(std::move(query)), answer_(std::move(answer)) {}
  [[nodiscard]] Type type() const override { return Type::opaque(std::string(type_)); }

  [[nodiscard]] const AuthorizerAnswer& answer() const { return answer_; }
  [[nodiscard]] const AuthorizerQuery& query() const { return query_; }
  [[nodiscard]] cel::Value next(std::string_view type, AuthorizerQuery query) const {
    return cel::Value::opaque(std::make_shared<Step>(type, function_, std::move(query)));
  }
  [[nodiscard]] cel::Value decide(AuthorizerQuery query) const {
    AuthorizerAnswer answer = function_ ? function_(query) : AuthorizerAnswer{};
    return cel::Value::opaque(std::make_shared<Step>(decision, function_, std::move(query), std::move(answer)));
  }

 private:
  const std::string_view type_;
  const AuthorizerFunction function_;
  const AuthorizerQuery query_;
  const AuthorizerAnswer answer_;
};

using QueryMember = std::string AuthorizerQuery::*;

Result<const Step*> step_in(std::span<const cel::Value> arguments) {
  const Step* step = arguments.empty() ? nullptr : arguments.front().as_opaque<Step>();
  if (step == nullptr) return fail(ErrorCode::invalid, "no such overload");
  return step;
}

// A member function whose texts become members of the query; without `members`, they have no effect.
cel::Overload step_overload(std::string_view from, std::size_t texts, std::string_view to,
                            std::vector<QueryMember> members) {
  const bool decides = to == decision;
  const std::uint64_t cost = decides ? cost_of_check : 1;
  cel::Overload out{.parameters = {Type::opaque(std::string(from))},
                    .result = Type::opaque(std::string(to)),
                    .is_member = true,
                    .function = [to, decides, members](std::span<const cel::Value> arguments) -> Result<cel::Value> {
                      auto step = step_in(arguments);
                      if (!step) return fail(std::move(step.error()));
                      AuthorizerQuery query = (*step)->query();
                      for (std::size_t i = 0; i < members.size(); ++i) {
                        query.*members[i] = arguments[i + 1].as_string().value_or("");
                      }
                      return decides ? (*step)->decide(std::move(query)) : (*step)->next(to, std::move(query));
                    },
                    .cost = [cost](std::span<const cel::Value>, const cel::Value&) { return cost; }};
  for (std::size_t i = 0; i < texts; ++i) out.parameters.push_back(Type::string());
  return out;
}

cel::FunctionDeclaration answer(std::string name, Type type, cel::Value (*read)(const AuthorizerAnswer& answer)) {
  return {.name = std::move(name),
          .overloads = {{.parameters = {Type::opaque(std::string(decision))},
                         .result = std::move(type),
                         .is_member = true,
                         .function = [read](std::span<const cel::Value> arguments) -> Result<cel::Value> {
                           auto step = step_in(arguments);
                           if (!step) return fail(std::move(step.error()));
                           return read((*step)->answer());
                         }}}};
}

}  // namespace

cel::Library authorizer_library() {
  using Query = AuthorizerQuery;
  const auto narrowing = [](std::string name, std::vector<QueryMember> members) -> cel::FunctionDeclaration {
    return {.name = std::move(name),
            .overloads = {step_overload(resource_check, 1, resource_check, std::move(members))}};
  };
  return {
      .functions = {
          {.name = "path", .overloads = {step_overload(authorizer, 1, path_check, {&Query::path})}},
          {.name = "group", .overloads = {step_overload(authorizer, 1, group_check, {&Query::group})}},
          {.name = "serviceAccount",
           .overloads = {step_overload(authorizer, 2, authorizer, {&Query::account_namespace, &Query::account_name})}},
          {.name = "resource", .overloads = {step_overload(group_check, 1, resource_check, {&Query::resource})}},
          narrowing("subresource", {&Query::subresource}),
          narrowing("namespace", {&Query::namespace_}),
          narrowing("name", {&Query::name}),
          // Roles do not depend on selectors.
          narrowing("fieldSelector", {}),
          narrowing("labelSelector", {}),
          {.name = "check",
           .overloads = {step_overload(path_check, 1, decision, {&Query::verb}),
                         step_overload(resource_check, 1, decision, {&Query::verb})}},
          answer("allowed", Type::boolean(),
                 [](const AuthorizerAnswer& given) { return cel::Value::boolean(given.is_allowed); }),
          // An evaluation of roles has no errors.
          answer("errored", Type::boolean(), [](const AuthorizerAnswer&) { return cel::Value::boolean(false); }),
          answer("error", Type::string(), [](const AuthorizerAnswer&) { return cel::Value::string(""); }),
          answer("reason", Type::string(),
                 [](const AuthorizerAnswer& given) { return cel::Value::string(given.reason); })}};
}

std::vector<cel::Variable> authorizer_variables() {
  return {{.name = "authorizer", .type = Type::opaque(std::string(authorizer))},
          {.name = "authorizer.requestResource", .type = Type::opaque(std::string(resource_check))}};
}

cel::Value make_authorizer(AuthorizerFunction function) {
  return cel::Value::opaque(std::make_shared<Step>(authorizer, std::move(function)));
}

cel::Value make_request_resource(AuthorizerFunction function, AuthorizerQuery query) {
  return cel::Value::opaque(std::make_shared<Step>(resource_check, std::move(function), std::move(query)));
}

}  // namespace pintle::apiserver
