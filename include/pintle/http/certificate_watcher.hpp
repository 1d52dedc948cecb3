// SPDX-License-Identifier: Apache-2.0
// CertificateWatcher: reads a certificate and its key from two files and detects when the kubelet, cert-manager or a
// person renews them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/http/certificates.hpp>

namespace pintle::internal {
class FolderWatch;
}

namespace pintle::http {

struct CertificateFilesOptions {
  std::string certificate_file{};  ///< PEM, with the intermediate certificates that it needs
  std::string key_file{};          ///< PEM
  Duration period = std::chrono::seconds(10);
  Log log{};
  MetricsRegistry* metrics = nullptr;
};

/// Reads the files, then checks whether their content has changed: every `period`, and soon after an entry of their
/// folders was changed. Each check resolves the paths again, so it detects a replaced link or folder; the kubelet
/// renews a mounted Secret in this way. If the new files cannot be read or used, one warning is logged and the previous
/// key pair stays in use. Counts reads and failures with the same metrics as controller-runtime. Thread-safe, except
/// watch().
class PINTLE_EXPORT CertificateWatcher {
 public:
  CertificateWatcher(Executor& executor, CertificateFilesOptions options);
  ~CertificateWatcher();  ///< as stop()
  CertificateWatcher(const CertificateWatcher&) = delete;
  CertificateWatcher& operator=(const CertificateWatcher&) = delete;

  /// Returns the current content of the files. Error: invalid, with the name of the file, if a file cannot be read or
  /// is not PEM, or the key does not belong to the certificate.
  [[nodiscard]] Result<KeyPair> read();
  /// Starts a thread named "certificates" that compares the files with the key pair in use, which is `current` at
  /// first. If they differ, the thread calls `use` with the new key pair, which is then in use. If `use` returns an
  /// error, the key pair in use does not change, and the next check calls `use` again. Call watch() only once.
  void watch(KeyPair current, std::function<Result<void>(const KeyPair&)> use);
  /// Joins the thread. Idempotent.
  void stop();

 private:
  void check_files();
  void note(Result<void> result);

  Executor& executor_;
  const CertificateFilesOptions options_;
  Counter reads_;
  Counter failures_;
  std::function<Result<void>(const KeyPair&)> use_;
  // Used by the thread:
  KeyPair in_use_;
  std::string last_error_;  // error of the last check; empty: none
  std::unique_ptr<internal::FolderWatch> folders_;
  std::stop_source stop_;
  Thread thread_;
};

}  // namespace pintle::http
