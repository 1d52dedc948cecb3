// CrdInstaller: sees to it that a custom kind is served before a controller watches it.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/log.hpp>
#include <pintle/client/client.hpp>
#include <pintle/manager/manager.hpp>

namespace pintle {

// Blocking; used by the thread that starts a manager.
class CrdInstaller {
 public:
  CrdInstaller(Client& client, Log log, std::string manager, std::string version, Crds policy, Duration patience)
      : client_(client),
        log_(std::move(log)),
        manager_(std::move(manager)),
        version_(std::move(version)),
        policy_(policy),
        patience_(patience) {}

  // Installs or replaces the definition as the policy says and waits until the server serves `kind`. Writes nothing if
  // the installed definition already says the same. Transient errors are tried again until the patience is over; the
  // wait of an operator that may not install it has no end. A foreign definition is waited for, never written. Errors:
  // conflict for a definition that is somebody else's or cannot serve our version, unsupported for one that is missing
  // and must not be installed, timeout, cancelled, and what the server answered.
  Result<void> ensure(const json::Value& crd, const GroupVersionKind& kind, const std::stop_token& stop);
  // Installs a definition that was there and has gone; one attempt, then a wait until the server serves `kind`. Errors:
  // timeout, cancelled, and what the server answered.
  Result<void> restore(const json::Value& crd, const GroupVersionKind& kind, const std::stop_token& stop);

 private:
  Result<void> try_to_ensure(const json::Value& crd, const GroupVersionKind& kind, const std::stop_token& stop);
  Result<void> install(const json::Value& crd, const std::stop_token& stop);
  Result<void> wait_for_foreign(const json::Value& crd, const GroupVersionKind& kind, const std::stop_token& stop);
  Result<void> mark(json::Value& crd) const;
  Result<void> use(const Object& there, const json::Value& wanted, const GroupVersionKind& kind);
  Result<void> upgrade(const Object& there, const json::Value& wanted, const std::stop_token& stop);
  Result<void> wait_until_served(const GroupVersionKind& kind, Duration patience, const std::stop_token& stop);
  [[nodiscard]] std::string not_ours(std::string_view owner) const;

  Client& client_;
  const Log log_;
  const std::string manager_;
  const std::string version_;
  const Crds policy_;
  const Duration patience_;
};

// Orders semantic versions as semver.org does, build metadata aside; a part that is no number counts as text.
[[nodiscard]] std::strong_ordering compare_semantic_versions(std::string_view a, std::string_view b);

}  // namespace pintle
