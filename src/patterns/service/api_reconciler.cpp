#include <pintle/patterns/service/api_reconciler.hpp>

#include <utility>

#include <pintle/object/names.hpp>

#include "api_pass.hpp"

namespace pintle::service {

std::vector<Error> ApiReconcilerSpec::faults() const {
  std::vector<Error> faults;
  const auto require = [&](bool is_there, const std::string& what) {
    if (!is_there) faults.push_back(make_error(ErrorCode::invalid, what + " is required"));
  };
  require(cluster_access != nullptr, "cluster access reconciler");
  require(!onboarding_cluster.empty(), "onboarding cluster");
  require(!config.cluster.empty(), "platform cluster");
  require(has_reconciler, "reconciler");
  require(!config.key.name.empty(), "provider name");
  if (auto fault = names::subdomain_fault(config.key.name); fault && !config.key.name.empty()) {
    faults.push_back(make_error(ErrorCode::invalid, "provider name \"" + config.key.name + "\" " + *fault));
  }
  if (cluster_access != nullptr) {
    for (Error& fault : cluster_access->faults()) faults.push_back(std::move(fault));
  }
  if (auto good = check_finalizer(finalizer, FinalizerPolicy::add_then_continue); !good) {
    faults.push_back(std::move(good.error()));
  }
  return faults;
}

namespace {

Watches secrets_of(const ApiReconcilerSpec& spec) {
  return {
      .kind = GroupVersionKind("v1", "Secret"),
      .map_with_copies =
          [config = spec.config, test = spec.is_referenced_secret](const Object& secret, const LocalCopies& copies) {
            return test(secret, config.current(copies)) ? copies.keys() : std::vector<ObjectKey>();
          },
      .cluster = spec.config.cluster,
      .namespace_ = spec.secret_namespace};
}

std::vector<Watches> watches_of(const ApiReconcilerSpec& spec) {
  std::vector<Watches> watches{spec.config.watches()};
  if (spec.is_referenced_secret && !spec.secret_namespace.empty()) watches.push_back(secrets_of(spec));
  return watches;
}

}  // namespace

ControllerSpec make_controller(ApiReconcilerSpec spec) {
  const auto shared = std::make_shared<const ApiReconcilerSpec>(std::move(spec));
  const auto& access = shared->cluster_access;
  ControllerSpec controller = erase_type(Controller<Object>{
      .name = shared->name,
      .watch = shared->kind,
      .cluster = shared->onboarding_cluster,
      .watches = watches_of(*shared),
      .reconcile = [shared](const Object& api, Context& ctx) { return ApiPass(*shared, api, ctx).run(); },
      .workers = shared->workers,
      .backoff = shared->backoff,
      .ignore_own_writes = true,
      .needs = access == nullptr ? std::vector<RbacRule>() : access->needs()});
  controller.crd = shared->crd;
  controller.faults = shared->faults();
  return controller;
}

}  // namespace pintle::service
