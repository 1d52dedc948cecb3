// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/certificate_watcher.hpp>

#include <filesystem>
#include <utility>
#include <vector>

#include <pintle/base/file.hpp>
#include <pintle/http/pem.hpp>

#include "base/folder_watch.hpp"
#include "certificate_reads.hpp"

namespace pintle::http {
namespace {

std::vector<std::string> folders_of(const CertificateFilesOptions& options) {
  std::vector<std::string> folders;
  for (const std::string* file : {&options.certificate_file, &options.key_file}) {
    std::string folder = std::filesystem::path(*file).parent_path();
    folders.push_back(folder.empty() ? "." : std::move(folder));
  }
  return folders;
}

}  // namespace

CertificateWatcher::CertificateWatcher(Executor& executor, CertificateFilesOptions options)
    : executor_(executor),
      options_(std::move(options)),
      folders_(std::make_unique<FolderWatch>(executor, folders_of(options_))) {
  if (options_.metrics == nullptr) return;
  const CertificateReads reads = certificate_reads(*options_.metrics);
  reads_ = reads.all;
  failures_ = reads.failed;
}

CertificateWatcher::~CertificateWatcher() { stop(); }

Result<KeyPair> CertificateWatcher::read() {
  reads_.add();
  auto certificate = read_file(options_.certificate_file);
  if (!certificate) return fail(std::move(certificate.error()));
  auto key = read_file(options_.key_file);
  if (!key) return fail(std::move(key.error()));
  const auto checked = validate_key_pair({options_.certificate_file, *certificate}, {options_.key_file, *key});
  if (!checked) return fail(checked.error());
  return KeyPair{.certificate = std::move(*certificate), .key = std::move(*key)};
}

void CertificateWatcher::watch(KeyPair current, std::function<Result<void>(const KeyPair&)> use) {
  in_use_ = std::move(current);
  use_ = std::move(use);
  thread_ = executor_.spawn({.name = "certificates"}, [this] {
    while (folders_->wait(options_.period, stop_.get_token())) check_files();
  });
}

void CertificateWatcher::stop() {
  stop_.request_stop();
  thread_.join();
}

void CertificateWatcher::check_files() {
  auto found = read();
  if (!found) return note(fail(std::move(found.error())));
  if (*found == in_use_) return note({});
  auto used = use_(*found);
  if (used) {
    in_use_ = std::move(*found);
    options_.log.info("a new certificate is in use", {{"file", options_.certificate_file}});
  }
  note(std::move(used));
}

void CertificateWatcher::note(Result<void> result) {
  std::string error = result ? std::string() : std::move(result.error().message);
  if (!result) failures_.add();
  if (!result && error != last_error_) {
    options_.log.warning("cannot use the certificate files; the previous certificate stays in use",
                         {{"file", options_.certificate_file}, {"error", error}});
  }
  last_error_ = std::move(error);
}

}  // namespace pintle::http
