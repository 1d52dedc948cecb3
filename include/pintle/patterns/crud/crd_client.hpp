// SPDX-License-Identifier: Apache-2.0
// CrdClient: creates and deletes CRDs, for programs that manage CRDs themselves.
#pragma once

#include <stop_token>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/client/client.hpp>
#include <pintle/patterns/crud/retry.hpp>

namespace pintle::crud {

/// A manager installs the CRDs of its own controllers; this class is for other CRDs. Thread-safe.
class PINTLE_EXPORT CrdClient {
 public:
  explicit CrdClient(Client& client) : client_(client) {}

  /// Creates the CRD if no CRD of its name exists, and waits until it is established. If the existing CRD is being
  /// deleted, waits until it is gone and creates it again. A CRD that does not become established is an error; it stays
  /// in place with all objects of the kind. Errors, each after the retries of `policy`: is_name_conflict,
  /// is_not_established, and those of the client.
  Result<void> ensure_created(const json::Value& crd, const RetryPolicy& policy = default_retry_policy,
                              const std::stop_token& stop = {});
  /// Deletes the CRD and with it all objects of the kind. Succeeds if no such CRD exists.
  Result<void> ensure_deleted(const json::Value& crd, const RetryPolicy& policy = default_retry_policy,
                              const std::stop_token& stop = {});

 private:
  Result<void> check_established(const std::string& name, const std::stop_token& stop);

  Client& client_;
};

}  // namespace pintle::crud
