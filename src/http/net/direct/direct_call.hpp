// SPDX-License-Identifier: Apache-2.0
// DirectCall: a request whose caller waits for the whole response. The calling thread does the input and output itself,
// which saves two changes of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <pintle/base/mutex.hpp>
#include <pintle/http/transport.hpp>

#include "connecting.hpp"
#include "round_trip.hpp"

namespace pintle::http {

// The part of a call that other threads use. Thread-safe.
class CallState {
 public:
  explicit CallState(Executor& executor) : mutex_(executor), changed_(executor) {}

  // Ends the call with the error `cancelled`.
  void interrupt();
  [[nodiscard]] bool is_interrupted() const;

  // Provides the connection that the call waits for. Returns it if the call does not wait any more.
  [[nodiscard]] std::optional<Connected> deliver(Result<Connected> connected);
  // Waits for deliver() until `deadline`. Returns nothing at the deadline and after interrupt().
  [[nodiscard]] std::optional<Result<Connected>> wait_for_connection(Instant deadline);

  // interrupt() also interrupts the wire until it is detached. attach() returns false after interrupt().
  [[nodiscard]] bool attach(const Wire& wire);
  void detach();

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  bool interrupted_ PINTLE_GUARDED_BY(mutex_) = false;
  bool abandoned_ PINTLE_GUARDED_BY(mutex_) = false;
  const Wire* wire_ PINTLE_GUARDED_BY(mutex_) = nullptr;
  std::optional<Result<Connected>> connected_ PINTLE_GUARDED_BY(mutex_);
};

// Used by one thread.
class DirectCall final : private ResponseParser::Sink {
 public:
  struct Network {
    Executor& executor;
    ConnectionPool& pool;
    Duration connect_timeout{};
    // Opens a connection and delivers it.
    std::function<void(const std::shared_ptr<CallState>&)> connect;
    // Keeps a connection for another request.
    std::function<void(ConnectionPool::Connection)> keep;
  };

  DirectCall(const Network& network, const Request& request, std::shared_ptr<CallState> state, std::size_t limit);

  [[nodiscard]] Result<BufferedResponse> run();

 private:
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view chunk) override;

  [[nodiscard]] Result<Connected> connect(bool from_pool);
  [[nodiscard]] Result<void> carry_out(RoundTrip& trip);
  [[nodiscard]] Result<void> proceed(RoundTrip& trip, std::span<char> buffer);
  [[nodiscard]] Result<void> wait(const RoundTrip& trip, short events) const;
  [[nodiscard]] Result<void> check_time() const;
  [[nodiscard]] Result<void> failed(RoundTrip& trip, CURLcode code) const;

  const Network& network_;
  const Request& request_;
  const std::shared_ptr<CallState> state_;
  const std::size_t limit_;
  const Instant begun_;
  const Instant end_;
  Instant last_data_;
  BufferedResponse response_;
  bool has_head_ = false;
  bool is_too_large_ = false;
};

}  // namespace pintle::http
