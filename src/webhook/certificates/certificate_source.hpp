// SPDX-License-Identifier: Apache-2.0
// CertificateSource: where the certificate of the webhooks and its authorities come from.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/client/client.hpp>
#include <pintle/http/certificates.hpp>

#include "certificate_state.hpp"
#include "server_clock.hpp"
#include "trust_bundle.hpp"

namespace pintle {

struct SourcedCertificates {
  http::KeyPair serving{};
  Authorities signers{};  // clients must trust these before `serving` is used
  Authorities trusted{};  // clients must trust all of these
  // False: another program sets the authorities that clients trust, and the other two members are empty.
  bool manages_trust = true;
};

// The state of the targets at the beginning of a check.
struct TrustView {
  Authorities trusted{};     // those that at least one target trusts
  bool is_complete = false;  // all targets were read
  std::function<bool(const std::string& authority)> is_distributed{};
  Authorities in_use_by{};  // the authorities of the certificate in use
};

// Thread-safety: none.
class CertificateSource {
 public:
  CertificateSource() = default;
  virtual ~CertificateSource() = default;
  CertificateSource(const CertificateSource&) = delete;
  CertificateSource& operator=(const CertificateSource&) = delete;

  // Reads the certificates, after it has made or renewed them if that is due.
  [[nodiscard]] virtual Result<SourcedCertificates> update(const TrustView& view, const std::stop_token& stop) = 0;
  // Authorities that targets must trust even if update() fails; the last known ones.
  [[nodiscard]] virtual Authorities known() const = 0;
  // Whether an authority that the source does not have is removed from a target. `since`: how long it is unknown.
  [[nodiscard]] virtual bool removes(Duration since) const = 0;
  [[nodiscard]] virtual WallTime now() const = 0;
  // Waits until the next check, or until the source has noticed a change. Returns false if a stop is requested.
  [[nodiscard]] virtual bool wait(Executor& executor, Duration limit, const std::stop_token& stop) {
    return executor.sleep_for(limit, stop);
  }
};

struct OwnSecretOptions {
  ObjectKey secret{};
  std::string manager{};  // marks the Secret, so that the Secret of another program is never changed
  CertificateProfile profile{};
  // How long a new instance waits for another one to restore a lost Secret before it makes new certificates. Only if a
  // target trusts an authority that a manager made.
  Duration restore_delay = std::chrono::seconds(30);
  const Clock* clock = nullptr;  // default: the executor of the client
  Log log{};
};

// A Secret that the instances of an operator share. It is made by the first instance, renewed by any of them, and
// restored from memory if it is lost. `client` must outlive the source.
[[nodiscard]] std::unique_ptr<CertificateSource> own_secret_source(Client& client, OwnSecretOptions options);

// Another program or a person makes and renews the certificates.
struct GivenSourceOptions {
  // After a change of the authorities, targets trust the previous ones for this time, because instances read the change
  // at different times.
  Duration overlap = std::chrono::hours(1);
  const Clock* clock = nullptr;  // default: the executor
};
// The Secret of another program, such as cert-manager: tls.crt, tls.key and, optionally, ca.crt.
[[nodiscard]] std::unique_ptr<CertificateSource> given_secret_source(Client& client, ObjectKey secret,
                                                                     GivenSourceOptions options = {});
// Two files, and one with the authorities unless `ca_file` is empty. Their folders are watched.
struct CertificateFiles {
  std::string certificate_file{};
  std::string key_file{};
  std::string ca_file{};
  MetricsRegistry* metrics = nullptr;  // counts reads and failures as http::CertificateWatcher does
};
[[nodiscard]] std::unique_ptr<CertificateSource> file_source(Executor& executor, CertificateFiles files,
                                                             GivenSourceOptions options = {});

}  // namespace pintle
