// ApiReconciler: the pass over the API objects of a service provider, apart from what the service itself does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/backoff.hpp>
#include <pintle/base/required.hpp>
#include <pintle/patterns/service/cluster_access.hpp>
#include <pintle/patterns/service/config.hpp>
#include <pintle/patterns/service/status.hpp>
#include <pintle/runtime/controller.hpp>

namespace pintle::service {

// An API object with this annotation at "ignore" is left alone, also while it is being deleted.
inline constexpr std::string_view operation_annotation = "openmcp.cloud/operation";
inline constexpr std::string_view ignore_operation = "ignore";

// What the service does for an object, in the clusters of that object. Called on a worker, never twice at once for one
// object; may block, and may throw (which counts as a failure). It says how things are in ctx.status().
template <Api T, Config C>
struct Reconciler {
  using Step = std::function<Outcome(const T& api, const C& config, RequestClusters& clusters, Context& ctx)>;

  Required<Step> create_or_update;
  // For an object that is being deleted, pass after pass until it settles; then never again. What is not there is done.
  Required<Step> remove;
};

// Which Secrets of the platform cluster wake every API object when they change.
template <Config C>
struct SecretWatcher {
  std::string namespace_{};  // of these; empty: none is watched
  // `config` is null while there is none. Runs on the dispatcher's thread: it must not wait.
  std::function<bool(const Object& secret, const C* config)> is_referenced_secret{};
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
  virtual Outcome create_or_update(const Object& api, RequestClusters& clusters, Context& ctx) = 0;
  virtual Outcome remove(const Object& api, RequestClusters& clusters, Context& ctx) = 0;
  [[nodiscard]] virtual Duration poll_interval() const = 0;
};

// An ApiReconciler with its types erased.
struct ApiReconcilerSpec {
  std::string name{};
  GroupVersionKind kind{};
  std::optional<json::Value> crd{};
  std::string finalizer{};
  std::string onboarding_cluster{};
  ConfigSource config{};
  std::shared_ptr<ClusterAccessProvider> cluster_access{};
  bool has_reconciler = false;
  // With the config that an object, or none, comes to; null when that is none.
  std::function<Result<std::unique_ptr<Domain>>(const Object& config)> domain{};
  bool workload_cluster = false;
  std::string secret_namespace{};
  std::function<bool(const Object& secret, const Object& config)> is_referenced_secret{};
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
  DomainOf(Reconciler<T, C> reconciler, C config) : reconciler_(std::move(reconciler)), config_(std::move(config)) {}

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
  C config_;
};

// A controller of T in the onboarding cluster, to be given to Manager::add. A pass, in this order: nothing for an
// object that is to be ignored; the config; the finalizer; access to the clusters; the domain. In a deletion: the
// domain until it has settled, which is noted in the status; the access; the finalizer, once the last status is
// written. What keeps a pass from getting on is in the status of the object. A pass that settled is followed by another
// after the poll interval of the config; one after a deletion is not.
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
  Required<std::shared_ptr<ClusterAccessProvider>> cluster_access;
  Reconciler<T, C> reconciler;
  bool workload_cluster = false;  // each object has one beside its control plane
  SecretWatcher<C> secrets{};
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
                           .domain = domain(),
                           .workload_cluster = workload_cluster,
                           .secret_namespace = secrets.namespace_,
                           .is_referenced_secret = is_referenced(),
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
    return [config = config, reconciler = reconciler](const Object& object) -> Result<std::unique_ptr<Domain>> {
      auto read = config.read(object);
      if (!read) return fail(std::move(read.error()));
      if (!*read) return std::unique_ptr<Domain>();
      return std::make_unique<DomainOf<T, C>>(reconciler, std::move(**read));
    };
  }
  [[nodiscard]] std::function<bool(const Object&, const Object&)> is_referenced() const {
    if (!secrets.is_referenced_secret) return {};
    return [config = config, test = secrets.is_referenced_secret](const Object& secret, const Object& object) {
      const auto read = config.read(object);
      return test(secret, read && *read ? &**read : nullptr);
    };
  }
};

}  // namespace pintle::service
