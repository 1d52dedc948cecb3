// AnswerReader: reads what a server answers to a write straight into the pool of a copy.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/reflector.hpp>

namespace pintle {

// For a copy in a pool that keeps all of its objects but managedFields; for any other it reads nothing, since whoever
// writes is answered with the whole object. Thread-safe.
class AnswerReader {
 public:
  AnswerReader(Executor& executor, const ReflectorOptions& options);

  // The object as the copy keeps it. Error: invalid for what is none.
  [[nodiscard]] std::optional<Result<Object>> read(std::string_view answer);
  // Whether it is as the copy keeps it, so that nothing of it has to be read or built again.
  [[nodiscard]] bool is_kept(const Object& object) const;

 private:
  [[nodiscard]] json::Reader take();
  void put_back(json::Reader reader, std::size_t length);

  const json::ReaderOptions options_;
  const bool keeps_whole_;

  Mutex mutex_;
  std::vector<json::Reader> spare_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
