// CertificateFiles: an identity in two files that somebody else renews: the kubelet, cert-manager, a person.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/http/certificates.hpp>

namespace pintle::http {

struct CertificateFilesOptions {
  std::string certificate_file{};  // PEM, with what it needs of its chain
  std::string key_file{};          // PEM
  Duration period = std::chrono::seconds(10);
  Log log{};
  MetricsRegistry* metrics = nullptr;
};

// Reads the files, then looks every period whether they hold something else; the paths are followed anew each time, so
// a link or folder that is swapped is noticed: the kubelet renews a mounted Secret that way. A pair that cannot be read
// or used is warned of once, and the one before it stays in use. Counts reads and failures as controller-runtime does.
// Thread-safe, but for watch().
class CertificateFiles {
 public:
  CertificateFiles(Runtime& runtime, CertificateFilesOptions options);
  ~CertificateFiles();  // as stop()
  CertificateFiles(const CertificateFiles&) = delete;
  CertificateFiles& operator=(const CertificateFiles&) = delete;

  // What the files hold now; whether the two belong together is for the user of the pair to say. Error: invalid, naming
  // the file.
  [[nodiscard]] Result<Identity> read();
  // From now on `use` is called, on a thread of its own, "certificates", with a pair that is not the one in use, at
  // first `current`. It answers an error for one that cannot be used; that is offered again at the next look. Once.
  void watch(Identity current, std::function<Result<void>(const Identity&)> use);
  // Joins the thread. Idempotent.
  void stop();

 private:
  void look();
  void note(Result<void> result);

  Runtime& runtime_;
  const CertificateFilesOptions options_;
  Counter reads_;
  Counter failures_;
  std::function<Result<void>(const Identity&)> use_;
  // Of the thread:
  Identity in_use_;
  std::string complaint_;  // of the last look
  std::stop_source stop_;
  Thread thread_;
};

}  // namespace pintle::http
