// AccessReviewer: whether the cluster lets the holder of a bearer token see a page.
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

// One look at a page.
struct Visit {
  std::string token{};
  std::string verb{};  // "get"
  std::string path{};  // decoded, without a query
};

struct Verdict {
  int status = 200;  // 401, 403, and 503 when nobody could be asked
  std::string message{};

  [[nodiscard]] bool allowed() const noexcept { return status == 200; }
};

struct AccessReviewerOptions {
  Duration yes_counts_for = std::chrono::minutes(1);
  Duration no_counts_for = std::chrono::seconds(10);
  std::size_t limit = 1024;  // tokens that are somebody's, as many that are nobody's, and as many verdicts
  std::string audience{};    // that tokens must be for; empty: that of the API server
  Duration regular_for = std::chrono::hours(1);  // after a yes a token is_regular() this long
};

// Remembers what it was told, under digests: no token stays here longer than its visit. Thread-safe.
class AccessReviewer {
 public:
  AccessReviewer(Executor& executor, std::unique_ptr<Client> client, Log log, AccessReviewerOptions options = {});

  // What it remembers; nothing: the cluster has to be asked.
  [[nodiscard]] std::optional<Verdict> remembered(const Visit& visit) const;
  // The cluster has said within the last hour that this token is somebody's. Junk cannot push such a token out.
  [[nodiscard]] bool is_regular(const Visit& visit) const;
  // What it remembers, and else what the cluster answers to a TokenReview and a SubjectAccessReview; waits for that.
  [[nodiscard]] Verdict ask(const Visit& visit, std::stop_token stop);

 private:
  // status.user of a TokenReview, without a value for a token that is nobody's.
  using User = std::optional<json::Value>;

  [[nodiscard]] Result<Verdict> review(const Visit& visit, std::stop_token stop);
  [[nodiscard]] Result<User> review_token(const Visit& visit, std::stop_token stop);
  [[nodiscard]] Result<Verdict> review_access(const Visit& visit, const json::Value& user, std::stop_token stop);
  [[nodiscard]] Instant until(bool yes) const;
  [[nodiscard]] const User* known(const std::string& digest) const PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Verdict unanswered(const Error& error);

  Executor& executor_;
  const std::unique_ptr<Client> client_;
  const Log log_;
  const AccessReviewerOptions options_;
  std::atomic<bool> fails_ = false;
  mutable Mutex mutex_;
  ExpiringCache<User> users_ PINTLE_GUARDED_BY(mutex_);
  ExpiringCache<User> strangers_ PINTLE_GUARDED_BY(mutex_);  // apart, so that they displace no user
  ExpiringCache<bool> regulars_ PINTLE_GUARDED_BY(mutex_);
  ExpiringCache<Verdict> verdicts_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
