// SPDX-License-Identifier: Apache-2.0
// The rules of Lease.
#include "../rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

class LeaseStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const json::Value& next, const json::Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Value* duration = json::find(next, "/spec/leaseDurationSeconds");
    if (duration != nullptr && duration->as_int64() <= 0) {
      causes.push_back(invalid_value("spec.leaseDurationSeconds", *duration, "must be greater than 0"));
    }
    const json::Value* transitions = json::find(next, "/spec/leaseTransitions");
    if (transitions != nullptr && transitions->as_int64() < 0) {
      causes.push_back(invalid_value("spec.leaseTransitions", *transitions, "must be greater than or equal to 0"));
    }
  }

 protected:
  json::Value cell(std::string_view /*Holder*/, json::View object, WallTime /*now*/) const override {
    return json::Value(object["/spec/holderIdentity"].text());
  }
};

}  // namespace

StrategyPtr lease_strategy(BuiltinKind kind) { return std::make_shared<LeaseStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
