// OwnCertificate: an identity for the pages that the process makes for itself, and anew long before it ends.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/http/certificates.hpp>

namespace pintle {

struct OwnCertificateOptions {
  std::string common_name{};
  std::string host{};                                   // see http::make_private_identity
  Duration longest_use = std::chrono::hours(365 * 24);  // of the ten years for which it is made
  Log log{};
};

// Looks once a day, by the clock on the wall, which may have been set meanwhile. Thread-safety: make(), then watch(),
// then stop(), by one thread.
class OwnCertificate {
 public:
  OwnCertificate(Executor& executor, OwnCertificateOptions options);
  ~OwnCertificate();  // as stop()
  OwnCertificate(const OwnCertificate&) = delete;
  OwnCertificate& operator=(const OwnCertificate&) = delete;

  // The first. Error: as http::make_private_identity.
  [[nodiscard]] Result<http::Identity> make();
  // From now on `use` is called, on a thread of its own, "certificates", with each that follows. It answers an error
  // for one that cannot be used; another is made at the next look. Once.
  void watch(std::function<Result<void>(const http::Identity&)> use);
  // Joins the thread. Idempotent.
  void stop();

 private:
  [[nodiscard]] bool is_due() const;
  [[nodiscard]] Result<void> renew();
  void look();

  Executor& executor_;
  const OwnCertificateOptions options_;
  std::function<Result<void>(const http::Identity&)> use_;
  WallTime made_{};  // the one in use
  std::stop_source stop_;
  Thread thread_;
};

}  // namespace pintle
