// SPDX-License-Identifier: Apache-2.0
// ServingCertificates: provides the certificate that the webhooks serve, and keeps the authorities in the caBundle of
// webhook configurations and CRDs right.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>

#include "bundle_targets.hpp"
#include "certificate_source.hpp"

namespace pintle {

struct ServingCertificatesOptions {
  WebhookAddress address{};  // the clientConfigs that are kept right
  std::vector<BundleTarget> targets{};
  Duration period = std::chrono::seconds(10);  // time between two checks
  // Time after a change of a caBundle until each API server uses it. A certificate of a new authority is used only
  // after this time.
  Duration distribution = std::chrono::seconds(30);
  Log log{};
};

// A thread checks the source of the certificates and all targets every `period`; after errors the pause grows from
// 200 ms to 1 min. In each check,
// - authorities of the source that a target does not trust are added to it;
// - authorities that the source does not have are removed, but only if the source was read after the target. While the
//   source cannot be read, nothing is removed;
// - the certificate of the source is used when all targets have trusted its authorities for the time `distribution`. At
//   the start, when no certificate is in use, and shortly before the one in use expires, all targets must trust them.
// Thus a client that trusts the bundle of a target can always verify the certificate in use. The exception are targets
// of other clusters that cannot be read or changed: they delay a certificate for 10 minutes at most, and not at the
// start (BundleTargets).
//
// wait_until_ready(), then start(), then stop(). check() and bundle() are thread-safe.
class ServingCertificates {
 public:
  // `client` must outlive this object.
  ServingCertificates(Client& client, std::unique_ptr<CertificateSource> source, ServingCertificatesOptions options);
  ~ServingCertificates();  // as stop()
  ServingCertificates(const ServingCertificates&) = delete;
  ServingCertificates& operator=(const ServingCertificates&) = delete;

  // Blocks until there is a certificate, and returns it. Errors: the last error, if there is none after `patience`;
  // cancelled. An error that a repetition cannot correct is returned immediately.
  [[nodiscard]] Result<http::KeyPair> wait_until_ready(Duration patience, const std::stop_token& stop);
  // Starts the thread. It calls `use` with each new certificate; if that fails, it calls it again at the next check.
  void start(std::function<Result<void>(const http::KeyPair&)> use);
  // Joins the thread. Idempotent.
  void stop();

  // Error: unavailable, if there is no certificate, or the one in use has expired.
  [[nodiscard]] Result<void> check() const;
  // The authorities for a configuration that is written now, PEM: those of the source, and those that the targets must
  // still trust. Empty if the source has none.
  [[nodiscard]] std::string bundle() const;

 private:
  void run();
  // One check. Returns the time until the next one.
  [[nodiscard]] Duration check_once();
  [[nodiscard]] Result<void> update_all();
  [[nodiscard]] Authorities wanted_by(const SourcedCertificates& found);
  void note_trust(const Authorities& wanted);
  [[nodiscard]] bool is_distributed(const std::string& authority) const;
  [[nodiscard]] bool is_usable(const SourcedCertificates& found) const;
  [[nodiscard]] Result<void> use(const SourcedCertificates& found);
  void note(const Result<void>& done);

  Executor& executor_;
  const std::unique_ptr<CertificateSource> source_;
  const ServingCertificatesOptions options_;
  std::function<Result<void>(const http::KeyPair&)> use_;
  std::stop_source stop_;

  // Used by one thread at a time: that of wait_until_ready(), then that of start().
  BundleTargets targets_;
  std::map<std::string, Instant, std::less<>> trusted_since_;  // by authority; all targets trust it since then
  std::map<std::string, Instant, std::less<>> unknown_since_;  // authorities in targets that the source does not have
  Authorities in_use_by_;                                      // the authorities of the certificate in use
  unsigned failures_ = 0;
  std::string logged_error_;

  mutable Mutex mutex_;
  std::optional<http::KeyPair> in_use_ PINTLE_GUARDED_BY(mutex_);
  std::string bundle_ PINTLE_GUARDED_BY(mutex_);
  std::optional<Error> last_error_ PINTLE_GUARDED_BY(mutex_);
  WallTime expiry_ PINTLE_GUARDED_BY(mutex_) = WallTime::min();
  bool is_expired_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle
