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
#include <pintle/runtime/manager.hpp>

#include "guarded_pages.hpp"

namespace pintle {

// What is wrong with how the pages are to be served; nothing when they are not.
[[nodiscard]] std::vector<Error> check_serving(const ManagerOptions& options);

// Thread-safety: start(), then stop(), by their manager. The pages, options and metrics must outlive it.
class PageServer {
 public:
  // `reviews` asks the cluster who may see them; null unless options.serving.authorize.
  PageServer(Runtime& runtime, const ManagerOptions& options, http::Handler& pages, std::unique_ptr<Client> reviews,
             MetricsRegistry& metrics, Log log, Duration certificate_period = std::chrono::seconds(10));
  ~PageServer();  // as stop()

  // Error: invalid, for what another option or flag would mend.
  [[nodiscard]] Result<void> start();
  void stop();

  // "127.0.0.1:8080"; once started.
  [[nodiscard]] std::string address() const;

 private:
  [[nodiscard]] Result<std::optional<http::Identity>> identity(const std::string& host);
  void warn_of_open_pages(const http::ListenAddress& address) const;

  Runtime& runtime_;
  const ManagerOptions& options_;
  http::Handler& pages_;
  MetricsRegistry& metrics_;
  const Log log_;
  const Duration certificate_period_;
  std::optional<AccessReviewer> reviewer_;
  std::optional<GuardedPages> guard_;
  std::optional<http::Server> server_;
  std::optional<http::CertificateFiles> files_;  // behind the server, whose identity it renews
};

}  // namespace pintle
