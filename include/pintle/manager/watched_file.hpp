// SPDX-License-Identifier: Apache-2.0
// WatchedFile: a file, such as a mounted ConfigMap or Secret, whose changes an operator follows while it runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/required.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/manager/runnable.hpp>

namespace pintle {

struct WatchedFile {
  Required<std::string> path;
  /// Receives the content: once at the beginning, and after each change. Called on a thread of its own, never twice at
  /// the same time. If it returns an error or throws, this is logged, and it is called again at the next check.
  Required<std::function<Result<void>(const std::string& content)>> on_change;
  /// Time between two checks; changes are usually found at once. Below 10 ms, the runnable returns an error.
  Duration period = std::chrono::seconds(10);
  std::size_t max_size = std::size_t{1} << 20U;  ///< in bytes; a larger file counts as unreadable
  Leadership leadership = Leadership::every_instance;
};

/// Returns the runnable that follows the file, for Manager::add(). The folder of the file is watched, also if the file
/// is a link to a folder that is replaced, as in mounted ConfigMaps. While the file cannot be read, this is logged once
/// for each cause, and the last content, if any, remains in use. Log lines contain the path and never the content.
[[nodiscard]] PINTLE_EXPORT Runnable watch_file(WatchedFile file);

}  // namespace pintle
