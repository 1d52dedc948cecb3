// SPDX-License-Identifier: Apache-2.0
// OwnCertificate: generates a certificate for the pages, and replaces it long before it expires.
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
  std::string host{};                               // see http::make_self_signed_key_pair
  Duration max_use = std::chrono::hours(365 * 24);  // time of use; the certificate is valid for ten years
  Log log{};
};

// Checks once a day whether the certificate must be replaced. It uses the wall clock, which may be changed at any time.
// Not thread-safe: one thread must call make(), then watch(), then stop().
class OwnCertificate {
 public:
  OwnCertificate(Executor& executor, OwnCertificateOptions options);
  ~OwnCertificate();  // calls stop()
  OwnCertificate(const OwnCertificate&) = delete;
  OwnCertificate& operator=(const OwnCertificate&) = delete;

  // Generates the first certificate. Error: that of http::make_self_signed_key_pair().
  [[nodiscard]] Result<http::KeyPair> make();
  // Starts the thread "certificates", which calls `use` with each further certificate. If `use` returns an error, the
  // next check generates another one. Must be called at most once.
  void watch(std::function<Result<void>(const http::KeyPair&)> use);
  // Joins the thread. Idempotent.
  void stop();

 private:
  [[nodiscard]] bool is_due() const;
  [[nodiscard]] Result<void> renew();
  void renew_if_due();

  Executor& executor_;
  const OwnCertificateOptions options_;
  std::function<Result<void>(const http::KeyPair&)> use_;
  WallTime made_{};  // when the certificate in use was generated
  std::stop_source stop_;
  Thread thread_;
};

}  // namespace pintle
