// CrdClient: definitions of custom kinds that are there, or gone, for programs that handle them themselves.
#pragma once

#include <stop_token>
#include <string>

#include <pintle/client/client.hpp>
#include <pintle/patterns/crud/retry.hpp>

namespace pintle::crud {

// A manager installs the kinds of its controllers by itself; this is for others. Thread-safe.
class CrdClient {
 public:
  explicit CrdClient(Client& client) : client_(client) {}

  // Creates the definition, if there is none of its name, and waits until it is established. One that is being deleted
  // is created again once it is gone. A definition that is not established is an error and stays in place, with all
  // objects of the kind. Errors: is_name_conflict, is_not_established, those of the client; each after the retries of
  // the policy.
  Result<void> ensure_created(const json::Value& crd, const RetryPolicy& policy = default_retry_policy,
                              const std::stop_token& stop = {});
  // Removes it, and with it the objects of the kind. One that is not there is success.
  Result<void> ensure_deleted(const json::Value& crd, const RetryPolicy& policy = default_retry_policy,
                              const std::stop_token& stop = {});

 private:
  Result<void> look_whether_established(const std::string& name, const std::stop_token& stop);

  Client& client_;
};

}  // namespace pintle::crud
