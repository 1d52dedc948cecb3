// SPDX-License-Identifier: Apache-2.0
// ApiReconcileRun: one reconcile of an API object.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include <pintle/controller/finalizers.hpp>
#include <pintle/patterns/service/api_reconciler.hpp>

namespace pintle::service {

class ApiReconcileRun {
 public:
  // `spec` and `ctx` must outlive this object.
  ApiReconcileRun(const AnyApiReconciler& spec, Object api, Context& ctx);

  Outcome run();

 private:
  Outcome run_steps();

  using Clusters = tl::expected<ObjectClusters, AccessOutcome>;

  // Removes the annotation that requested this reconcile. If this fails, returns the outcome of the reconcile.
  tl::expected<void, Outcome> take_request();
  // Returns the domain with the current config. Without a config, returns the outcome of the reconcile.
  tl::expected<std::unique_ptr<ServiceReconciler>, Outcome> domain_with_config();
  Outcome create_or_update(ServiceReconciler& domain);
  Outcome call(ServiceReconciler& domain, ObjectClusters& clusters);
  void report_failure(const Error& error);
  // Returns whether the domain has set condition Ready in this reconcile, and not to True.
  [[nodiscard]] bool has_reported() const;
  Outcome remove(ServiceReconciler& domain);
  // Lets the domain clean up. If the domain has not finished, returns the outcome of the reconcile. `lost` is the
  // result of lost_access().
  tl::expected<void, Outcome> clean_up(ServiceReconciler& domain, const std::optional<std::string>& lost);
  tl::expected<void, Outcome> clean_up_without(AccessOutcome access, const std::optional<std::string>& lost);
  // Counts the clean-up as done, and reports that the domain was not called.
  tl::expected<void, Outcome> skip_cleanup(const std::string& why);
  void report_failed_cleanup(const Error& error);
  [[nodiscard]] bool is_cleaned_up() const;
  Result<void> note_cleaned_up(std::string_view reason, std::string_view message);
  void note_called();
  [[nodiscard]] bool was_called() const;
  Outcome give_back();
  [[nodiscard]] std::vector<std::string_view> cluster_ids() const;
  // Describes the access that another client deletes or, with LostAccessPolicy::skip_cleanup, that is missing.
  Result<std::optional<std::string>> lost_access();
  Result<std::optional<std::string>> lost_access_to(std::string_view id);
  // Returns why an object without one of its clusters must stay: other access exists, and can be used or may become
  // usable.
  Result<std::optional<std::string>> remaining_access();
  Outcome release();

  Clusters reach_clusters();
  Result<ObjectCluster> reach(std::string_view id, std::string_view missing);

  void works_on(Object api);
  // Sets the phase Terminating if the object is being deleted, otherwise Progressing.
  void set_reason(std::string_view reason, std::string_view message);
  // Sets the status to the reason why the reconcile cannot continue, and returns the outcome.
  Outcome blocked(AccessOutcome access, std::string_view error, std::string_view reason, std::string_view message);
  Outcome stopped(Error error, std::string_view message);
  Result<void> write_status();

  const AnyApiReconciler& spec_;
  AdvancedProvider& access_;
  Object api_;
  const ObjectKey key_;
  Context& ctx_;
  Finalizers finalizers_;
};

}  // namespace pintle::service
