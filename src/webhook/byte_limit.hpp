// SPDX-License-Identifier: Apache-2.0
// ByteLimit: bounds the bytes of all requests in progress.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace pintle {

// Thread-safe.
class ByteLimit {
 public:
  explicit ByteLimit(std::size_t limit) : limit_(limit) {}

  // Counts these bytes until the last copy of the result is destroyed. Returns null if they would exceed the limit.
  [[nodiscard]] std::shared_ptr<const void> take(std::size_t bytes) {
    std::shared_ptr<const void> taken(used_.get(), [used = used_, bytes](const void*) { *used -= bytes; });
    return (*used_ += bytes) <= limit_ ? taken : nullptr;
  }

 private:
  const std::size_t limit_;
  const std::shared_ptr<std::atomic<std::size_t>> used_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace pintle
