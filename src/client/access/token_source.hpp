// SPDX-License-Identifier: Apache-2.0
// TokenSource: provides the current bearer token of a cluster.
#pragma once

#include <optional>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/cluster.hpp>

namespace pintle {

// A token from a file is read again after a minute, and after a server rejected it. While the file cannot be read, the
// last token is used, or the token of the cluster if the file was never read. Thread-safe.
class TokenSource {
 public:
  TokenSource(Executor& executor, const Cluster& cluster, Log log);

  // Returns the token to send, or "" if none is configured. Error: invalid, with the file, if the file contains no
  // token and there is no earlier token.
  [[nodiscard]] Result<std::string> token();

  // Reports that the server rejected a token that was sent at `sent`. A token that was read before is not used again
  // unless the file still contains it.
  void on_unauthorized(Instant sent);

 private:
  [[nodiscard]] std::optional<std::string> fresh_token();
  [[nodiscard]] Result<std::string> read() const;
  [[nodiscard]] Result<std::string> keep(Result<std::string> read, Instant at);

  Executor& executor_;
  const std::string fixed_;
  const std::string file_;
  const Log log_;
  Mutex mutex_;
  std::string last_ PINTLE_GUARDED_BY(mutex_);
  std::optional<Instant> read_at_ PINTLE_GUARDED_BY(mutex_);  // none: read the file before the next use
  bool failing_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
