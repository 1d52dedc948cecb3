// SPDX-License-Identifier: Apache-2.0
// ApiReconciler: the reconcile of the API objects of a service provider, apart from the work of the service itself. The
// code of the service itself is called the domain.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/base/required.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/patterns/service/cluster_access.hpp>
#include <pintle/patterns/service/config.hpp>
#include <pintle/patterns/service/status.hpp>

namespace pintle::service {

/// An annotation of API objects. With the value "ignore" an object is not reconciled, not even while it is being
/// deleted. The value "reconcile" requests a reconcile now, which removes the annotation.
inline constexpr std::string_view operation_annotation = "openmcp.cloud/operation";
inline constexpr std::string_view ignore_operation = "ignore";
inline constexpr std::string_view reconcile_operation = "reconcile";

/// The functions of the domain: the work of the service for an object, in the clusters of that object. They are called
/// on a worker, never concurrently for one object. They may block, and may throw, which counts as a failure. They
/// report the state of the object in ctx.status().
template <Api T, Config C>
struct Reconciler {
  using Step = std::function<Outcome(const T& api, const C& config, ObjectClusters& clusters, Context& ctx)>;

  Required<Step> create_or_update;
  /// Called in successive reconciles of an object that is being deleted, until it has returned `done` and this is
  /// recorded in the status. Must be idempotent: treat missing resources as removed.
  Required<Step> remove;
};

/// Functions that compute values for the access to clusters, such as the permissions that a config names. The access
/// depends on these values and on the key of the object. The functions are called in this order, before the access is
/// requested. Each stores its result in a ctx.slot(), where an AdvancedProvider reads it. A reconcile that only gives
/// the access back does not call them: the slots are empty in later calls of AdvancedProvider::reconcile_delete(). An
/// error fails the reconcile and is reported in the status. The functions may throw, like those of the domain.
template <Api T, Config C>
using AdditionalData = std::vector<std::function<Result<void>(const T& api, const C& config, Context& ctx)>>;

/// Selects the Secrets of the platform cluster that enqueue API objects when they change.
template <Config C>
struct SecretWatcher {
  std::string namespace_{};  ///< of the Secrets; empty: none is watched
  /// Returns whether a Secret enqueues all API objects. `config` is null while there is no config. Runs on the thread
  /// of the dispatcher and must not block.
  std::function<bool(const Object& secret, const C* config)> is_referenced_secret{};
  /// Maps an API object to the Secrets that it refers to. Each of these Secrets enqueues only the API objects that
  /// refer to it.
  MapFunction references{};
};

/// The same for ConfigMaps.
template <Config C>
struct ConfigMapWatcher {
  std::string namespace_{};
  std::function<bool(const Object& config_map, const C* config)> is_referenced_config_map{};
  MapFunction references{};
};

/// The behaviour if an object is being deleted, the domain has not cleaned up, and the access to its clusters is
/// missing.
enum class LostAccessPolicy {
  /// Request it again. The object stays until the domain has cleaned up; AccessOutcome::is_unobtainable describes the
  /// exception.
  request_again,
  skip_cleanup,  ///< treat the clean-up as done, and report this (reason_access_lost)
};

/// The functions of the domain in one reconcile, with the config that this reconcile uses.
class PINTLE_EXPORT ServiceReconciler {
 public:
  virtual ~ServiceReconciler() = default;
  virtual Result<void> generate_additional_data(const Object& api, Context& ctx) = 0;
  virtual Outcome create_or_update(const Object& api, ObjectClusters& clusters, Context& ctx) = 0;
  virtual Outcome remove(const Object& api, ObjectClusters& clusters, Context& ctx) = 0;
  [[nodiscard]] virtual Duration poll_interval() const = 0;
};

/// A SecretWatcher or ConfigMapWatcher with its types erased.
struct ReferenceWatcher {
  GroupVersionKind kind{};
  std::string namespace_{};
  std::function<bool(const Object& referenced, const Object& config)> is_referenced{};
  MapFunction references{};
};

/// An ApiReconciler with its types erased.
struct PINTLE_EXPORT AnyApiReconciler {
  std::string name{};
  GroupVersionKind kind{};
  std::optional<json::Value> crd{};
  std::optional<AnyConversion> conversion{};
  std::string finalizer{};
  std::string onboarding_cluster{};
  ConfigSource config{};
  std::shared_ptr<AdvancedProvider> cluster_access{};
  bool has_reconciler = false;
  bool has_additional_data = true;  ///< no function of ApiReconciler::additional_data is empty
  /// Makes the domain with the config that is decoded from `config`. If the cluster has no config object, `config` is
  /// null and ConfigReconciler::provider_config is used. Returns null if that is empty too.
  std::function<Result<std::unique_ptr<ServiceReconciler>>(const Object& config)> domain{};
  bool workload_cluster = false;
  std::vector<std::string> more_clusters{};
  std::vector<ReferenceWatcher> references{};
  LostAccessPolicy lost_access = LostAccessPolicy::request_again;
  int workers = 1;
  Backoff backoff = controller_backoff;

  /// Validation errors, in the order in which they are reported.
  [[nodiscard]] std::vector<Error> validate() const;
};
[[nodiscard]] PINTLE_EXPORT AnyController make_controller(AnyApiReconciler spec);

template <Api T, Config C>
class ServiceReconcilerOf final : public ServiceReconciler {
 public:
  ServiceReconcilerOf(Reconciler<T, C> reconciler, AdditionalData<T, C> additional_data, C config)
      : reconciler_(std::move(reconciler)), additional_data_(std::move(additional_data)), config_(std::move(config)) {}

