// SPDX-License-Identifier: Apache-2.0
// Renewal: obtains a credential when it is needed and keeps it until it expires.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

// The result of a plugin or a provider: a token, a client certificate with its key, or both.
struct ObtainedCredential {
  std::string token{};
  std::string certificate{};  // PEM
  std::string key{};          // PEM
  std::optional<WallTime> expires{};

  friend bool operator==(const ObtainedCredential&, const ObtainedCredential&) = default;
};

// Calls `obtain` on a thread of its own, which starts at the first use; so there is one call at a time. A credential is
// obtained again shortly before it expires, while it is still in use, and after the server rejected it. After a
// failure, and after a credential that the server rejected or that had expired already, the next call waits: 1 s,
// doubling up to 5 minutes. A rejection after 10 minutes without any of these is exempt. Thread-safe.
class Renewal {
 public:
  using Credential = std::shared_ptr<const ObtainedCredential>;
  using Obtain = std::function<Result<ObtainedCredential>(std::stop_token)>;
  using Receiver = std::function<void(const Result<Credential>&)>;

  Renewal(Executor& executor, std::string thread_name, Obtain obtain);
  // Stops a call of `obtain`. Waiting receivers get the error cancelled.
  ~Renewal();
  Renewal(const Renewal&) = delete;
  Renewal& operator=(const Renewal&) = delete;

  // Returns the credential, and waits for it if needed. Errors: that of the last call of `obtain`; cancelled;
  // unsupported, if the thread would have to wait and must not block.
  [[nodiscard]] Result<Credential> get(const std::stop_token& stop);
  // Does not wait: if there is no result yet, returns nothing and calls `receiver` later, once, on the thread of this
  // renewal.
  [[nodiscard]] std::optional<Result<Credential>> try_get(Receiver receiver);

  // Reports that the server rejected a credential that was sent at `sent`. A newer credential stays in use.
  void reject(Instant sent);

 private:
  void run();
  void keep(Result<ObtainedCredential> obtained);
  [[nodiscard]] bool wait_for_request();
  [[nodiscard]] std::optional<Result<Credential>> decide() PINTLE_REQUIRES(mutex_);
  void request() PINTLE_REQUIRES(mutex_);
  unsigned count_failure() PINTLE_REQUIRES(mutex_);  // returns the number of earlier ones
  [[nodiscard]] bool is_ending(Duration margin) const PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Duration margin() const PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const std::string thread_name_;
  const Obtain obtain_;
  std::stop_source stop_;
  Mutex mutex_;
  CondVar changed_;
  Thread thread_ PINTLE_GUARDED_BY(mutex_);
  bool is_requested_ PINTLE_GUARDED_BY(mutex_) = false;  // until the call of obtain_ ends
  bool is_stopped_ PINTLE_GUARDED_BY(mutex_) = false;
  Credential current_ PINTLE_GUARDED_BY(mutex_);
  WallTime obtained_wall_ PINTLE_GUARDED_BY(mutex_){};
  Instant obtained_ PINTLE_GUARDED_BY(mutex_){};
  bool is_rejected_ PINTLE_GUARDED_BY(mutex_) = false;    // current_
  std::optional<Error> error_ PINTLE_GUARDED_BY(mutex_);  // of the last call, if it failed
  unsigned failures_ PINTLE_GUARDED_BY(mutex_) = 0;  // failures and rejections with less than 10 minutes between them
  std::optional<Instant> last_failure_ PINTLE_GUARDED_BY(mutex_);
  Instant not_before_ PINTLE_GUARDED_BY(mutex_){};  // of the next call
  std::vector<Receiver> receivers_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
