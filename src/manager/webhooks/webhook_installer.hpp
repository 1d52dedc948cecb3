// SPDX-License-Identifier: Apache-2.0
// WebhookInstaller: writes the webhook configurations of an operator, and removes those that it no longer declares.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/client/client.hpp>
#include <pintle/webhook/admission.hpp>
#include <pintle/webhook/webhook_options.hpp>

namespace pintle {

// Returns the kinds of configurations that an earlier version of the operator may have installed and that these
// admissions do not need. A manager reads and, with the policy `upgrade`, deletes them. Without admissions this applies
// to the policy `upgrade` only, so that other operators without webhooks need no permissions for it.
[[nodiscard]] std::vector<GroupVersionKind> undeclared_configurations(WebhookPolicy policy,
                                                                      const std::vector<AnyAdmission>& admissions);

// Its functions block. Used by the thread that starts a manager.
class WebhookInstaller {
 public:
  WebhookInstaller(Client& client, Log log, std::string manager, std::string version, WebhookPolicy policy,
                   Duration patience)
      : client_(client),
        log_(std::move(log)),
        manager_(std::move(manager)),
        version_(std::move(version)),
        policy_(policy),
        patience_(patience) {}

  // Creates or changes the configuration as the policy defines. Transient errors are retried for the time `patience`.
  // `configuration` is called for each attempt, because the authorities may change meanwhile. Errors: not_owned, if
  // this manager did not install the configuration; cancelled; those of the server.
  [[nodiscard]] Result<void> ensure(const std::function<json::Value()>& configuration, const std::stop_token& stop);

  // Called for a configuration that is no longer declared. If it exists, each call of its webhooks fails. With the
  // policy `upgrade` it is deleted, unless a later version of the operator installed it; otherwise a warning names it.
  // Does nothing if another manager installed it. Missing permissions are a warning, because the other webhooks of the
  // operator work without them.
  [[nodiscard]] Result<void> remove_undeclared(const GroupVersionKind& kind, const std::stop_token& stop);

 private:
  [[nodiscard]] Result<void> try_to_ensure(const json::Value& configuration, const std::stop_token& stop);
  [[nodiscard]] Result<void> create(const json::Value& configuration, const std::stop_token& stop);
  [[nodiscard]] Result<void> change(const Object& there, const json::Value& wanted, const std::stop_token& stop);
  [[nodiscard]] Result<void> try_to_remove(const GroupVersionKind& kind, const std::stop_token& stop);
  void warn_of_undeclared(const Object& there, const json::Value& wanted) const;
  void warn_of_differences(const Object& there, const json::Value& wanted) const;
  void warn_of_other_address(const Object& there, const json::Value& wanted) const;
  void warn_of_missing_permission(const GroupVersionKind& kind, const Error& error) const;
  [[nodiscard]] bool replaces(const Object& there) const;

  Client& client_;
  const Log log_;
  const std::string manager_;
  const std::string version_;
  const WebhookPolicy policy_;
  const Duration patience_;
};

}  // namespace pintle
