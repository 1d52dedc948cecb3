// SPDX-License-Identifier: Apache-2.0
// Deadline: the time by which a connection must make progress.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <pintle/base/executor.hpp>

namespace pintle::http {

// A later deadline costs nothing: a timer that expires too early starts again. Belongs to the server thread.
class Deadline {
 public:
  Deadline(const boost::asio::any_io_executor& io, Executor& executor) : executor_(executor), timer_(io) {}

  // `expired` is called only while `owner` exists. `owner` contains this object.
  void start(std::weak_ptr<void> owner, std::function<void()> expired) {
    owner_ = std::move(owner);
    expired_ = std::move(expired);
  }
  void within(Duration limit) { until(after(executor_.now(), limit)); }
  void until(Instant at) {
    at_ = at;
    if (at_ < timer_at_) set_timer();
  }
  void whenever() { at_ = Instant::max(); }

 private:
  void set_timer() {
    constexpr Duration longest = std::chrono::hours(1);
    timer_at_ = at_;
    timer_.expires_after(std::min(at_ - executor_.now(), longest));
    timer_.async_wait([this, owner = owner_](const boost::system::error_code& error) {
      const auto alive = owner.lock();
      if (!error && alive != nullptr) on_timer();
    });
  }

  void on_timer() {
    timer_at_ = Instant::max();
    if (at_ <= executor_.now()) {
      expired_();
    } else if (at_ != Instant::max()) {
      set_timer();
    }
  }

  Executor& executor_;
  boost::asio::steady_timer timer_;
  std::weak_ptr<void> owner_;
  std::function<void()> expired_;
  Instant at_ = Instant::max();
  Instant timer_at_ = Instant::max();
};

}  // namespace pintle::http
