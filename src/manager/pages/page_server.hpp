// SPDX-License-Identifier: Apache-2.0
// PageServer: serves the pages of a manager on a socket, with TLS and access control as the options define.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/http/certificate_watcher.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/http/server.hpp>
#include <pintle/manager/manager.hpp>

#include "guarded_pages.hpp"
#include "origin_guard.hpp"
#include "own_certificate.hpp"

namespace pintle {

// Returns the errors of the options for pages, including options that have no effect without `listen`.
[[nodiscard]] std::vector<Error> check_serving(const ManagerOptions& options);

// The times of certificate checks. Only tests use other values.
struct CertificateTimes {
  Duration period = std::chrono::seconds(10);       // time between two checks of the files
  Duration max_use = std::chrono::hours(365 * 24);  // time of use of a generated certificate
};

// The manager must call start(), then stop(). The pages, options and metrics must outlive this object.
class PageServer {
 public:
  // `reviews` is the client for access reviews; null unless options.serving.authorize is set.
  PageServer(Executor& executor, const ManagerOptions& options, http::Handler& pages, std::unique_ptr<Client> reviews,
             MetricsRegistry& metrics, Log log, CertificateTimes certificate_times = {});
  ~PageServer();  // calls stop()

  // Error: invalid, if another option or flag can correct the cause.
  [[nodiscard]] Result<void> start();
  void stop();

  // Returns the address, such as "127.0.0.1:8080". Must be called after start().
  [[nodiscard]] std::string address() const;

 private:
  [[nodiscard]] Result<std::optional<http::KeyPair>> identity(const std::string& host);
  void warn_of_open_pages(const http::ListenAddress& address) const;

  Executor& executor_;
  const ManagerOptions& options_;
  http::Handler& pages_;
  MetricsRegistry& metrics_;
  const Log log_;
  const CertificateTimes certificate_times_;
  std::optional<AccessReviewer> reviewer_;
  std::optional<GuardedPages> guard_;
  std::optional<OriginGuard> origin_guard_;  // used if there is no `guard_`
  std::optional<http::Server> server_;
  // At most one of them is used. They renew the certificate of the server, so they are declared after it.
  std::optional<http::CertificateWatcher> files_;
  std::optional<OwnCertificate> own_;
};

}  // namespace pintle
