// SPDX-License-Identifier: Apache-2.0
// The table of `pintle top`.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/terminal.hpp>
#include <pintle/base/utf8.hpp>

#include "terminal/json_members.hpp"
#include "terminal/top.hpp"

namespace pintle::tools {
namespace {

using Row = std::vector<std::string>;

// A table whose columns are as wide as their longest cell. The last column is on the left, and so are the first two.
std::vector<std::string> lines_of(const std::vector<Row>& rows, std::size_t left_columns) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::vector<std::string> lines;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_left = i < left_columns || i + 1 == widths.size();
      line += (i == 0 ? "" : "  ") +
              (is_left ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("{:>{}}", row[i], widths[i]));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 4> units{"B", "kB", "MB", "GB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 10 ? 0 : 1, units.at(unit));
}

std::string count_text(const json::Value& value, std::string_view name) {
  return fmt::format("{:.0f}", number_of(value, name));
}

std::string age_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f}s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f}m", seconds / 60);
  return fmt::format("{:.0f}h", seconds / 3600);
}

double age_of(const json::Value& about, std::string_view since) {
  const auto now = parse_time(text_of(about, "now"));
  const auto then = parse_time(text_of(about, since));
  return now && then ? std::chrono::duration<double>(*now - *then).count() : 0;
}

double total_of(const json::Value& controller) {
  const json::Value& outcomes = member_of(controller, "reconciles");
  double sum = 0;
  for (const char* outcome : {"success", "requeue", "requeueAfter", "error"}) sum += number_of(outcomes, outcome);
  return sum;
}

std::string rate_text(double now, double before, Duration between) {
  const double seconds = std::chrono::duration<double>(between).count();
  return seconds <= 0 || now < before ? "-" : fmt::format("{:.1f}", (now - before) / seconds);
}

// Returns the controller with this name in an earlier state; null if there is none.
const json::Value* earlier(const TopState* before, const std::string& name) {
  if (before == nullptr) return nullptr;
  for (const json::Value& one : list_of(before->controllers, "items")) {
    if (text_of(one, "name") == name) return &one;
  }
  return nullptr;
}

std::string election_text(const json::Value& about) {
  const json::Value& election = member_of(about, "election");
  if (!election.is_object()) return "no election";
  const json::Value& leading = member_of(election, "leading");
  if (leading.is_bool() && leading.get_bool()) return "leads";
  const std::string leader = text_of(election, "leader");
  return leader.empty() ? "stands by, no leader" : "stands by, leader " + leader;
}

std::string head_text(const json::Value& about, const std::string& title) {
  const json::Value& ready = member_of(about, "ready");
  return fmt::format("{} {}  {}  {}  up {}  {}  {}", text_of(about, "name"), text_of(about, "version"),
                     ready.is_bool() && ready.get_bool() ? "ready" : "not ready", election_text(about),
                     age_text(age_of(about, "startedAt")), bytes_text(number_of(about, "memoryBytes")), title);
}

std::vector<Row> controller_rows(const TopState& now, const TopState* before) {
  std::vector<Row> rows{
      {"CONTROLLER", "KIND", "OBJECTS", "WORKING", "WAITING", "DELAYED", "PER SECOND", "ERRORS/S", "LAST ERROR"}};
  for (const json::Value& one : list_of(now.controllers, "items")) {
    const std::string name = text_of(one, "name");
    const json::Value* then = earlier(before, name);
    const double errors = number_of(member_of(one, "reconciles"), "error");
    std::string rate = "-";
    std::string error_rate = "-";
    if (then != nullptr) {
      const Duration between = now.at - before->at;
      rate = rate_text(total_of(one), total_of(*then), between);
      error_rate = rate_text(errors, number_of(member_of(*then, "reconciles"), "error"), between);
    }
    const json::Value& last = member_of(one, "lastError");
    rows.push_back({name, text_of(member_of(one, "kind"), "kind"), count_text(one, "objects"),
                    count_text(one, "working") + "/" + count_text(one, "workers"), count_text(one, "waiting"),
                    count_text(one, "delayed"), rate, error_rate,
                    last.is_object() ? text_of(last, "key") + ": " + text_of(last, "message") : ""});
  }
  return rows;
}

std::vector<Row> failing_rows(const TopState& now) {
  std::vector<Row> rows{{"NOT READY", "CONTROLLER", "FAILURES", "WHY"}};
  const json::array& controllers = list_of(now.controllers, "items");
  for (std::size_t i = 0; i < now.failing.size() && i < controllers.size(); ++i) {
    for (const json::Value& one : list_of(now.failing[i], "items")) {
      const std::string reason = text_of(one, "reason");
      std::string why = text_of(one, "error");
      if (why.empty()) why = reason + (reason.empty() ? "" : ": ") + text_of(one, "message");
      rows.push_back({text_of(one, "key"), text_of(controllers[i], "name"), count_text(one, "failures"), why});
    }
  }
  return rows;
}

std::vector<Row> cache_rows(const TopState& now) {
  std::vector<Row> rows{{"CACHE", "STATE", "OBJECTS", "MEMORY", "SILENT", ""}};
  for (const json::Value& one : list_of(now.caches, "items")) {
    const bool has_heard = member_of(one, "silentSeconds").is_number();
    rows.push_back({text_of(one, "title"), text_of(one, "state"), count_text(one, "objects"),
                    bytes_text(number_of(one, "bytes")), has_heard ? age_text(number_of(one, "silentSeconds")) : "-",
                    text_of(one, "detail")});
  }
  return rows;
}

// Cuts after a number of characters.
std::string cut(const std::string& line, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t shown = 0; at < line.size(); ++shown) {
    if (columns != 0 && shown == columns) return line.substr(0, at);
    at += std::max<std::size_t>(1, utf8_length(std::string_view(line).substr(at)));
  }
  return line;
}

}  // namespace

std::string top_text(const TopState& now, const TopState* before, const std::string& title, ScreenSize size) {
  std::vector<std::string> lines{head_text(now.about, title)};
  for (const json::Value& problem : list_of(now.about, "problems")) {
    if (problem.is_string()) lines.push_back("  " + std::string(problem.get_string()));
  }
  const auto add = [&](const std::vector<Row>& rows, std::size_t left_columns) {
    if (rows.size() == 1) return;
    lines.emplace_back();
    for (std::string& line : lines_of(rows, left_columns)) lines.push_back(std::move(line));
  };
  add(controller_rows(now, before), 2);
  add(failing_rows(now), 2);
  add(cache_rows(now), 2);
  if (size.rows != 0 && lines.size() > size.rows) {
    const std::size_t left = lines.size() - size.rows + 1;
    lines.resize(size.rows - 1);
    lines.push_back(fmt::format("{} more lines; use a larger terminal, or --once", left));
  }
  std::string text;
  for (const std::string& line : lines) text += cut(escape_for_terminal(line), size.columns) + "\n";
  return text;
}

}  // namespace pintle::tools
