// SPDX-License-Identifier: Apache-2.0
// The parts of an operator beside its controllers: feature gates, runnables, health checks, and access of the host
// program to clients and caches.
#include <algorithm>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/object/schema/crd.hpp>

#include "manager/flags/feature_gates.hpp"
#include "manager_state.hpp"
#include "storage_migrations.hpp"

namespace pintle {

void Manager::add(AnyController controller) {
  if (controller.name.empty()) controller.name = to_lower_ascii(controller.watch.kind.kind);
  const ControllerDefaults& defaults = state_->options.defaults;
  if (!controller.workers && defaults.workers >= 1) controller.workers = defaults.workers;
  if (!controller.timeout && defaults.timeout >= Duration::zero()) controller.timeout = defaults.timeout;
  state_->specs.push_back(std::move(controller));
}

void Manager::add(Runnable runnable) { state_->runnables.push_back(std::move(runnable)); }
void Manager::add(HealthCheck check) { state_->checks.push_back(std::move(check)); }
void Manager::add(Page page) { state_->pages.push_back(std::move(page)); }
void Manager::add_error(Error error) { state_->refused.push_back(std::move(error)); }
Result<std::shared_ptr<Client>> Manager::client(std::string_view cluster) const { return state_->client(cluster); }
Result<ManagerCache> Manager::cache(std::string_view cluster) const { return state_->cache(cluster); }

std::vector<GroupVersionKind> Manager::reconciled_kinds() const {
  std::vector<GroupVersionKind> kinds;
  for (const AnyController& spec : state_->specs) {
    if (spec.cluster != home_cluster) continue;
    const bool is_known = std::find(kinds.begin(), kinds.end(), spec.watch.kind) != kinds.end();
    if (!is_known) kinds.push_back(spec.watch.kind);
  }
  return kinds;
}

// Returns the errors of the defaults, the connections, the runnables, the health checks and the pages.
std::vector<Error> Manager::State::part_errors() const {
  std::vector<Error> errors = validate(runnables);
  for (Error& error : validate(checks)) errors.push_back(std::move(error));
  for (Error& error : validate(pages)) errors.push_back(std::move(error));
  const ControllerDefaults& defaults = options.defaults;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  if (defaults.workers < 1) {
    wrong("ManagerOptions::defaults has " + std::to_string(defaults.workers) + " workers; set .workers to at least 1");
  }
  if (options.max_connections == 0) {
    wrong("ManagerOptions::max_connections is 0, so no request could be sent; set it to at least 1, or omit it");
  }
  if (defaults.timeout < Duration::zero() || defaults.resync_period < Duration::zero()) {
    wrong("ManagerOptions::defaults has a negative .timeout or .resync_period; set a positive time or omit it");
  }
  return errors;
}

void Manager::State::show_feature_gates() {
  for (const FeatureGate& gate : options.feature_gates) {
    metrics
        .gauge("pintle_feature_enabled", "1 if the feature gate is enabled.",
               {{"name", gate.name}, {"stage", std::string(name_of(gate.stage))}})
        .set(*gate.enabled ? 1 : 0);
    if (*gate.enabled != is_enabled_by_default(gate)) {
      log_.info("a feature gate is set", {{"gate", gate.name}, {"enabled", *gate.enabled}});
    }
  }
}

// The checks of an operator without pages do not run.
void Manager::State::start_checks() {
  for (const HealthCheck& check : checks) {
    checks_.push_back(std::make_unique<HealthCheckRunner>(check, executor, metrics, log_));
  }
}

// Called by the page server, which ends before the checks do.
std::vector<CheckResult> Manager::State::check_results(HealthProbe probe) const {
  std::vector<CheckResult> results;
  for (const auto& check : checks_) {
    if (check->probe() == probe) results.emplace_back(check->name(), check->result());
  }
  return results;
}

bool Manager::State::has_work_without_lease() const {
  return std::any_of(specs.begin(), specs.end(),
                     [](const AnyController& spec) { return spec.leadership == Leadership::every_instance; });
}

std::vector<ManagedCluster*> Manager::State::all_clusters() const {
  std::vector<ManagedCluster*> all;
  for (const ManagedClusters* clusters : {&clusters_, &unfenced_clusters_}) {
    for (const auto& [name, cluster] : *clusters) all.push_back(cluster.get());
  }
  return all;
}

// Also lists the informers for cache(): those of make_controllers().
Result<void> Manager::State::make_runnables() {
  std::vector<Runnable> all = runnables;
  if (options.migrate_storage && !is_planning_) all.push_back(storage_migrations(migrated_crds()));
  for (const Runnable& runnable : all) {
    const bool is_fenced = runnable.leadership == Leadership::lease;
    const std::shared_ptr<Client>& client = is_fenced ? home().reconcile_client() : home().shared_client();
    running_.push_back(std::make_unique<RunnableRunner>(runnable, client, executor, log_,
                                                        [this](Error error) { failed(std::move(error)); }));
  }
  for (ManagedCluster* cluster : all_clusters()) {
    auto& reader = cache_readers_[cluster->name()];
    if (reader == nullptr) {
      reader = std::make_shared<ClusterHandle>(cluster->name(), cluster->reconcile_client(), options.name);
    }
    cluster->add_informers_to(reader->informers);
  }
  return {};
}

// Returns the names of the CRDs of this operator in the home cluster.
std::vector<std::string> Manager::State::migrated_crds() const {
  std::vector<std::string> names;
  for (const DeclaredCrd& one : declared_crds(specs, own_conversions())) {
    const json::Document document(one.crd);
    const CrdView crd(document.root());
    std::string name(crd.name());
    const bool is_ours = one.cluster == home_cluster && !crd.is_foreign();
    if (is_ours && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

void Manager::State::start_all_for(Leadership leadership) {
  for (const auto& controller : controllers_) {
    if (controller->spec().leadership == leadership) controller->start();
  }
  for (const auto& runnable : running_) {
    if (runnable->leadership() == leadership) runnable->start();
  }
}

Result<void> Manager::State::check_runs(std::string_view member) const {
  const MutexLock lock(mutex_);
  if (phase_ == Phase::running) return {};
  const bool has_begun = phase_ == Phase::stopping || phase_ == Phase::ended;
  return fail(ErrorCode::invalid, "Manager::" + std::string(member) + "() was called " +
                                      (has_begun ? "after stop(); end the threads that use it before"
                                                 : "before start() has returned; call it afterwards"));
}

Result<std::shared_ptr<Client>> Manager::State::client(std::string_view cluster) const {
  if (auto runs = check_runs("client"); !runs) return fail(std::move(runs.error()));
  const auto found = clusters_.find(cluster);
  if (found != clusters_.end()) return found->second->shared_client();
  return fail(ErrorCode::invalid,
              "cluster \"" + std::string(cluster) + "\" is not in ManagerOptions::clusters; add it there");
}

Result<ManagerCache> Manager::State::cache(std::string_view cluster) const {
  if (auto runs = check_runs("cache"); !runs) return fail(std::move(runs.error()));
  const auto found = cache_readers_.find(cluster);
  if (found != cache_readers_.end()) return ManagerCache(found->second);
  return fail(ErrorCode::invalid,
              "cluster \"" + std::string(cluster) + "\" is not in ManagerOptions::clusters; add it there");
}

}  // namespace pintle
