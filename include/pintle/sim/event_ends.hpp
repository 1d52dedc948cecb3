// SPDX-License-Identifier: Apache-2.0
// EventEnds: finds the ends of the events in the body of a watch.
#pragma once

#include <cstdint>

namespace pintle::http {

/// Events are lines of JSON, or frames that begin with their size in four bytes, of which the first is small. A plain
/// value.
class EventEnds {
 public:
  /// Takes the next byte of the body. Returns whether an event ends with it.
  [[nodiscard]] bool take(char c) noexcept {
    constexpr unsigned max_first_byte = 8;  // of a frame; the bytes of text are greater
    const unsigned byte = static_cast<unsigned char>(c);
    if (is_first_) is_framed_ = byte <= max_first_byte;
    is_first_ = false;
    if (!is_framed_) return c == '\n';
    if (head_ < 4) {
      left_ = left_ << 8U | byte;
      ++head_;
    } else {
      --left_;
    }
    if (head_ < 4 || left_ != 0) return false;
    head_ = 0;
    return true;
  }

 private:
  bool is_first_ = true;
  bool is_framed_ = false;
  unsigned head_ = 0;       // bytes of the size that have arrived
  std::uint32_t left_ = 0;  // bytes of the frame that follow
};

}  // namespace pintle::http
