// Credentials: the bearer token of a cluster, kept fresh.
#pragma once

#include <optional>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/cluster.hpp>

namespace pintle {

// A token from a file is read again when it is a minute old or was refused. While the file cannot be read, the last
// token, or that of the cluster, is used. Thread-safe.
class Credentials {
 public:
  Credentials(Executor& executor, const Cluster& cluster, Log log);

  // The token to send now; empty for none. Error: invalid, naming a file that gives none and never did.
  [[nodiscard]] Result<std::string> token();

  // The server refused a token that was sent at `sent`: one read before is not used again unless the file still has it.
  void refused(Instant sent);

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
  std::optional<Instant> read_at_ PINTLE_GUARDED_BY(mutex_);  // none: read before the next use
  bool failing_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
