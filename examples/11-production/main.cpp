// tenant-operator: for every Tenant its settings, a token, and an account in the system that bills it. Everything an
// operator in production has: children in order, a finalizer for what is outside, status, events, own metrics and
// flags, a timeout, leader election. What it needs around it is in deploy/.
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
          pintle::field("plan", &Spec::plan, "What it pays for.").one_of({"free", "team", "company"}).column("Plan"),
          pintle::field("seats", &Spec::seats, "How many may work.").minimum(1).maximum(10'000).column("Seats"));
    }
  };
  struct Status {
    std::int64_t observed_generation = 0;
    std::string account{};
    std::vector<pintle::StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("observedGeneration", &Status::observed_generation, "The generation this status is about."),
          pintle::field("account", &Status::account, "Its account in billing.").column("Account"),
          pintle::field("conditions", &Status::conditions, "The current conditions.").column("Ready"));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};

// Stands for a system that knows nothing of Kubernetes: a file an account. Calls may be repeated.
class Billing {
 public:
  // The folder is known once the flags have been read.
  explicit Billing(const std::string& folder) : folder_(folder) {}

  // Opens the account, or makes it what the tenant pays for now.
  pintle::Result<std::string> open(const Tenant& tenant) const {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    std::ofstream file(place_of(tenant));
    if (!(file << tenant.spec.plan << ' ' << tenant.spec.seats << '\n').flush()) {
      return pintle::fail(pintle::ErrorCode::unavailable, "billing does not take " + place_of(tenant).string());
    }
    return "account-" + tenant.metadata.uid;
  }

  pintle::Result<void> close(const Tenant& tenant) const {
    std::error_code error;
    std::filesystem::remove(place_of(tenant), error);
    if (error) return pintle::fail(pintle::ErrorCode::unavailable, "billing: " + error.message());
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
    ctx.status().condition({.type = "Ready", .status = pintle::ConditionStatus::true_, .reason = "Settled"});
    return applied;
  }

  pintle::Outcome finalize(const Tenant& tenant, pintle::Context& ctx) const {
    const auto closed = billing_.close(tenant);
    if (!closed) return not_ready(ctx, "BillingFailed", closed.error());
    return pintle::settled;
  }

 private:
  static pintle::Outcome not_ready(pintle::Context& ctx, const char* reason, const pintle::Error& why) {
    ctx.status().condition(
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
          .every = std::chrono::hours(1)};  // what changed in billing behind our back
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
