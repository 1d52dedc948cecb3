// SPDX-License-Identifier: Apache-2.0
// ReadPace: how often a stream reads its socket. A Go server sends a large response in records of 4 KiB, and a wake-up
// for each of them costs more than the record.
#pragma once

#include <chrono>
#include <cstddef>

#include <pintle/base/time.hpp>

namespace pintle::http {

// While data arrives fast, the stream gathers: it reads when `size` bytes have arrived or `wait` has passed. The last
// part of a response is late by that time, which the poller rounds up to whole milliseconds. Single events of a watch
// are read at once.
class ReadPace {
 public:
  static constexpr std::size_t size = 64 << 10;
  static constexpr Duration wait = std::chrono::milliseconds(1);

  [[nodiscard]] bool gathers() const noexcept { return gathers_; }

  // Call it when everything has been read: `bytes` since the last call. Returns gathers().
  bool after_read(std::size_t bytes, Instant now) noexcept {
    const bool is_burst = now - last_ <= wait;
    last_ = now;
    burst_ = is_burst && !gathers_ ? burst_ + bytes : bytes;
    gathers_ = burst_ >= (gathers_ ? min_bytes : size);
    return gathers_;
  }

 private:
  static constexpr std::size_t min_bytes = size / 4;  // with less, gathering saves little

  bool gathers_ = false;
  std::size_t burst_ = 0;  // bytes that arrived with pauses of at most `wait`; while it gathers, those of the last read
  Instant last_{};
};

}  // namespace pintle::http
