// SPDX-License-Identifier: Apache-2.0
// CrdInstaller: installs CRDs, and waits until a custom kind is served before a controller watches it.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/log.hpp>
#include <pintle/client/client.hpp>
#include <pintle/manager/manager.hpp>

namespace pintle {

inline constexpr Type crd_type{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};

// Its functions block. Used by the thread that starts a manager, and by DefinitionKeeper.
class CrdInstaller {
 public:
  CrdInstaller(Client& client, Log log, std::string manager, std::string version, CrdPolicy policy, Duration patience)
      : client_(client),
        log_(std::move(log)),
        manager_(std::move(manager)),
        version_(std::move(version)),
        policy_(policy),
        patience_(patience) {}

  // Installs or replaces the CRD as the policy defines, and waits until the server serves `kind`. Writes nothing if the
  // installed CRD has the same content. Transient errors are retried for the time `patience`; `crd` is called for each
  // attempt, because the authorities of a conversion may change meanwhile. Without the permission to
  // install the CRD, the wait has no limit. A foreign CRD is never written; this function only waits for it. Errors:
  // conflict, if the CRD belongs to another manager or cannot serve the watched version; unsupported, if it is missing
  // and must not be installed; timeout; cancelled; those of the server.
  Result<void> ensure(const std::function<json::Value()>& crd, const GroupVersionKind& kind,
                      const std::stop_token& stop);
  // Installs a CRD that was deleted. Makes one attempt, then waits until the server serves `kind`. Errors: timeout;
  // cancelled; those of the server.
  Result<void> restore(const json::Value& crd, const GroupVersionKind& kind, const std::stop_token& stop);

 private:
  Result<void> try_to_ensure(const json::Value& crd, const GroupVersionKind& kind, const std::stop_token& stop);
  Result<void> install(const json::Value& crd, const std::stop_token& stop);
  Result<void> wait_for_foreign(const json::Value& crd, const GroupVersionKind& kind, const std::stop_token& stop);
  Result<void> use(const Object& there, const json::Value& wanted, const GroupVersionKind& kind);
  Result<void> upgrade(const Object& there, const json::Value& wanted, const std::stop_token& stop);
  Result<void> wait_until_served(const GroupVersionKind& kind, Duration patience, const std::stop_token& stop);
  [[nodiscard]] std::string not_owned(std::string_view owner) const;

  Client& client_;
  const Log log_;
  const std::string manager_;
  const std::string version_;
  const CrdPolicy policy_;
  const Duration patience_;
};

// Orders semantic versions as semver.org defines, without build metadata. A part that is not a number is compared as
// text.
[[nodiscard]] std::strong_ordering compare_semantic_versions(std::string_view a, std::string_view b);

}  // namespace pintle
