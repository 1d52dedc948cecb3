// SPDX-License-Identifier: Apache-2.0
// Test support of this layer: a handler made of a function, a stream with pushed text, and a recorder of one exchange.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle::http {

class FunctionHandler final : public Handler {
 public:
  explicit FunctionHandler(std::function<Response(const Request&)> function) : function_(std::move(function)) {}
  Response handle(const Request& request) override { return function_(request); }

 private:
  std::function<Response(const Request&)> function_;
};

// The source of a FedStream, to which a test pushes text. Thread-safe.
class Feed {
 public:
  explicit Feed(Executor& executor) : executor_(executor), mutex_(executor), changed_(executor) {}

  void push(std::string_view text) {
    MutexLock lock(mutex_);
    text_ += text;
    if (wake_) wake_();
  }
  // Makes `text` available during the next read of the stream, too late for that read.
  void push_during_read(std::string text) {
    MutexLock lock(mutex_);
    late_ = std::move(text);
  }
  void finish() {
    MutexLock lock(mutex_);
    finished_ = true;
    changed_.notify_all();
    if (wake_) wake_();
  }
  // Makes `text` available in the stream at this time, without a wake-up.
  void push_at(Instant at, std::string text) {
    MutexLock lock(mutex_);
    later_.emplace_back(at, std::move(text));
  }
  // Ends the stream at this time, without a wake-up; at or after the last push_at().
  void finish_at(Instant at) {
    MutexLock lock(mutex_);
    finish_at_ = at;
  }
  void wait_until_finished() {
    MutexLock lock(mutex_);
    while (!finished_) changed_.wait(mutex_);
  }
  [[nodiscard]] bool closed() {
    MutexLock lock(mutex_);
    return closed_;
  }
  void wait_until_closed() {
    MutexLock lock(mutex_);
    while (!closed_) changed_.wait(mutex_);
  }
  // The number of reads of the stream so far.
  [[nodiscard]] std::size_t reads() {
    MutexLock lock(mutex_);
    return reads_;
  }

 private:
  friend class FedStream;

  Executor& executor_;
  Mutex mutex_;
  CondVar changed_;
  std::string text_ PINTLE_GUARDED_BY(mutex_);
  std::string late_ PINTLE_GUARDED_BY(mutex_);
  std::vector<std::pair<Instant, std::string>> later_ PINTLE_GUARDED_BY(mutex_);
  std::function<void()> wake_ PINTLE_GUARDED_BY(mutex_);
  Instant finish_at_ PINTLE_GUARDED_BY(mutex_) = Instant::max();
  bool finished_ PINTLE_GUARDED_BY(mutex_) = false;
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
  std::size_t reads_ PINTLE_GUARDED_BY(mutex_) = 0;
};

class FedStream final : public BodyStream {
 public:
  explicit FedStream(std::shared_ptr<Feed> feed, bool is_created_later = false)
      : feed_(std::move(feed)), is_created_later_(is_created_later) {}
  ~FedStream() override {
    MutexLock lock(feed_->mutex_);
    feed_->closed_ = true;
    feed_->wake_ = nullptr;
    feed_->changed_.notify_all();
  }

  State read(std::string& out) override {
    constexpr std::size_t most = std::size_t{64} << 10U;
    MutexLock lock(feed_->mutex_);
    ++feed_->reads_;
    while (!feed_->later_.empty() && feed_->later_.front().first <= feed_->executor_.now()) {
      feed_->text_ += feed_->later_.front().second;
      feed_->later_.erase(feed_->later_.begin());
    }
    feed_->finished_ = feed_->finished_ || feed_->finish_at_ <= feed_->executor_.now();
    out.append(feed_->text_, 0, most);
    feed_->text_.erase(0, most);
    if (!feed_->text_.empty()) return State::more;
    if (feed_->late_.empty()) return feed_->finished_ ? State::ended : State::waiting;
    feed_->text_ = std::exchange(feed_->late_, {});
    feed_->wake_();
    return State::waiting;
  }
  void on_ready(std::function<void()> wake) override {
    MutexLock lock(feed_->mutex_);
    feed_->wake_ = std::move(wake);
  }
  [[nodiscard]] Instant next_deadline() const override {
    MutexLock lock(feed_->mutex_);
    return feed_->later_.empty() ? Instant::max() : feed_->later_.front().first;
  }
  [[nodiscard]] bool is_created_later() const override { return is_created_later_; }

