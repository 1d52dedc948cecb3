// SPDX-License-Identifier: Apache-2.0
#include "response_reader.hpp"

#include <algorithm>
#include <utility>

#include "json/document/builder.hpp"
#include "json/document/recent_texts.hpp"

namespace pintle {
namespace {

constexpr std::string_view managed_fields = "/metadata/managedFields";

bool keeps_whole_objects(const ReflectorOptions& options) {
  const CacheProjection& projection = options.projection;
  const auto& drop = projection.projection.drop;
  return options.pool != nullptr && !options.metadata_only && !projection.transform &&
         projection.projection.keep.empty() &&
         std::all_of(drop.begin(), drop.end(), [](const std::string& path) { return path == managed_fields; });
}

std::string_view without_blanks(std::string_view text) { return text.substr(0, text.find_last_not_of(" \t\r\n") + 1); }

}  // namespace

ResponseReader::ResponseReader(Executor& executor, const ReflectorOptions& options)
    : options_{.pool = options.pool, .projection = options.projection.projection},
      form_(json::form_of(options_.projection)),
      keeps_whole_(keeps_whole_objects(options)),
      mutex_(executor) {}

std::optional<Result<Object>> ResponseReader::read(std::string_view response) {
  if (!keeps_whole_) return {};
  json::Reader reader = take();
  (void)reader.add(response);  // finish() returns the same error
  auto document = reader.finish();
  put_back(std::move(reader), response.size());
  // The watch event of the write will contain the same text.
  if (document) json::Builder::recent(*options_.pool).add(without_blanks(response), form_, *document);
  return Object::from(std::move(document));
}

bool ResponseReader::is_kept(const Object& object) const {
  return keeps_whole_ && object.is_in(*options_.pool) &&
         (options_.projection.drop.empty() || !object[managed_fields].exists());
}

json::Reader ResponseReader::take() {
  const MutexLock lock(mutex_);
  if (spare_.empty()) return json::Reader(options_);
  json::Reader reader = std::move(spare_.back());
  spare_.pop_back();
  return reader;
}

// Making a reader takes as long as parsing a small object, so readers are reused. A reader that has parsed a long text
// occupies much memory and is dropped.
void ResponseReader::put_back(json::Reader reader, std::size_t length) {
  constexpr std::size_t max_spare_readers = 4;
  constexpr std::size_t max_length = std::size_t{64} << 10U;  // bytes
  const MutexLock lock(mutex_);
  if (spare_.size() < max_spare_readers && length <= max_length) spare_.push_back(std::move(reader));
}

}  // namespace pintle
