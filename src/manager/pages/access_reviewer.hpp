// SPDX-License-Identifier: Apache-2.0
// AccessReviewer: checks whether the cluster permits a bearer token to read a page.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>

#include "events/expiring_cache.hpp"

namespace pintle {

// One request for a page.
struct Visit {
  std::string token{};
  std::string verb{};  // "get"
  std::string path{};  // decoded, without a query
};

struct Verdict {
  int status = 200;  // otherwise 401, 403, or 503 if the cluster did not respond
  std::string message{};

  [[nodiscard]] bool allowed() const noexcept { return status == 200; }
};

struct AccessReviewerOptions {
  Duration allowed_ttl = std::chrono::minutes(1);
  Duration denied_ttl = std::chrono::seconds(10);
  std::size_t limit = 1024;                     // maximum number of valid tokens, of invalid tokens, and of verdicts
  std::string audience{};                       // required audience of tokens; empty: that of the API server
  Duration recent_for = std::chrono::hours(1);  // how long a token is_recent_user() after it was found valid
};

// Stores the results of reviews by digests of the tokens. A token itself is not stored longer than its request.
// Thread-safe.
class AccessReviewer {
 public:
  AccessReviewer(Executor& executor, std::unique_ptr<Client> client, Log log, AccessReviewerOptions options = {});

  // Returns the stored verdict; nullopt if a review by the cluster is necessary.
  [[nodiscard]] std::optional<Verdict> cached_verdict(const Visit& visit) const;
  // Returns whether a review within the last `recent_for` found the token valid. Invalid tokens do not displace such a
  // token.
  [[nodiscard]] bool is_recent_user(const Visit& visit) const;
  // Returns the stored verdict, or else the result of a TokenReview and a SubjectAccessReview, for which it waits.
  [[nodiscard]] Verdict check(const Visit& visit, std::stop_token stop);

 private:
  // status.user of a TokenReview; no value for an invalid token.
  using User = std::optional<json::Value>;

  [[nodiscard]] Result<Verdict> review(const Visit& visit, std::stop_token stop);
  [[nodiscard]] Result<User> review_token(const Visit& visit, std::stop_token stop);
  [[nodiscard]] Result<Verdict> review_access(const Visit& visit, const json::Value& user, std::stop_token stop);
  [[nodiscard]] Instant until(bool yes) const;
  [[nodiscard]] const User* find_user(const std::string& digest) const PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Verdict check_failed(const Error& error);

  Executor& executor_;
  const std::unique_ptr<Client> client_;
  const Log log_;
  const AccessReviewerOptions options_;
  std::atomic<bool> fails_ = false;
  mutable Mutex mutex_;
  ExpiringCache<User> users_ PINTLE_GUARDED_BY(mutex_);
  ExpiringCache<User> invalid_tokens_ PINTLE_GUARDED_BY(mutex_);  // separate, so that they displace no user
  ExpiringCache<bool> recent_users_ PINTLE_GUARDED_BY(mutex_);
  ExpiringCache<Verdict> verdicts_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
