// SPDX-License-Identifier: Apache-2.0
// ResponseReader: parses the object in the response to a write into the pool of a cache.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/reflector.hpp>

namespace pintle {

// Works for a cache with a pool that keeps everything except managedFields. For any other cache it parses nothing,
// because a write must return the whole object to its caller. Thread-safe.
class ResponseReader {
 public:
  ResponseReader(Executor& executor, const ReflectorOptions& options);

  // Returns the object in the form that the cache keeps, or nothing (see above). Error: invalid if the response is not
  // an object.
  [[nodiscard]] std::optional<Result<Object>> read(std::string_view response);
  // Whether the object already has the form that the cache keeps.
  [[nodiscard]] bool is_kept(const Object& object) const;

 private:
  [[nodiscard]] json::Reader take();
  void put_back(json::Reader reader, std::size_t length);

  const json::ReaderOptions options_;
  const std::string form_;  // of the projection
  const bool keeps_whole_;

  Mutex mutex_;
  std::vector<json::Reader> spare_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
