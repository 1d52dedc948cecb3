// SPDX-License-Identifier: Apache-2.0
// SharedFetches: values that are fetched once by key and shared by all threads that need them at the same time.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/stop.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

// Thread-safe. If several threads need the same value at the same time, one of them fetches it and the others wait for
// its result.
template <class Value>
class SharedFetches {
 public:
  using Shared = std::shared_ptr<const Value>;
  using Fetch = std::function<Result<Shared>(std::stop_token stop)>;

  explicit SharedFetches(Executor& executor) : executor_(executor), mutex_(executor), landed_(executor) {}

  // Returns the cached value unless it is older than `oldest`, or null.
  [[nodiscard]] Shared cached(const std::string& key, Duration oldest = Duration::max()) {
    const Instant now = executor_.now();
    const MutexLock lock(mutex_);
    const auto found = cached_.find(key);
    if (found == cached_.end() || now - found->second.at > oldest) return nullptr;
    return found->second.value;
  }

  // Whether a cached value that lacks something may be fetched again: five times at once, and then every 10 seconds.
  // Counts the permission as used.
  [[nodiscard]] bool may_refresh(const std::string& key) {
    constexpr double burst = 5;
    constexpr Duration interval = std::chrono::seconds(10);
    const Instant now = executor_.now();
    const MutexLock lock(mutex_);
    auto& [left, at] = permits_.try_emplace(key, burst, now).first->second;
    left = std::min(burst, left + static_cast<double>((now - at).count()) / static_cast<double>(interval.count()));
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  }

  // Fetches the value, or waits for a thread that already does. `fetch` is called without a lock held.
  [[nodiscard]] Result<Shared> get(const std::string& key, const Fetch& fetch, const std::stop_token& stop) {
    while (true) {
      std::shared_ptr<Flight> flight;
      bool leads = false;
      {
        const MutexLock lock(mutex_);
        std::shared_ptr<Flight>& place = flights_[key];
        leads = place == nullptr;
        if (leads) place = std::make_shared<Flight>();
        flight = place;
      }
      if (leads) return lead(key, flight, fetch, stop);
      auto result = follow(flight, stop);
      // A stop of the leading thread is not a failure of the server; this thread tries again.
      const bool gave_up = !result && result.error().code == ErrorCode::cancelled;
      if (!gave_up || stop.stop_requested()) return result;
    }
  }

  // Drops the cached value and the limit of may_refresh(). The result of a fetch in progress is not cached and not used
  // by later calls.
  void forget(const std::string& key) {
    const MutexLock lock(mutex_);
    cached_.erase(key);
    permits_.erase(key);
    flights_.erase(key);
  }
  void forget_all() {
    const MutexLock lock(mutex_);
    cached_.clear();
    permits_.clear();
    flights_.clear();
  }

 private:
  // A fetch in progress; `result` is guarded by mutex_.
  struct Flight {
    std::optional<Result<Shared>> result;
  };
  struct Cached {
    Shared value{};
    Instant at{};
  };

  [[nodiscard]] Result<Shared> lead(const std::string& key, const std::shared_ptr<Flight>& flight, const Fetch& fetch,
                                    const std::stop_token& stop) {
    const Instant started = executor_.now();
    auto result = fetch(stop);
    const MutexLock lock(mutex_);
    flight->result = result;
    const auto place = flights_.find(key);
    if (place != flights_.end() && place->second == flight) {
      flights_.erase(place);
      if (result) cached_[key] = {.value = *result, .at = started};
    }
    landed_.notify_all();
    return result;
  }

  [[nodiscard]] Result<Shared> follow(const std::shared_ptr<Flight>& flight, const std::stop_token& stop) {
    const StopCallback wake(executor_, stop, [this] {
      const MutexLock lock(mutex_);
      landed_.notify_all();
    });
    const MutexLock lock(mutex_);
    while (!flight->result && !stop.stop_requested()) landed_.wait(mutex_);
    if (flight->result) return *flight->result;
    return fail(ErrorCode::cancelled, "stopped while waiting for discovery");
  }

  Executor& executor_;
  Mutex mutex_;
  CondVar landed_;
  std::map<std::string, Cached> cached_ PINTLE_GUARDED_BY(mutex_);
  std::map<std::string, std::pair<double, Instant>> permits_ PINTLE_GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<Flight>> flights_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
