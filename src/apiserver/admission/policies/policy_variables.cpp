// SPDX-License-Identifier: Apache-2.0
#include "policy_variables.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

// The values that the views of the variables share.
struct VariableValues {
  cel::Activation activation{};  // without `variables`
  const AdmissionPolicy& policy;
  ExpressionBudget& budget;
  std::vector<std::optional<Result<cel::Value>>> values{};
};

// The first variables of a policy. An expression reads only the variables before its own, so an evaluation always ends.
class VariableMap final : public cel::Map {
 public:
  VariableMap(std::shared_ptr<VariableValues> shared, std::size_t size) : shared_(std::move(shared)), size_(size) {}

  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] cel::Value key_at(std::size_t index) const override {
    return cel::Value::borrowed_string(shared_->policy.variables[index].first);
  }
  [[nodiscard]] Result<std::optional<cel::Value>> find(const cel::Value& key) const override {
    for (std::size_t i = size_; i > 0; --i) {
      if (shared_->policy.variables[i - 1].first == key.as_string()) return value_of(i - 1);
    }
    return std::optional<cel::Value>();
  }

 private:
  Result<std::optional<cel::Value>> value_of(std::size_t index) const {
    auto& value = shared_->values[index];
    if (!value) {
      const auto& [name, program] = shared_->policy.variables[index];
      cel::Activation activation = shared_->activation;
      activation["variables"] = cel::Value::map(std::make_shared<const VariableMap>(shared_, index));
      value = shared_->budget.evaluate_part(program, activation);
      if (!*value) {
        (*value).error().message =
            fmt::format("composited variable \"{}\" fails to evaluate: {}", name, (*value).error().message);
      }
    }
    if (!*value) return fail((*value).error());
    return std::optional(**value);
  }

  std::shared_ptr<VariableValues> shared_;
  std::size_t size_;
};

}  // namespace

void add_variables(cel::Activation& activation, const AdmissionPolicy& policy, ExpressionBudget& budget) {
  auto shared = std::make_shared<VariableValues>(
      VariableValues{.activation = activation, .policy = policy, .budget = budget, .values = {}});
  shared->values.resize(policy.variables.size());
  activation["variables"] = cel::Value::map(std::make_shared<const VariableMap>(shared, policy.variables.size()));
}

}  // namespace pintle::apiserver
