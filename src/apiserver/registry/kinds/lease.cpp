// Lease.
#include "../../values.hpp"
#include "../builtin.hpp"
#include "../cells.hpp"

namespace pintle::apiserver {
namespace {

class LeaseStrategy final : public BuiltinStrategy {
 public:
  LeaseStrategy()
      : BuiltinStrategy(R"(
          "spec": {"type": "object", "properties": {
            "holderIdentity": {"type": "string", "x-pintle-keep": true},
            "leaseDurationSeconds": {"type": "integer"},
            "acquireTime": {"type": "string", "format": "micro-time"},
            "renewTime": {"type": "string", "format": "micro-time"},
            "leaseTransitions": {"type": "integer"},
            "strategy": {"type": "string", "x-pintle-keep": true},
            "preferredHolder": {"type": "string", "x-pintle-keep": true}}})") {}

  Answer<void> accept(json::Value& object, std::vector<std::string>& unknown) const override {
    if (auto fitted = BuiltinStrategy::accept(object, unknown); !fitted) return fitted;
    object_in(object, "spec");
    return {};
  }

  void validate(const json::Value& next, const json::Value* /*old*/, std::vector<Cause>& causes) const override {
    const json::Value* duration = json::find(next, "/spec/leaseDurationSeconds");
    if (duration != nullptr && duration->as_int64() <= 0) {
      causes.push_back(invalid_value("spec.leaseDurationSeconds", *duration, "must be greater than 0"));
    }
    const json::Value* transitions = json::find(next, "/spec/leaseTransitions");
    if (transitions != nullptr && transitions->as_int64() < 0) {
      causes.push_back(invalid_value("spec.leaseTransitions", *transitions, "must be greater than or equal to 0"));
    }
  }

  json::Value zero() const override { return json::object{{"spec", json::object()}}; }

  json::array cells(json::View object, WallTime now) const override {
    return {object["/metadata/name"].text(), object["/spec/holderIdentity"].text(), age_cell(object, now)};
  }
};

}  // namespace

ResourcePtr lease_resource() {
  const auto strategy = std::make_shared<LeaseStrategy>();
  return std::make_shared<const Resource>(Resource{
      .group = "coordination.k8s.io",
      .version = "v1",
      .plural = "leases",
      .singular = "lease",
      .kind = "Lease",
      .list_kind = "LeaseList",
      .collection = "leases.coordination.k8s.io",
      .stored_api_version = "coordination.k8s.io/v1",
      .takes_unconditional_update = false,
      .takes_create_on_update = true,
      .columns = {{.name = "Name", .format = "name"}, {.name = "Holder"}, {.name = "Age"}},
      .schema = strategy->schema(),
      .strategy = strategy,
  });
}

}  // namespace pintle::apiserver
