// SPDX-License-Identifier: Apache-2.0
#include "debug_stream.hpp"

#include <chrono>
#include <cstddef>
#include <utility>

#include <pintle/base/utf8.hpp>

#include "debug_values.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr Duration period = 250ms;
constexpr Duration period_of_controllers = 1s;
constexpr std::size_t max_events = 25;  // of one kind in one period

void add_event(std::string& out, std::string_view name, const json::Value& data) {
  std::string text = json::print(data);
  sanitize_utf8_in_place(text);
  out.append("event: ").append(name).append("\ndata: ").append(text).append("\n\n");
}

// Adds the newest events, and one about those that are left out.
void add_events(std::string& out, std::string_view name, const std::vector<json::Value>& all, std::size_t lost) {
  const std::size_t first = all.size() > max_events ? all.size() - max_events : 0;
  if (first + lost != 0) add_event(out, "gap", json::object{{"dropped", first + lost}});
  for (std::size_t i = first; i < all.size(); ++i) add_event(out, name, all[i]);
}

}  // namespace

DebugStream::DebugStream(Sources sources, Options options, std::shared_ptr<std::atomic<int>> open)
    : sources_(std::move(sources)),
      options_(std::move(options)),
      open_(std::move(open)),
      last_reconcile_(sources_.history.last_id()),
      last_line_(sources_.log.last_id()) {}

DebugStream::~DebugStream() { --*open_; }

bool DebugStream::wants(std::string_view event) const {
  return options_.events.empty() || options_.events.contains(event);
}

http::BodyStream::State DebugStream::read(std::string& out) {
  const Instant now = sources_.executor.now();
  if (now < next_) return State::waiting;
  next_ = now + period;
  if (wants("controllers") && now >= next_controllers_) {
    next_controllers_ = now + period_of_controllers;
    add_event(out, "controllers", sources_.controllers());
  }
  if (wants("reconcile")) add_reconciles(out);
  if (wants("log")) add_lines(out);
  return State::waiting;
}

void DebugStream::add_reconciles(std::string& out) {
  std::vector<json::Value> events;
  const auto records = sources_.history.after(last_reconcile_);
  // The history may have dropped records before this read.
  const std::size_t lost = records.empty() ? 0 : records.back()->id - last_reconcile_ - records.size();
  for (const auto& record : records) {
    last_reconcile_ = record->id;
    if (options_.reconciles.accepts(*record)) events.emplace_back(reconcile_value(*record));
  }
  const bool is_all = options_.reconciles.controller.empty() && !options_.reconciles.key;
  add_events(out, "reconcile", events, is_all ? lost : 0);
}

void DebugStream::add_lines(std::string& out) {
  std::vector<json::Value> events;
  const auto lines = sources_.log.after(last_line_);
  const std::size_t lost = lines.empty() ? 0 : lines.front()->id - last_line_ - 1;
  for (const auto& line : lines) {
    last_line_ = line->id;
    events.emplace_back(line_value(*line));
  }
  add_events(out, "log", events, lost);
}

}  // namespace pintle
