// SPDX-License-Identifier: Apache-2.0
// ProgressSink: a log on a terminal whose last line may show how far something is.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle {

// Thread-safe.
class ProgressSink final : public LogSink {
 public:
  using Print = std::function<void(std::string_view text)>;

  // `print` writes to the terminal to which `inner` writes its lines.
  ProgressSink(Executor& executor, std::shared_ptr<LogSink> inner, Print print);

  // Shows a text without control characters in place of the last one.
  void show(std::string_view text);
  void hide();
  // Removes the text first, so that the line is not appended to it.
  void write(const LogRecord& record) override;

 private:
  void remove() PINTLE_REQUIRES(mutex_);

  const std::shared_ptr<LogSink> inner_;
  const Print print_;
  Mutex mutex_;
  bool is_shown_ PINTLE_GUARDED_BY(mutex_) = false;
};

// Returns a sink that writes to standard error, or null if that is no terminal.
[[nodiscard]] std::shared_ptr<ProgressSink> make_progress_sink(Executor& executor, std::shared_ptr<LogSink> inner);

}  // namespace pintle
