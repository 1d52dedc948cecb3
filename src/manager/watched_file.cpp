// SPDX-License-Identifier: Apache-2.0
#include <pintle/manager/watched_file.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/file.hpp>

#include "base/folder_watch.hpp"

namespace pintle {
namespace {

namespace fs = std::filesystem;

constexpr Duration min_period = std::chrono::milliseconds(10);

class Follower {
 public:
  explicit Follower(const WatchedFile& file) : file_(file), path_(file.path.value()) {}

  Result<void> run(const RunnableContext& context) {
    // Checks without a pause would occupy a processor.
    if (file_.period < min_period) {
      return fail(ErrorCode::invalid,
                  "the watched file " + path_ + " has .period below 10ms; set a longer time or omit it");
    }
    const fs::path folder = fs::path(path_).parent_path();
    FolderWatch folders(context.executor, {folder.empty() ? "." : folder.string()});
    do {
      note(check(), context.log);
    } while (folders.wait(file_.period, context.stop));
    return {};
  }

 private:
  Result<void> check() {
    std::error_code error;
    const auto size = fs::file_size(path_, error);
    // Reading a pipe would block.
    if (error) return fail(ErrorCode::invalid, path_ + ": " + error.message());
    if (size > file_.max_size) {
      return fail(ErrorCode::invalid,
                  path_ + " has " + std::to_string(size) + " bytes; the limit is " + std::to_string(file_.max_size));
    }
    auto content = read_file(path_);
    if (!content) return fail(std::move(content.error()));
    if (accepted_ == *content) return {};
    auto used = call(*content);
    if (used) accepted_ = std::move(*content);
    return used;
  }

  Result<void> call(const std::string& content) const {
    try {
      return file_.on_change.value()(content);
    } catch (...) {
      return fail(ErrorCode::invalid, "the function for changes of " + path_ + " threw " + describe_exception());
    }
  }

  void note(const Result<void>& done, const Log& log) {
    const std::string error = done ? "" : done.error().to_string();
    if (!error.empty() && error != logged_) {
      log.warning(accepted_ ? "a file cannot be used; the last content remains in use"
                            : "a file cannot be used; it is read again until it can",
                  {{"file", path_}, {"error", error}});
    }
    logged_ = error;
  }

  const WatchedFile file_;
  const std::string path_;
  std::optional<std::string> accepted_;
  std::string logged_;
};

}  // namespace

Runnable watch_file(WatchedFile file) {
  const std::string name = "file " + file.path.value();
  const Leadership leadership = file.leadership;
  return {.name = name,
          .body = [file = std::move(file)](const RunnableContext& context) { return Follower(file).run(context); },
          .leadership = leadership};
}

}  // namespace pintle
