// SPDX-License-Identifier: Apache-2.0
// Warnings: logs the warnings in the responses of an API server, for example about deprecated versions and unknown
// fields.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

// Returns the texts with code 299 of a Warning header (RFC 7234, section 5.5). Parsing ends at the first malformed
// part.
[[nodiscard]] std::vector<std::string> parse_warnings(std::string_view header);

// Logs each text once. After `limit` texts it logs that further texts are not logged, and stops. Thread-safe.
class Warnings {
 public:
  explicit Warnings(Executor& executor, Log log, std::size_t limit = 256);

  void note(const http::Headers& headers);

 private:
  enum class Verdict { known, fresh, last };
  [[nodiscard]] Verdict judge(const std::string& text);

  const Log log_;
  const std::size_t limit_;
  Mutex mutex_;
  std::set<std::string, std::less<>> seen_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
