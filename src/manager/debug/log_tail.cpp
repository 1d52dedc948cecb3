// SPDX-License-Identifier: Apache-2.0
#include "log_tail.hpp"

#include <algorithm>

#include <pintle/base/utf8.hpp>

namespace pintle {
namespace {

std::string kept(std::string_view text) { return std::string(truncate_utf8(text, LogTail::max_text)); }

json::Value value_of(const LogValue& value) {
  if (const std::string* text = value.as_string()) return json::Value(kept(*text));
  if (const std::int64_t* number = value.as_integer()) return *number;
  if (const double* number = value.as_double()) return *number;
  return *value.as_bool();
}

}  // namespace

bool LogTail::Filter::accepts(const LogLine& line) const {
  if (line.level < level) return false;
  if (search.empty() || line.message.find(search) != std::string::npos) return true;
  return std::any_of(line.fields.begin(), line.fields.end(), [this](const auto& field) {
    const auto* text = field.value().if_string();
    return text != nullptr && std::string_view(*text).find(search) != std::string_view::npos;
  });
}

void LogTail::write(const LogRecord& record) {
  auto line =
      std::make_shared<LogLine>(LogLine{.time = record.time, .level = record.level, .message = kept(record.message)});
  if (record.context != nullptr) {
    for (const LogField& field : *record.context) line->fields[field.name] = value_of(field.value);
  }
  for (const LogField& field : record.fields) line->fields[field.name] = value_of(field.value);
  {
    const MutexLock lock(mutex_);
    line->id = ++last_id_;
    lines_.push_back(std::move(line));
    if (lines_.size() > max_lines) lines_.pop_front();
  }
  next_->write(record);
}

std::vector<LogTail::Line> LogTail::newest(const Filter& filter, std::size_t count) const {
  const MutexLock lock(mutex_);
  std::vector<Line> found;
  for (auto at = lines_.rbegin(); at != lines_.rend() && found.size() < count; ++at) {
    if (filter.accepts(**at)) found.push_back(*at);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<LogTail::Line> LogTail::after(std::uint64_t id) const {
  const MutexLock lock(mutex_);
  const std::uint64_t count = std::min<std::uint64_t>(last_id_ - std::min(id, last_id_), lines_.size());
  return {lines_.end() - static_cast<std::ptrdiff_t>(count), lines_.end()};
}

std::uint64_t LogTail::last_id() const {
  const MutexLock lock(mutex_);
  return last_id_;
}

}  // namespace pintle