  Result<void> generate_additional_data(const Object& api, Context& ctx) override {
    if (additional_data_.empty()) return {};
    const auto decoded = decode<T>(api);
    if (!decoded) return fail(decoded.error().terminal());
    for (const auto& generate : additional_data_) {
      if (auto generated = generate(*decoded, config_, ctx); !generated) return generated;
    }
    return {};
  }
  Outcome create_or_update(const Object& api, ObjectClusters& clusters, Context& ctx) override {
    return call(reconciler_.create_or_update.value(), api, clusters, ctx);
  }
  Outcome remove(const Object& api, ObjectClusters& clusters, Context& ctx) override {
    return call(reconciler_.remove.value(), api, clusters, ctx);
  }
  [[nodiscard]] Duration poll_interval() const override { return config_.poll_interval(); }

 private:
  Outcome call(const typename Reconciler<T, C>::Step& step, const Object& api, ObjectClusters& clusters, Context& ctx) {
    const auto decoded = decode<T>(api);
    if (!decoded) return failed(decoded.error().terminal());
    return step(*decoded, config_, clusters, ctx);
  }

  Reconciler<T, C> reconciler_;
  AdditionalData<T, C> additional_data_;
  C config_;
};

/// A controller for T in the onboarding cluster, to be passed to Manager::add. A reconcile has these steps, in this
/// order: return at once if the object is to be ignored; read the config; compute the additional data; add the
/// finalizer; obtain access to the clusters; call the domain. In a deletion: call the domain until it returns `done`,
/// which is recorded in the status; give the access back; write the last status; remove the finalizer. If a reconcile
/// cannot continue, the status of the object states the reason. If create_or_update returned `done`, the next reconcile
/// follows after the poll interval of the config, if that is not 0.
///
///   manager.add(service::ApiReconciler<Greeting, GreetingConfig>{
///       .onboarding_cluster = std::string(home_cluster),
///       .config = {.platform_cluster = "platform", .provider_name = "greeting"},
///       .cluster_access = access,
///       .reconciler = {.create_or_update = greet, .remove = forget}});
template <Api T, Config C>
struct ApiReconciler {
  std::string name{};  ///< default: the kind in lower case; unique in its manager
  Required<std::string> onboarding_cluster;
  ConfigReconciler<C> config;
  Required<std::shared_ptr<AdvancedProvider>> cluster_access;
  Reconciler<T, C> reconciler;
  bool workload_cluster = false;             ///< whether each object also has a workload cluster
  std::vector<std::string> more_clusters{};  ///< ids of the further clusters of each object
  AdditionalData<T, C> additional_data{};
  SecretWatcher<C> secrets{};
  ConfigMapWatcher<C> config_maps{};
  LostAccessPolicy lost_access = LostAccessPolicy::request_again;
  int workers = 1;
  Backoff backoff = controller_backoff;

  [[nodiscard]] AnyApiReconciler spec() const {
    AnyApiReconciler spec{.name = name,
                          .kind = T::type,
                          .finalizer = std::string(T::finalizer),
                          .onboarding_cluster = onboarding_cluster.value(),
                          .config = config.source(),
                          .cluster_access = cluster_access.value(),
                          .has_reconciler = reconciler.create_or_update.value() && reconciler.remove.value(),
                          .has_additional_data = std::all_of(additional_data.begin(), additional_data.end(),
                                                             [](const auto& one) { return static_cast<bool>(one); }),
                          .domain = domain(),
                          .workload_cluster = workload_cluster,
                          .more_clusters = more_clusters,
                          .references = {{.kind = GroupVersionKind("v1", "Secret"),
                                          .namespace_ = secrets.namespace_,
                                          .is_referenced = with_config(secrets.is_referenced_secret),
                                          .references = secrets.references},
                                         {.kind = GroupVersionKind("v1", "ConfigMap"),
                                          .namespace_ = config_maps.namespace_,
                                          .is_referenced = with_config(config_maps.is_referenced_config_map),
                                          .references = config_maps.references}},
                          .lost_access = lost_access,
                          .workers = workers,
                          .backoff = backoff};
    if (is_custom_kind(spec.kind)) spec.crd = crd_of<T>();
    spec.conversion = conversion_of<T>();
    return spec;
  }
  operator AnyController() const { return make_controller(spec()); }  // NOLINT(google-explicit-constructor)

 private:
  // Both functions hold copies: later changes of this struct do not change a controller that was made from it.
  [[nodiscard]] std::function<Result<std::unique_ptr<ServiceReconciler>>(const Object&)> domain() const {
    return [config = config, reconciler = reconciler,
            additional_data = additional_data](const Object& object) -> Result<std::unique_ptr<ServiceReconciler>> {
      auto read = config.read(object);
      if (!read) return fail(std::move(read.error()));
      if (!*read) return std::unique_ptr<ServiceReconciler>();
      return std::make_unique<ServiceReconcilerOf<T, C>>(reconciler, additional_data, std::move(**read));
    };
  }
  [[nodiscard]] std::function<bool(const Object&, const Object&)> with_config(
      const std::function<bool(const Object&, const C*)>& test) const {
    if (!test) return {};
    return [config = config, test](const Object& referenced, const Object& object) {
      const auto read = config.read(object);
      return test(referenced, read && *read ? &**read : nullptr);
    };
  }
};

}  // namespace pintle::service
