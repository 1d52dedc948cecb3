// SPDX-License-Identifier: Apache-2.0
// Line: the result of one check for one thing in the cluster.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/error.hpp>

namespace pintle::doctor {

enum class LineState {
  ok,
  warn,  // works now, but needs a change
  fail,  // does not work
  skip,  // was not checked; the action makes the check possible
};
[[nodiscard]] std::string_view to_string(LineState state) noexcept;

struct Line {
  LineState state = LineState::ok;
  std::string check{};    // "crds"
  std::string subject{};  // the thing that was inspected: "CRD greetings.demo.pintle.dev"
  std::string detail{};   // the observed state, or the problem
  std::string action{};   // the command or edit that removes the problem; empty for ok

  friend bool operator==(const Line&, const Line&) = default;
};

// The permission that a check needs.
struct NeededRule {
  std::string group{};
  std::string resource{};
  std::string verb = "list";

  [[nodiscard]] std::string to_string() const;
};

// Collects the lines of one check.
class Lines {
 public:
  explicit Lines(std::string check) : check_(std::move(check)) {}

  void ok(std::string subject, std::string detail) { add(LineState::ok, std::move(subject), std::move(detail), {}); }
  // The line of a check that found no problem in any of these things.
  void ok_of_all(std::string subject, std::size_t count, const std::string& detail) {
    ok(std::move(subject), count == 0 ? "there are none" : "all " + std::to_string(count) + " " + detail);
  }
  void warn(std::string subject, std::string detail, std::string action) {
    add(LineState::warn, std::move(subject), std::move(detail), std::move(action));
  }
  void fail(std::string subject, std::string detail, std::string action) {
    add(LineState::fail, std::move(subject), std::move(detail), std::move(action));
  }
  void skip(std::string subject, std::string detail, std::string action) {
    add(LineState::skip, std::move(subject), std::move(detail), std::move(action));
  }
  void add(LineState state, std::string subject, std::string detail, std::string action) {
    lines_.push_back({state, check_, std::move(subject), std::move(detail), std::move(action)});
  }
  // Adds the line of a read that failed: skip if a permission is missing or the server does not have the kind,
  // otherwise fail.
  void unreadable(std::string subject, const Error& error, const NeededRule& needed);

  [[nodiscard]] const std::vector<Line>& all() const noexcept { return lines_; }
  [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }

 private:
  const std::string check_;
  std::vector<Line> lines_;
};

}  // namespace pintle::doctor
