// SPDX-License-Identifier: Apache-2.0
#include "own_certificate.hpp"

#include <algorithm>
#include <utility>

namespace pintle {
namespace {

constexpr Duration check_interval = std::chrono::hours(24);

}  // namespace

OwnCertificate::OwnCertificate(Executor& executor, OwnCertificateOptions options)
    : executor_(executor), options_(std::move(options)) {}

OwnCertificate::~OwnCertificate() { stop(); }

Result<http::KeyPair> OwnCertificate::make() {
  const WallTime now = executor_.wall_now();
  auto made = http::make_self_signed_key_pair(options_.common_name, options_.host, now);
  if (!made) return fail(std::move(made.error()));
  made_ = now;
  return std::move(made->server);
}

void OwnCertificate::watch(std::function<Result<void>(const http::KeyPair&)> use) {
  use_ = std::move(use);
  const Duration pause = std::min(check_interval, options_.max_use);
  thread_ = executor_.spawn({.name = "certificates"}, [this, pause] {
    while (executor_.sleep_for(pause, stop_.get_token())) renew_if_due();
  });
}

void OwnCertificate::stop() {
  stop_.request_stop();
  thread_.join();
}

// If the clock was set back, the certificate is not valid yet for clients with the same time, and must be replaced.
bool OwnCertificate::is_due() const {
  const WallTime now = executor_.wall_now();
  return now < made_ || now - made_ >= options_.max_use;
}

Result<void> OwnCertificate::renew() {
  const WallTime before = made_;
  const auto next = make();
  auto used = next ? use_(*next) : Result<void>(fail(next.error()));
  if (!used) made_ = before;
  return used;
}

void OwnCertificate::renew_if_due() {
  if (!is_due()) return;
  if (const auto renewed = renew(); !renewed) {
    options_.log.warning("cannot renew the certificate of the pages; the current one stays in use",
                         {{"error", renewed.error().to_string()}});
    return;
  }
  options_.log.info("a new certificate is in use");
}

}  // namespace pintle
