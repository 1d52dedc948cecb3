// Warnings that an API server sends with its answers: deprecated versions, unknown fields.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

// The texts of a Warning header (RFC 7234 5.5) with code 299; malformed parts are left out.
[[nodiscard]] std::vector<std::string> parse_warnings(std::string_view header);

// Logs each text once. After `limit` texts no new one is logged, which is said once. Thread-safe.
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
