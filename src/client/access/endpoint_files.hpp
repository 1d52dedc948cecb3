// SPDX-License-Identifier: Apache-2.0
// EndpointFiles: the endpoint of a cluster with certificates that are read again when their files change.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/cluster.hpp>

namespace pintle {

// While a file cannot be read, or certificate and key do not belong together because only one of them is written yet,
// the last certificates stay in use. Thread-safe.
class EndpointFiles {
 public:
  EndpointFiles(Executor& executor, const Cluster& cluster, Log log);

  [[nodiscard]] bool has_files() const noexcept { return has_files_; }

  // Returns the endpoint; null only if the cluster has none and its credentials cannot change. Reads the files if the
  // last time was a minute ago. Returns the same pointer until a text changes.
  [[nodiscard]] std::shared_ptr<const http::Endpoint> endpoint();
  // The next call of endpoint() reads the files.
  void expire();

 private:
  [[nodiscard]] Result<http::Endpoint> read(const http::Endpoint& before) const;
  void keep(const std::shared_ptr<const http::Endpoint>& before, Result<http::Endpoint> read);

  Executor& executor_;
  const std::string ca_file_;
  const std::string certificate_file_;
  const std::string key_file_;
  const bool has_files_;
  const Log log_;
  Mutex mutex_;
  std::shared_ptr<const http::Endpoint> endpoint_ PINTLE_GUARDED_BY(mutex_);
  Instant read_again_ PINTLE_GUARDED_BY(mutex_);
  std::string last_error_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
