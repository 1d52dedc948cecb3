// ConfigReconciler: the provider's own configuration, an object of the platform cluster that passes work with.
#pragma once

#include <concepts>
#include <optional>
#include <string>

#include <pintle/base/required.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/object/crd.hpp>

namespace pintle::service {

// A kind without namespace. `poll_interval()` is how often a settled API object is looked at again, so that nothing
// drifts in its clusters; 0: not before something changes.
template <class C>
concept Config = Described<C> && C::scope == Scope::cluster && requires(const C& config) {
  { config.poll_interval() } -> std::convertible_to<Duration>;
};

// What a pass without a config comes to; the status says Progressing in any case.
enum class MissingConfig {
  waits,  // settled: the config wakes every object when it comes
  fails,  // a failure, tried again with back-off
};

// A config with its type erased.
struct ConfigSource {
  std::string cluster{};
  ObjectKey key{};
  GroupVersionKind kind{};
  std::optional<json::Value> crd{};
  MissingConfig missing = MissingConfig::waits;

  // A change of this one wakes every object of the controller.
  [[nodiscard]] Watches watches() const;
  // From the local copy; none when it is not there, or is being deleted. A cluster that cannot be read at the moment
  // does not take the config away: the copy stays.
  [[nodiscard]] Result<Object> current(Context& ctx) const;
  [[nodiscard]] Object current(const LocalCopies& copies) const;
};

// Which config counts. Each pass works with the one that is there as it begins; a change brings another pass for every
// object.
template <Config C>
struct ConfigReconciler {
  Required<std::string> platform_cluster;
  Required<std::string> provider_name;  // the name of the config
  std::optional<C> provider_config{};   // counts while there is none in the cluster
  MissingConfig missing = MissingConfig::waits;

  [[nodiscard]] ConfigSource source() const {
    return {.cluster = platform_cluster.value(),
            .key = {.name = provider_name.value()},
            .kind = C::type,
            .crd = crd_of<C>(),
            .missing = missing};
  }
  // What an object of the cluster, or none, comes to: the config that counts; none when there is none. Error: invalid,
  // for one that cannot be read.
  [[nodiscard]] Result<std::optional<C>> read(const Object& config) const {
    if (!config) return provider_config;
    auto decoded = decode<C>(config);
    if (!decoded) return fail(std::move(decoded.error()));
    return std::optional<C>(std::move(*decoded));
  }
};

}  // namespace pintle::service
