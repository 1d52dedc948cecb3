// PageServer: the pages of a manager on a socket, behind TLS and a guard where the options ask for them.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/http/certificate_files.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/http/server.hpp>
#include <pintle/manager/manager.hpp>

#include "guarded_pages.hpp"
#include "origin_guard.hpp"
#include "own_certificate.hpp"

namespace pintle {

// What is wrong with how the pages are to be served, or with saying so when they are not.
[[nodiscard]] std::vector<Error> check_serving(const ManagerOptions& options);

// When certificates are looked after; otherwise in tests alone.
struct CertificateTimes {
  Duration period = std::chrono::seconds(10);           // between two looks at the files
  Duration longest_use = std::chrono::hours(365 * 24);  // of one that we made
};

// Thread-safety: start(), then stop(), by their manager. The pages, options and metrics must outlive it.
class PageServer {
 public:
  // `reviews` asks the cluster who may see them; null unless options.serving.authorize.
  PageServer(Executor& executor, const ManagerOptions& options, http::Handler& pages, std::unique_ptr<Client> reviews,
             MetricsRegistry& metrics, Log log, CertificateTimes certificate_times = {});
  ~PageServer();  // as stop()

  // Error: invalid, for what another option or flag would mend.
  [[nodiscard]] Result<void> start();
  void stop();

  // "127.0.0.1:8080"; once started.
  [[nodiscard]] std::string address() const;

 private:
  [[nodiscard]] Result<std::optional<http::Identity>> identity(const std::string& host);
  void warn_of_open_pages(const http::ListenAddress& address) const;

  Executor& executor_;
  const ManagerOptions& options_;
  http::Handler& pages_;
  MetricsRegistry& metrics_;
  const Log log_;
  const CertificateTimes certificate_times_;
  std::optional<AccessReviewer> reviewer_;
  std::optional<GuardedPages> guard_;
  std::optional<OriginGuard> origin_guard_;  // where there is no other
  std::optional<http::Server> server_;
  // Behind the server, whose identity they renew; one of them, or none.
  std::optional<http::CertificateFiles> files_;
  std::optional<OwnCertificate> own_;
};

}  // namespace pintle