 private:
  std::shared_ptr<Feed> feed_;
  const bool is_created_later_;
};

// Records all calls of one exchange. Thread-safe.
class Recorder final : public ExchangeHandler {
 public:
  explicit Recorder(Executor& executor) : executor_(executor), mutex_(executor), changed_(executor) {}

  void on_head(const ResponseHead& head) override {
    MutexLock lock(mutex_);
    ++heads_;
    head_ = head;
    changed_.notify_all();
  }
  void on_body(std::string_view chunk) override {
    MutexLock lock(mutex_);
    body_ += chunk;
    largest_chunk_ = std::max(largest_chunk_, chunk.size());
    changed_.notify_all();
  }
  void on_end(Result<void> result) override {
    MutexLock lock(mutex_);
    ++ends_;
    end_ = std::move(result);
    ended_at_ = executor_.now();
    changed_.notify_all();
  }

  Result<void> wait_for_end() {
    MutexLock lock(mutex_);
    while (!end_.has_value()) changed_.wait(mutex_);
    return *end_;
  }
  // Returns once at least this many bytes have arrived, or at the end.
  std::string wait_for_body(std::size_t size) {
    MutexLock lock(mutex_);
    while (body_.size() < size && !end_.has_value()) changed_.wait(mutex_);
    return body_;
  }
  void wait_for_head() {
    MutexLock lock(mutex_);
    while (heads_ == 0 && !end_.has_value()) changed_.wait(mutex_);
  }
  [[nodiscard]] bool ended() {
    MutexLock lock(mutex_);
    return end_.has_value();
  }

  // The following functions are for use after the end.
  [[nodiscard]] ErrorCode code() {
    const Result<void> end = wait_for_end();
    return end ? ErrorCode::unknown : end.error().code;
  }
  [[nodiscard]] ResponseHead head() {
    MutexLock lock(mutex_);
    return head_;
  }
  [[nodiscard]] std::string body() {
    MutexLock lock(mutex_);
    return body_;
  }
  [[nodiscard]] int heads() {
    MutexLock lock(mutex_);
    return heads_;
  }
  [[nodiscard]] int ends() {
    MutexLock lock(mutex_);
    return ends_;
  }
  [[nodiscard]] std::size_t largest_chunk() {
    MutexLock lock(mutex_);
    return largest_chunk_;
  }
  [[nodiscard]] Instant ended_at() {
    MutexLock lock(mutex_);
    return ended_at_;
  }

 private:
  Executor& executor_;
  Mutex mutex_;
  CondVar changed_;
  int heads_ PINTLE_GUARDED_BY(mutex_) = 0;
  int ends_ PINTLE_GUARDED_BY(mutex_) = 0;
  ResponseHead head_ PINTLE_GUARDED_BY(mutex_);
  std::string body_ PINTLE_GUARDED_BY(mutex_);
  std::size_t largest_chunk_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::optional<Result<void>> end_ PINTLE_GUARDED_BY(mutex_);
  Instant ended_at_ PINTLE_GUARDED_BY(mutex_){};
};

// Runs `body` on simulated executors with the seeds 1 to `seeds`.
inline void on_seeds(std::uint64_t seeds, const std::function<void(Executor&)>& body) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    body(executor);
  }
}

// Runs `body` on the real executor, then on simulated ones with 200 seeds.
inline void on_both_executors(const std::function<void(Executor&)>& body) {
  const auto real = make_real_executor();
  body(*real);
  on_seeds(200, body);
}

// A one-shot gate between threads of an executor. Thread-safe.
class Gate {
 public:
  explicit Gate(Executor& executor) : mutex_(executor), changed_(executor) {}
  void open() {
    MutexLock lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait() {
    MutexLock lock(mutex_);
    while (!open_) changed_.wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool open_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle::http
