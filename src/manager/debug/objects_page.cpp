// SPDX-License-Identifier: Apache-2.0
#include "objects_page.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace pintle {
namespace {

struct Row {
  unsigned failures = 0;
  Readiness::State state = Readiness::State::unknown;
  ObjectKey key{};
  Object object{};
  const QueueEntry* entry = nullptr;

  [[nodiscard]] bool needs_attention() const { return failures != 0 || state == Readiness::State::not_ready; }
  friend bool operator<(const Row& a, const Row& b) {
    const auto rank = [](const Row& row) { return row.failures != 0 ? 0 : row.needs_attention() ? 1 : 2; };
    return std::tuple(rank(a), std::cref(a.key)) < std::tuple(rank(b), std::cref(b.key));
  }
};

json::object row_value(const ControllerRunner& controller, const Row& row, const ReconcileHistory& history,
                       const Moment& moment) {
  json::object value{{"key", row.key.to_string()}};
  set_readiness(value, readiness_of(row.object));
  value["paused"] = controller.is_paused(row.object);
  value["deleting"] = row.object.is_deleting();
  value["failures"] = row.failures;
  if (row.failures != 0) set_text(value, "error", history.last_error(controller.spec().name, row.key));
  if (row.entry != nullptr && row.entry->due) value["due"] = moment.text_of(*row.entry->due);
  return value;
}

}  // namespace

json::Value objects_value(const ControllerRunner& controller, const ObjectsFilter& filter,
                          const ReconcileHistory& history, const Moment& moment) {
  const QueuePart queue = controller.queue({.limit = std::numeric_limits<std::size_t>::max()});
  std::map<ObjectKey, const QueueEntry*> entries;
  for (const QueueEntry& entry : queue.entries) entries.emplace(entry.key, &entry);

  const ObjectRange all = controller.objects();
  std::size_t not_ready = 0;
  std::vector<Row> rows;
  for (const Object& object : all) {
    Row row{.state = readiness_of(object).state, .key = object.key(), .object = object};
    if (row.state == Readiness::State::not_ready) ++not_ready;
    if (const auto found = entries.find(row.key); found != entries.end()) {
      row.entry = found->second;
      row.failures = row.entry->failures;
    }
    if (filter.is_not_ready && !row.needs_attention()) continue;
    if (row.key.to_string().find(filter.search) == std::string::npos) continue;
    rows.push_back(std::move(row));
  }
  const std::size_t count = std::min(filter.limit, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end());
  json::array items;
  for (std::size_t i = 0; i < count; ++i) items.emplace_back(row_value(controller, rows[i], history, moment));
  return json::object{
      {"total", all.size()}, {"notReady", not_ready}, {"matching", rows.size()}, {"items", std::move(items)}};
}

}  // namespace pintle
