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
};

// A round is read(), then at most one write(). Used by one thread at a time.
class BundleTargets {
 public:
  BundleTargets(Client& client, std::vector<BundleTarget> targets, WebhookAddress address, Log log);

  // Reads the targets. A target that does not exist has no errors and trusts everything.
  void read(const std::stop_token& stop);
  // Changes the targets that were read so that they trust `wanted`; with `removes`, only these. A conflict with another
  // writer is an error of the target.
  void write(const Authorities& wanted, bool removes, const std::stop_token& stop);

  // Whether each target trusts the authority after the last write(). False if one could not be read or changed.
  // With `is_lenient`, targets that this operator is not allowed to read are ignored.
  [[nodiscard]] bool all_trust(std::string_view authority, bool is_lenient = false) const;
  // The authorities that at least one target trusts.
  [[nodiscard]] Authorities trusted() const;
  // The first error of this round; none if there is none.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
  // Whether each target was read or does not exist, or cannot be read for lack of permission.
  [[nodiscard]] bool are_known() const;

 private:
  struct Entry {
    BundleTarget target{};
    Object object{};
    std::vector<ClientConfig> configs{};
    std::optional<Error> error{};
  };
  void note(Entry& entry, Error error);
  void take(Entry& entry, Object object);

  Client& client_;
  const WebhookAddress address_;
  const Log log_;
  std::vector<Entry> entries_;
  std::optional<Error> error_;
};

}  // namespace pintle
