// SPDX-License-Identifier: Apache-2.0
// ConfigReconciler: the configuration of the provider, an object of the platform cluster that reconciles use.
#pragma once

#include <concepts>
#include <optional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/required.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/object/schema/crd.hpp>

namespace pintle::service {

/// A cluster-scoped kind. `poll_interval()` is the time after which an API object is reconciled again although its
/// reconcile returned `done`, so that drift in its clusters is corrected; 0: only after a change.
template <class C>
concept Config = Described<C> && C::scope == Scope::cluster && requires(const C& config) {
  { config.poll_interval() } -> std::convertible_to<Duration>;
};

/// The outcome of a reconcile without a config. In both cases the phase is Progressing, or Terminating while the object
/// is being deleted.
enum class MissingConfigPolicy {
  wait,  ///< `done`: the config enqueues all objects when it appears
  fail,  ///< a failure, which is retried with back-off
};

/// A config with its type erased.
struct PINTLE_EXPORT ConfigSource {
  std::string cluster{};
  ObjectKey key{};
  GroupVersionKind kind{};
  std::optional<json::Value> crd{};
  MissingConfigPolicy missing = MissingConfigPolicy::wait;

  /// A change of this config enqueues all objects of the controller.
  [[nodiscard]] Watches watches() const;
  /// The config from the cache; null if it does not exist or is being deleted. If the cluster is temporarily not
  /// readable, the config stays in the cache.
  [[nodiscard]] Result<Object> current(Context& ctx) const;
  [[nodiscard]] Object current(const CacheReader& copies) const;
};

/// Selects the config. Each reconcile uses the config that exists when it begins; a change of the config starts a
/// reconcile of every object.
template <Config C>
struct ConfigReconciler {
  Required<std::string> platform_cluster;
  Required<std::string> provider_name;  ///< the name of the config
  std::optional<C> provider_config{};   ///< used while there is no config in the cluster
  MissingConfigPolicy missing = MissingConfigPolicy::wait;

  [[nodiscard]] ConfigSource source() const {
    return {.cluster = platform_cluster.value(),
            .key = {.name = provider_name.value()},
            .kind = C::type,
            .crd = crd_of<C>(),
            .missing = missing};
  }
  /// Decodes the config object; if it is null, returns provider_config, which may be empty. Error: `invalid`, if it
  /// does not decode.
  [[nodiscard]] Result<std::optional<C>> read(const Object& config) const {
    if (!config) return provider_config;
    auto decoded = decode<C>(config);
    if (!decoded) return fail(std::move(decoded.error()));
    return std::optional<C>(std::move(*decoded));
  }
};

}  // namespace pintle::service
