// SPDX-License-Identifier: Apache-2.0
// BundleTargets: keeps the authorities in webhook configurations and CRDs equal to a bundle.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/client/client.hpp>

#include "trust_bundle.hpp"

namespace pintle {

// An object with a caBundle: a webhook configuration, or a CRD with a conversion webhook.
struct BundleTarget {
  GroupVersionKind kind{};
  std::string name{};
  Client* client = nullptr;  // of another cluster; null: the home cluster
  std::string cluster{};     // the name of that cluster, for the log
};

// A round is read(), then at most one write(). A target of another cluster must not prevent changes of the certificate
// for the other API servers while that cluster cannot be reached. Its requests have a short time limit; after an error
// the next request follows after 30 s; its errors are logged, and are no errors of the round. Used by one thread at a
// time.
class BundleTargets {
 public:
  // `client`: that of the home cluster.
  BundleTargets(Client& client, std::vector<BundleTarget> targets, WebhookAddress address, Log log);

  // Reads the targets. A target that does not exist has no errors and trusts everything.
  void read(const std::stop_token& stop);
  // Changes the targets that were read so that they trust `wanted`; with `removes`, only these. A conflict with another
  // writer is an error of the target.
  void write(const Authorities& wanted, bool removes, const std::stop_token& stop);

  // Whether each target trusts the authority after the last write(). False if one could not be read or changed. A
  // target of another cluster with errors for 10 minutes is ignored. With `is_lenient`, targets that this operator is
  // not allowed to read are ignored, and all targets of other clusters with errors.
  [[nodiscard]] bool all_trust(std::string_view authority, bool is_lenient = false) const;
  // The authorities that at least one target trusts.
  [[nodiscard]] Authorities trusted() const;
  // The first error of this round in the home cluster; none if there is none.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
  // Whether each target of the home cluster was read or does not exist, or cannot be read for lack of permission.
  [[nodiscard]] bool are_known() const;

 private:
  struct Entry {
    BundleTarget target{};
    Object object{};
    std::vector<ClientConfig> configs{};
    std::optional<Error> error{};
    std::optional<Instant> failed_since{};  // the first of the errors in a row
    Instant next_attempt = Instant::min();
    std::string logged_error{};

    [[nodiscard]] bool is_elsewhere() const noexcept { return target.client != nullptr; }
  };
  [[nodiscard]] Client& client_of(const Entry& entry) const;
  void note(Entry& entry, Error error, const std::stop_token& stop);
  void note_elsewhere(Entry& entry, const Error& error, const std::stop_token& stop) const;
  void take(Entry& entry, Object object);

  Client& client_;
  Executor& executor_;
  const WebhookAddress address_;
  const Log log_;
  std::vector<Entry> entries_;
  std::optional<Error> error_;
};

}  // namespace pintle
