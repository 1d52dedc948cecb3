// SPDX-License-Identifier: Apache-2.0
#include "authorizer.hpp"

#include <memory>
#include <span>
#include <string>
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

// A step on the way to a decision. It needs no content as long as every check is allowed.
class Step final : public cel::Opaque {
 public:
  explicit Step(std::string_view type) : type_(type) {}
  [[nodiscard]] Type type() const override { return Type::opaque(std::string(type_)); }

 private:
  const std::string_view type_;
};

cel::Value step(std::string_view type) { return cel::Value::opaque(std::make_shared<Step>(type)); }

// A member function that takes `texts` strings and returns the next step.
cel::Overload step_overload(std::string_view from, std::size_t texts, std::string_view to, std::uint64_t cost = 1) {
  cel::Overload out{.parameters = {Type::opaque(std::string(from))},
                    .result = Type::opaque(std::string(to)),
                    .is_member = true,
                    .function = [to](std::span<const cel::Value>) -> Result<cel::Value> { return step(to); },
                    .cost = [cost](std::span<const cel::Value>, const cel::Value&) { return cost; }};
  for (std::size_t i = 0; i < texts; ++i) out.parameters.push_back(Type::string());
  return out;
}

cel::FunctionDeclaration answer(std::string name, Type type, const cel::Value& value) {
  return {.name = std::move(name),
          .overloads = {{.parameters = {Type::opaque(std::string(decision))},
                         .result = std::move(type),
                         .is_member = true,
                         .function = [value](std::span<const cel::Value>) -> Result<cel::Value> { return value; }}}};
}

}  // namespace

cel::Library authorizer_library() {
  const auto narrowing = [](std::string name) -> cel::FunctionDeclaration {
    return {.name = std::move(name), .overloads = {step_overload(resource_check, 1, resource_check)}};
  };
  return {.functions = {{.name = "path", .overloads = {step_overload(authorizer, 1, path_check)}},
                        {.name = "group", .overloads = {step_overload(authorizer, 1, group_check)}},
                        {.name = "serviceAccount", .overloads = {step_overload(authorizer, 2, authorizer)}},
                        {.name = "resource", .overloads = {step_overload(group_check, 1, resource_check)}},
                        narrowing("subresource"),
                        narrowing("namespace"),
                        narrowing("name"),
                        narrowing("fieldSelector"),
                        narrowing("labelSelector"),
                        {.name = "check",
                         .overloads = {step_overload(path_check, 1, decision, cost_of_check),
                                       step_overload(resource_check, 1, decision, cost_of_check)}},
                        answer("allowed", Type::boolean(), cel::Value::boolean(true)),
                        answer("errored", Type::boolean(), cel::Value::boolean(false)),
                        answer("error", Type::string(), cel::Value::string("")),
                        answer("reason", Type::string(), cel::Value::string(""))}};
}

std::vector<cel::Variable> authorizer_variables() {
  return {{.name = "authorizer", .type = Type::opaque(std::string(authorizer))},
          {.name = "authorizer.requestResource", .type = Type::opaque(std::string(resource_check))}};
}

cel::Value make_authorizer() { return step(authorizer); }
cel::Value make_request_resource() { return step(resource_check); }

}  // namespace pintle::apiserver
