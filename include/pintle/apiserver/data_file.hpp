// SPDX-License-Identifier: Apache-2.0
// DataFile: the file in which an ApiServer keeps its objects, so that they exist after a restart.
#pragma once

#include <memory>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

/// An open file with the objects of an ApiServer, their resourceVersions and uids, and the newest resourceVersion of
/// the server. The file is a SQLite database with a write-ahead log (PATH-wal beside it). An acknowledged write
/// survives the end of the process at any time. The database uses synchronous=NORMAL: after a power failure, the newest
/// writes may be missing, but the file is consistent.
///
/// A write that cannot be kept, for example because the disk is full, is refused with status 500 and has no effect.
///
/// Pass it to one ApiServer, as ApiServerOptions::data. No other process can open the file while it is in use.
class PINTLE_EXPORT DataFile {
 public:
  /// Opens or creates a file and reads its objects. `executor` must outlive the server. Errors, with the path:
  /// unavailable if another process uses the file, unsupported if it is not a data file or has another format version,
  /// invalid if it is damaged or cannot be read or written.
  [[nodiscard]] static Result<std::shared_ptr<DataFile>> open(Executor& executor, const std::string& path);

  ~DataFile();
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;

 private:
  friend class ApiServer;
  class Content;
  explicit DataFile(std::unique_ptr<Content> content) noexcept;

  std::unique_ptr<Content> content_;
};

}  // namespace pintle
