// SPDX-License-Identifier: Apache-2.0
#include <pintle/apiserver/data_file.hpp>

#include <utility>

#include "data_content.hpp"
#include "storage/sqlite_journal.hpp"

namespace pintle {

DataFile::DataFile(std::unique_ptr<Content> content) noexcept : content_(std::move(content)) {}

DataFile::~DataFile() = default;

Result<std::shared_ptr<DataFile>> DataFile::open(Executor& executor, const std::string& path) {
  auto kept = apiserver::open_sqlite_journal(executor, path);
  if (!kept) return fail(std::move(kept.error()));
  return std::shared_ptr<DataFile>(new DataFile(std::make_unique<Content>(Content{.kept = std::move(*kept)})));
}

}  // namespace pintle
