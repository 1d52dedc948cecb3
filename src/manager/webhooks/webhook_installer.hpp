// SPDX-License-Identifier: Apache-2.0
// WebhookInstaller: writes the webhook configurations of an operator.
#pragma once

#include <stop_token>
#include <string>

#include <pintle/base/log.hpp>
#include <pintle/client/client.hpp>
#include <pintle/webhook/webhook_options.hpp>

namespace pintle {

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
  // Errors: not_owned, if this manager did not install the configuration; cancelled; those of the server.
  [[nodiscard]] Result<void> ensure(const json::Value& configuration, const std::stop_token& stop);

 private:
  [[nodiscard]] Result<void> try_to_ensure(const json::Value& configuration, const std::stop_token& stop);
  [[nodiscard]] Result<void> create(const json::Value& configuration, const std::stop_token& stop);
  [[nodiscard]] Result<void> change(const Object& there, const json::Value& wanted, const std::stop_token& stop);
  [[nodiscard]] bool replaces(const Object& there) const;

  Client& client_;
  const Log log_;
  const std::string manager_;
  const std::string version_;
  const WebhookPolicy policy_;
  const Duration patience_;
};

}  // namespace pintle
