// SPDX-License-Identifier: Apache-2.0
// tenant-operator: keeps a ConfigMap with the settings of each Tenant, and an account in a billing system. It shows the
// parts of an operator in production: children, a finalizer for the external resource, status, Events, custom metrics
// and flags, a timeout, and leader election. deploy/ contains its manifests.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <pintle/pintle.hpp>

struct Tenant {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Tenant"};
  struct Spec {
    std::string plan = "free";
    std::int64_t seats = 1;
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("plan", &Spec::plan, "Plan that the tenant pays for.")
              .one_of({"free", "team", "company"})
              .column("Plan"),
          pintle::field("seats", &Spec::seats, "Number of seats.").minimum(1).maximum(10'000).column("Seats"));
    }
  };
  struct Status {
    std::int64_t observed_generation = 0;
    std::string account{};
    std::vector<pintle::StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("observedGeneration", &Status::observed_generation,
                        "The metadata.generation that this status describes."),
          pintle::field("account", &Status::account, "Account of the tenant in the billing system.").column("Account"),
          pintle::field("conditions", &Status::conditions, "The current conditions.").column("Ready"));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};

// Stands for an external system; each account is a file. Both functions are idempotent.
class Billing {
 public:
  // Keeps a reference, because the flags that set the folder are read later.
  explicit Billing(const std::string& folder) : folder_(folder) {}

  // Opens the account, or updates it to the current spec of the tenant.
  pintle::Result<std::string> open(const Tenant& tenant) const {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    std::ofstream file(place_of(tenant));
    if (!(file << tenant.spec.plan << ' ' << tenant.spec.seats << '\n').flush()) {
      return pintle::fail(pintle::ErrorCode::unavailable, "billing cannot write " + place_of(tenant).string());
    }
    return "account-" + tenant.metadata.uid;
  }

  pintle::Result<void> close(const Tenant& tenant) const {
    std::error_code error;
    std::filesystem::remove(place_of(tenant), error);
    if (error)
      return pintle::fail(pintle::ErrorCode::unavailable, "billing cannot close the account: " + error.message());
    return {};
  }

 private:
  std::filesystem::path place_of(const Tenant& tenant) const {
    return std::filesystem::path(folder_) / tenant.metadata.uid;
  }

  const std::string& folder_;
};

class TenantReconciler {
 public:
  TenantReconciler(const Billing& billing, pintle::MetricsRegistry& metrics)
      : billing_(billing), opened_(metrics.counter("tenant_operator_accounts_opened_total", "Accounts opened.", {})) {}

  pintle::Outcome reconcile(const Tenant& tenant, pintle::Context& ctx) const {
    const auto account = billing_.open(tenant);
    if (!account) return not_ready(ctx, "BillingFailed", account.error());
    if (tenant.status.account.empty()) {
      opened_.add();
      ctx.event(pintle::EventType::normal, "AccountOpened", "billing opened " + *account);
    }
    pintle::ChildSet children;
    children.add(pintle::ConfigMap{.metadata = pintle::owned_by(tenant),
                                   .data = {{"plan", tenant.spec.plan}, {"seats", std::to_string(tenant.spec.seats)}}});
    const pintle::AppliedChildren applied = ctx.apply(children);
    if (applied.error) return not_ready(ctx, "ChildrenFailed", *applied.error);

    ctx.status().set(Tenant::Status{.observed_generation = tenant.metadata.generation, .account = *account});
    ctx.status().set_condition({.type = "Ready", .status = pintle::ConditionStatus::true_, .reason = "Settled"});
    return applied;
  }

  pintle::Outcome finalize(const Tenant& tenant, pintle::Context& ctx) const {
    const auto closed = billing_.close(tenant);
    if (!closed) return not_ready(ctx, "BillingFailed", closed.error());
    return pintle::done;
  }

 private:
  static pintle::Outcome not_ready(pintle::Context& ctx, const char* reason, const pintle::Error& why) {
    ctx.status().set_condition(
        {.type = "Ready", .status = pintle::ConditionStatus::false_, .reason = reason, .message = why.to_string()});
    return pintle::failed(why);
  }

  const Billing billing_;
  const pintle::Counter opened_;
};

pintle::Controller<Tenant> tenants(std::shared_ptr<const TenantReconciler> reconciler) {
  return {.predicate = pintle::generation_changed(),
          .owns = {pintle::ConfigMap::type},
          .reconcile = std::bind_front(&TenantReconciler::reconcile, reconciler),
          .finalize = std::bind_front(&TenantReconciler::finalize, reconciler),
          .finalizer = "demo.pintle.dev/billing",
          .workers = 4,
          .timeout = std::chrono::seconds(30),
          .resync_period = std::chrono::hours(1)};  // restores accounts that were changed in the billing system
}

int main(int argc, char** argv) {
  std::string folder = "billing";
  pintle::Manager manager{{.name = "tenant-operator",
                           .args = {argc, argv},
                           .version = "1.0.0",
                           .leader_election = pintle::LeaderElectionOptions{},
                           .flags = {{"billing", "Folder that stands for the billing system", &folder}}}};
  manager.add(tenants(std::make_shared<TenantReconciler>(Billing(folder), manager.metrics())));
  return pintle::run_until_signal(manager);
}
