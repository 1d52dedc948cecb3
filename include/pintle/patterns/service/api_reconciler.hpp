// ApiReconciler: the pass over the API objects of a service provider, apart from what the service itself does.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/backoff.hpp>
#include <pintle/base/required.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/patterns/service/cluster_access.hpp>
#include <pintle/patterns/service/config.hpp>
#include <pintle/patterns/service/status.hpp>

namespace pintle::service {

// An API object with this annotation at "ignore" is left alone, also while it is being deleted. At "reconcile" it asks
// for a pass now, which takes the annotation off.
inline constexpr std::string_view operation_annotation = "openmcp.cloud/operation";
inline constexpr std::string_view ignore_operation = "ignore";
inline constexpr std::string_view reconcile_operation = "reconcile";

// What the service does for an object, in the clusters of that object. Called on a worker, never twice at once for one
// object; may block, and may throw (which counts as a failure). It says how things are in ctx.status().
template <Api T, Config C>
struct Reconciler {
  using Step = std::function<Outcome(const T& api, const C& config, RequestClusters& clusters, Context& ctx)>;

  Required<Step> create_or_update;
  // For an object that is being deleted, pass after pass until it settles; then never again. What is not there is done.
  Required<Step> remove;
};

// What the access to clusters depends on besides the key of the object, such as the rights that a config names. Each of
// these is called in every pass, in this order, before the access, and leaves what it has found in a ctx.slot(), where
// an AdvancedProvider looks for it. An error fails the pass, and the status says so. May throw, as the domain may.
template <Api T, Config C>
using AdditionalData = std::vector<std::function<Result<void>(const T& api, const C& config, Context& ctx)>>;

// Which Secrets of the platform cluster wake API objects when they change.
template <Config C>
struct SecretWatcher {
  std::string namespace_{};  // of these; empty: none is watched
  // Those that wake every API object. `config` is null while there is none. Runs on the dispatcher's thread: it must
  // not wait.
  std::function<bool(const Object& secret, const C* config)> is_referenced_secret{};
  // Of an API object: those it refers to; they wake it alone, or those that refer to them too.
  KeyMap references{};
};

// The same of ConfigMaps.
template <Config C>
struct ConfigMapWatcher {
  std::string namespace_{};
  std::function<bool(const Object& config_map, const C* config)> is_referenced_config_map{};
  KeyMap references{};
};

// When an object is being deleted, the domain has not cleaned up, and the access to its clusters is not there.
enum class LostAccess {
  regain,   // ask for it again: the object stays until the domain has cleaned up
  give_up,  // take the cleaning up as done
};

// What the domain does in one pass, with the config that counts in it.
class Domain {
 public:
  virtual ~Domain() = default;
  virtual Result<void> generate_additional_data(const Object& api, Context& ctx) = 0;
  virtual Outcome create_or_update(const Object& api, RequestClusters& clusters, Context& ctx) = 0;
  virtual Outcome remove(const Object& api, RequestClusters& clusters, Context& ctx) = 0;
  [[nodiscard]] virtual Duration poll_interval() const = 0;
};

// A SecretWatcher or ConfigMapWatcher with its types erased.
struct ReferenceWatcher {
  GroupVersionKind kind{};
  std::string namespace_{};
  std::function<bool(const Object& referenced, const Object& config)> is_referenced{};
  KeyMap references{};
};

// An ApiReconciler with its types erased.
struct ApiReconcilerSpec {
  std::string name{};
  GroupVersionKind kind{};
  std::optional<json::Value> crd{};
  std::string finalizer{};
  std::string onboarding_cluster{};
  ConfigSource config{};
  std::shared_ptr<AdvancedProvider> cluster_access{};
  bool has_reconciler = false;
  bool has_additional_data = true;  // no function of it is empty
  // With the config that an object, or none, comes to; null when that is none.
  std::function<Result<std::unique_ptr<Domain>>(const Object& config)> domain{};
  bool workload_cluster = false;
  std::vector<std::string> more_clusters{};
  std::vector<ReferenceWatcher> references{};
  LostAccess lost_access = LostAccess::regain;
  int workers = 1;
  Backoff backoff = controller_backoff;

