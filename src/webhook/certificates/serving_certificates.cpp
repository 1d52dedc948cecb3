// SPDX-License-Identifier: Apache-2.0
#include "serving_certificates.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/random.hpp>
#include <pintle/base/stop.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {
namespace {

constexpr Backoff after_failures{
    .base = std::chrono::milliseconds(200), .factor = 2, .cap = std::chrono::minutes(1), .jitter = 0.2};

// Errors that continue until a person corrects the configuration.
bool is_permanent(const Error& error) {
  return error.is_terminal || error.code == ErrorCode::not_owned || error.code == ErrorCode::forbidden ||
         error.code == ErrorCode::unsupported || error.code == ErrorCode::invalid;
}

WallTime end_of(const http::KeyPair& pair) {
  const auto validity = http::validate_certificates({"", pair.certificate});
  return validity ? validity->front().not_after : WallTime::min();
}

}  // namespace

ServingCertificates::ServingCertificates(Client& client, std::unique_ptr<CertificateSource> source,
                                         ServingCertificatesOptions options)
    : executor_(client.transport().executor()),
      source_(std::move(source)),
      options_(std::move(options)),
      targets_(client, options_.targets, options_.address, options_.log),
      mutex_(executor_) {}

ServingCertificates::~ServingCertificates() { stop(); }

Result<http::KeyPair> ServingCertificates::wait_until_ready(Duration patience, const std::stop_token& stop) {
  const Instant limit = after(executor_.now(), patience);
  const StopCallback forwarding(executor_, stop, [this] { stop_.request_stop(); });
  while (true) {
    const Duration pause = check_once();
    {
      const MutexLock lock(mutex_);
      if (in_use_) return *in_use_;
      const bool is_over = last_error_ && (is_permanent(*last_error_) || after(executor_.now(), pause) > limit);
      if (is_over) return fail(Error(*last_error_).with_operation("obtain the certificate of the webhooks"));
    }
    if (!executor_.sleep_for(pause, stop)) return fail(ErrorCode::cancelled, "cancelled");
  }
}

void ServingCertificates::start(std::function<Result<void>(const http::KeyPair&)> use) {
  use_ = std::move(use);
  thread_ = executor_.spawn({.name = "certificates"}, [this] { run(); });
}

void ServingCertificates::stop() {
  stop_.request_stop();
  thread_.join();
}

Result<void> ServingCertificates::check() const {
  const MutexLock lock(mutex_);
  const std::string reason = last_error_ ? ": " + last_error_->to_string() : std::string();
  if (!in_use_) return fail(ErrorCode::unavailable, "there is no certificate for the webhooks yet" + reason);
  if (!is_expired_) return {};
  return fail(ErrorCode::unavailable, "the certificate of the webhooks expired at " + format_time(expiry_) + reason);
}

std::string ServingCertificates::bundle() const {
  const MutexLock lock(mutex_);
  return bundle_;
}

void ServingCertificates::run() {
  Duration pause = options_.period;
  while (source_->wait(executor_, pause, stop_.get_token())) pause = check_once();
}

Duration ServingCertificates::check_once() {
  const Result<void> done = update_all();
  note(done);
  const double unit = Random::to_unit(executor_.random());
  if (!done) return after_failures.delay(failures_++, unit);
  failures_ = 0;
  // A random part, so that instances do not check at the same time.
  return options_.period - std::chrono::duration_cast<Duration>(options_.period * (unit / 5));
}

