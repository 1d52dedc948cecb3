// SPDX-License-Identifier: Apache-2.0
#include "endpoint_files.hpp"

#include <utility>

#include <pintle/http/pem.hpp>

#include "files.hpp"

namespace pintle {

namespace {

constexpr Duration between_reads = std::chrono::minutes(1);
constexpr Duration between_failed_reads = std::chrono::seconds(5);

// Replaces `text` by the content of a file. Does nothing without a file.
Result<void> read_into(std::string& text, const std::string& file) {
  if (file.empty()) return {};
  auto content = read_file(file);
  if (!content) return fail(std::move(content.error()));
  text = std::move(*content);
  return {};
}

bool has_same_texts(const http::Endpoint& a, const http::Endpoint& b) {
  return a.ca == b.ca && a.client_certificate == b.client_certificate && a.client_key == b.client_key;
}

}  // namespace

EndpointFiles::EndpointFiles(Executor& executor, const Cluster& cluster, Log log)
    : executor_(executor),
      ca_file_(cluster.ca_file),
      certificate_file_(cluster.client_certificate_file),
      key_file_(cluster.client_key_file),
      has_files_(!ca_file_.empty() || !certificate_file_.empty() || !key_file_.empty()),
      log_(std::move(log)),
      mutex_(executor),
      endpoint_(cluster.endpoint),
      read_again_(after(executor.now(), between_reads)) {
  const bool may_change = has_files_ || cluster.exec != nullptr || cluster.oidc != nullptr;
  if (endpoint_ == nullptr && may_change) endpoint_ = std::make_shared<const http::Endpoint>();
}

std::shared_ptr<const http::Endpoint> EndpointFiles::endpoint() {
  std::shared_ptr<const http::Endpoint> before;
  {
    const MutexLock lock(mutex_);
    const Instant now = executor_.now();
    if (!has_files_ || now < read_again_) return endpoint_;
    read_again_ = after(now, between_reads);
    before = endpoint_;
  }
  keep(before, read(*before));
  const MutexLock lock(mutex_);
  return endpoint_;
}

void EndpointFiles::expire() {
  const MutexLock lock(mutex_);
  read_again_ = executor_.now();
}

Result<http::Endpoint> EndpointFiles::read(const http::Endpoint& before) const {
  http::Endpoint now = before;
  for (auto done : {read_into(now.ca, ca_file_), read_into(now.client_certificate, certificate_file_),
                    read_into(now.client_key, key_file_)}) {
    if (!done) return fail(std::move(done.error()));
  }
  if (now.ca != before.ca) {
    if (auto valid = http::validate_certificates({.name = ca_file_, .text = now.ca}); !valid)
      return fail(valid.error());
  }
  if (now.client_certificate != before.client_certificate || now.client_key != before.client_key) {
    const auto valid = http::validate_key_pair({.name = certificate_file_, .text = now.client_certificate},
                                               {.name = key_file_, .text = now.client_key});
    if (!valid) return fail(valid.error());
  }
  return now;
}

void EndpointFiles::keep(const std::shared_ptr<const http::Endpoint>& before, Result<http::Endpoint> read) {
  std::string error = read ? "" : read.error().message;
  bool is_new_error = false;
  const bool has_changed = read && !has_same_texts(*read, *before);
  {
    const MutexLock lock(mutex_);
    if (!read) read_again_ = after(executor_.now(), between_failed_reads);
    is_new_error = !error.empty() && error != last_error_;
    last_error_ = error;
    if (has_changed && endpoint_ == before) {
      read->replaced_at = executor_.now();
      endpoint_ = std::make_shared<const http::Endpoint>(std::move(*read));
    }
  }
  if (has_changed) log_.info("the certificates of the cluster configuration have changed; new connections use them");
  if (is_new_error)
    log_.warning("the certificates of the cluster configuration cannot be read; the last ones are used",
                 {{"error", error}});
}

}  // namespace pintle