  // What is missing, in the order in which people are told.
  [[nodiscard]] std::vector<Error> faults() const;
};
[[nodiscard]] ControllerSpec make_controller(ApiReconcilerSpec spec);

template <Api T, Config C>
class DomainOf final : public Domain {
 public:
  DomainOf(Reconciler<T, C> reconciler, AdditionalData<T, C> additional_data, C config)
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
  Outcome create_or_update(const Object& api, RequestClusters& clusters, Context& ctx) override {
    return call(reconciler_.create_or_update.value(), api, clusters, ctx);
  }
  Outcome remove(const Object& api, RequestClusters& clusters, Context& ctx) override {
    return call(reconciler_.remove.value(), api, clusters, ctx);
  }
  [[nodiscard]] Duration poll_interval() const override { return config_.poll_interval(); }

 private:
  Outcome call(const typename Reconciler<T, C>::Step& step, const Object& api, RequestClusters& clusters,
               Context& ctx) {
    const auto decoded = decode<T>(api);
    if (!decoded) return failed(decoded.error().terminal());
    return step(*decoded, config_, clusters, ctx);
  }

  Reconciler<T, C> reconciler_;
  AdditionalData<T, C> additional_data_;
  C config_;
};

// A controller of T in the onboarding cluster, to be given to Manager::add. A pass, in this order: nothing for an
// object that is to be ignored; the config; the additional data; the finalizer; access to the clusters; the domain. In
// a deletion: the domain until it has settled, which is noted in the status; the access; the finalizer, once the last
// status is written. What keeps a pass from getting on is in the status of the object. A pass that settled is followed
// by another after the poll interval of the config; one after a deletion is not.
//
//   manager.add(service::ApiReconciler<Greeting, GreetingConfig>{
//       .onboarding_cluster = std::string(home_cluster),
//       .config = {.platform_cluster = "platform", .provider_name = "greeting"},
//       .cluster_access = access,
//       .reconciler = {.create_or_update = greet, .remove = forget}});
template <Api T, Config C>
struct ApiReconciler {
  std::string name{};  // default: the kind in lower case; unique in its manager
  Required<std::string> onboarding_cluster;
  ConfigReconciler<C> config;
  Required<std::shared_ptr<AdvancedProvider>> cluster_access;
  Reconciler<T, C> reconciler;
  bool workload_cluster = false;             // each object has one beside its control plane
  std::vector<std::string> more_clusters{};  // and these, by their ids
  AdditionalData<T, C> additional_data{};
  SecretWatcher<C> secrets{};
  ConfigMapWatcher<C> config_maps{};
  LostAccess lost_access = LostAccess::regain;
  int workers = 1;
  Backoff backoff = controller_backoff;

  [[nodiscard]] ApiReconcilerSpec spec() const {
    ApiReconcilerSpec spec{.name = name,
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
    if (is_custom(spec.kind)) spec.crd = crd_of<T>();
    return spec;
  }
  operator ControllerSpec() const { return make_controller(spec()); }  // NOLINT(google-explicit-constructor)

 private:
  // These two hold copies: what is changed here afterwards does not change a controller that was made.
  [[nodiscard]] std::function<Result<std::unique_ptr<Domain>>(const Object&)> domain() const {
    return [config = config, reconciler = reconciler,
            additional_data = additional_data](const Object& object) -> Result<std::unique_ptr<Domain>> {
      auto read = config.read(object);
      if (!read) return fail(std::move(read.error()));
      if (!*read) return std::unique_ptr<Domain>();
      return std::make_unique<DomainOf<T, C>>(reconciler, additional_data, std::move(**read));
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