Result<void> ServingCertificates::update_all() {
  const std::stop_token stop = stop_.get_token();
  targets_.read(stop);
  // The source is read after the targets. An authority is in the source before it is in a target, so one that is in a
  // target and not in the source is not in use any more.
  const auto found = source_->update({.trusted = targets_.trusted(),
                                      .is_complete = targets_.are_known(),
                                      .is_distributed = [this](const std::string& one) { return is_distributed(one); },
                                      .in_use_by = in_use_by_},
                                     stop);
  if (!found) {
    targets_.write(source_->known(), false, stop);
    note_trust(source_->known());
    const MutexLock lock(mutex_);
    is_expired_ = in_use_ && source_->now() > expiry_;
    return fail(found.error());
  }
  const Authorities wanted = found->manages_trust ? wanted_by(*found) : found->trusted;
  if (found->manages_trust) targets_.write(wanted, true, stop);
  note_trust(found->trusted);
  {
    const MutexLock lock(mutex_);
    bundle_ = to_pem(wanted);
    is_expired_ = in_use_ && source_->now() > expiry_;
  }
  Result<void> used;
  if (is_usable(*found)) used = use(*found);
  if (used && targets_.error()) return fail(*targets_.error());
  return used;
}

// Returns the authorities of the source, and those that are not removed from the targets yet.
Authorities ServingCertificates::wanted_by(const SourcedCertificates& found) {
  Authorities wanted = found.trusted;
  std::map<std::string, Instant, std::less<>> unknown;
  for (std::string& one : targets_.trusted()) {
    if (has_authority(found.trusted, one)) continue;
    const auto before = unknown_since_.find(one);
    const Instant since = before == unknown_since_.end() ? executor_.now() : before->second;
    unknown.emplace(one, since);
    if (!source_->removes(executor_.now() - since)) wanted.push_back(std::move(one));
  }
  unknown_since_ = std::move(unknown);
  return wanted;
}

void ServingCertificates::note_trust(const Authorities& wanted) {
  std::map<std::string, Instant, std::less<>> next;
  for (const std::string& one : wanted) {
    if (!targets_.all_trust(one)) continue;
    const auto before = trusted_since_.find(one);
    next.emplace(one, before == trusted_since_.end() ? executor_.now() : before->second);
  }
  trusted_since_ = std::move(next);
}

bool ServingCertificates::is_distributed(const std::string& authority) const {
  const auto since = trusted_since_.find(authority);
  return since != trusted_since_.end() && executor_.now() - since->second >= options_.distribution;
}

bool ServingCertificates::is_usable(const SourcedCertificates& found) const {
  const MutexLock lock(mutex_);
  if (in_use_ && *in_use_ == found.serving) return false;
  if (is_expired_) return true;
  const auto are = [&](const auto& trusted) {
    return std::all_of(found.signers.begin(), found.signers.end(), trusted);
  };
  // A certificate that could expire before the next check is worse than one that some API servers may not trust yet.
  if (!in_use_ || source_->now() + options_.period > expiry_) {
    if (are([this](const std::string& one) { return targets_.all_trust(one, true); })) return true;
    if (!in_use_) return false;
  }
  const bool has_same_signers = are([this](const std::string& one) { return has_authority(in_use_by_, one); });
  return has_same_signers || are([this](const std::string& one) { return is_distributed(one); });
}

Result<void> ServingCertificates::use(const SourcedCertificates& found) {
  if (use_) {
    if (auto used = use_(found.serving); !used) return used;
  }
  in_use_by_ = found.signers;
  const WallTime end = end_of(found.serving);
  options_.log.info("a new certificate of the webhooks is in use", {{"expires", format_time(end)}});
  const MutexLock lock(mutex_);
  in_use_ = found.serving;
  expiry_ = end;
  is_expired_ = source_->now() > end;
  return {};
}

void ServingCertificates::note(const Result<void>& done) {
  const std::string error = done ? std::string() : done.error().to_string();
  const bool is_stopping = stop_.stop_requested() || (!done && done.error().code == ErrorCode::cancelled);
  // A conflict with another instance is normal, and is repeated soon.
  const bool is_conflict = !done && done.error().code == ErrorCode::conflict;
  if (!is_stopping && !is_conflict && !error.empty() && error != logged_error_) {
    options_.log.warning("cannot check the certificates of the webhooks; trying again", {{"error", error}});
  }
  logged_error_ = error;
  const MutexLock lock(mutex_);
  last_error_ = done ? std::nullopt : std::optional<Error>(done.error());
}

}  // namespace pintle
