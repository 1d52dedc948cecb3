// SPDX-License-Identifier: Apache-2.0
// Credentials: the endpoint and the headers that requests to a cluster carry at present.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/programs.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/http/transport.hpp>

#include "endpoint_files.hpp"
#include "renewal.hpp"
#include "token_source.hpp"

namespace pintle {

struct CredentialsOptions {
  Executor& executor;
  Cluster cluster{};
  Log log{};
  std::shared_ptr<Programs> programs{};          // for a plugin; null: programs of this machine
  std::shared_ptr<http::Transport> transport{};  // for an OpenID Connect provider
  MetricsRegistry* metrics = nullptr;            // of plugins; must outlive the credentials
};

// The parts of one request that identify the client. A plain value.
struct RequestCredentials {
  std::shared_ptr<const http::Endpoint> endpoint{};
  std::string authorization{};  // value of the header; empty: none
  std::shared_ptr<const http::Headers> impersonation{};

  // Replaces the endpoint and these headers of the request.
  void apply(http::Request& request) const;
};

// Is notified when the endpoint changes: other certificates.
class EndpointObserver {
 public:
  virtual ~EndpointObserver() = default;
  virtual void on_endpoint_change() = 0;
};

// Several clients may share it. Thread-safe.
class Credentials {
 public:
  using Receiver = std::function<void(const Result<RequestCredentials>&)>;

  explicit Credentials(CredentialsOptions options);

  // Whether a request may have to wait for credentials, or the endpoint may change. Otherwise get() never waits and
  // always returns the same endpoint.
  [[nodiscard]] bool may_change() const noexcept { return renewal_ != nullptr || files_.has_files(); }

  // Errors: invalid, with the file, if a token file contains no token; those of the plugin or provider; cancelled.
  [[nodiscard]] Result<RequestCredentials> get(const std::stop_token& stop);
  // Does not wait: if a plugin or provider has to run first, returns nothing and calls `receiver` later, once, on
  // another thread.
  [[nodiscard]] std::optional<Result<RequestCredentials>> try_get(Receiver receiver);

  // Reports that the server rejected the credentials of a request that was sent at `sent`.
  void on_unauthorized(Instant sent);
  // Reports that the certificate of the server is not trusted.
  void on_untrusted() { files_.expire(); }

  void add_observer(std::weak_ptr<EndpointObserver> observer);

 private:
  [[nodiscard]] static std::unique_ptr<Renewal> make_renewal(const CredentialsOptions& options);
  [[nodiscard]] Result<RequestCredentials> of(const Result<Renewal::Credential>& credential);
  [[nodiscard]] Result<RequestCredentials> with_token();
  [[nodiscard]] std::shared_ptr<const http::Endpoint> endpoint_for(const ObtainedCredential* credential);

  const std::string basic_;  // value of the header Authorization; empty: no basic authentication
  const std::shared_ptr<const http::Headers> impersonation_;
  TokenSource token_;
  EndpointFiles files_;
  Executor& executor_;
  Mutex mutex_;
  std::shared_ptr<const http::Endpoint> last_base_ PINTLE_GUARDED_BY(mutex_);
  std::shared_ptr<const http::Endpoint> last_ PINTLE_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<EndpointObserver>> observers_ PINTLE_GUARDED_BY(mutex_);
  const std::unique_ptr<Renewal> renewal_;  // last: its thread uses the other members
};

// The headers of an impersonation; null without a user. A key of the extra part may contain any bytes.
[[nodiscard]] std::shared_ptr<const http::Headers> impersonation_headers(const Impersonation& impersonation);
// The value of the header Authorization for basic authentication; "" without a user name.
[[nodiscard]] std::string basic_authorization(const Cluster& cluster);

}  // namespace pintle
