// SPDX-License-Identifier: Apache-2.0
#include "doctor/report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <pintle/base/terminal.hpp>
#include <pintle/json/value.hpp>

namespace pintle::doctor {
namespace {

std::ptrdiff_t count(const std::vector<Line>& lines, LineState state) {
  return std::ranges::count(lines, state, &Line::state);
}

}  // namespace

int exit_code_of(const std::vector<Line>& lines) { return count(lines, LineState::fail) > 0 ? 1 : 0; }

std::string print_text(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) {
    text += fmt::format("{:<5} {:<12} {}: {}\n", to_string(line.state), line.check, escape_for_terminal(line.subject),
                        escape_for_terminal(line.detail));
    if (!line.action.empty()) text += fmt::format("{:<18} do: {}\n", "", escape_for_terminal(line.action));
  }
  return text + fmt::format("\n{} ok, {} warn, {} fail, {} skip\n", count(lines, LineState::ok),
                            count(lines, LineState::warn), count(lines, LineState::fail),
                            count(lines, LineState::skip));
}

std::string print_json(const std::vector<Line>& lines) {
  json::array all;
  for (const Line& line : lines) {
    json::object one{
        {"state", to_string(line.state)}, {"check", line.check}, {"subject", line.subject}, {"detail", line.detail}};
    if (!line.action.empty()) one["action"] = line.action;
    all.emplace_back(std::move(one));
  }
  json::object summary;
  for (const LineState state : {LineState::ok, LineState::warn, LineState::fail, LineState::skip}) {
    summary[to_string(state)] = count(lines, state);
  }
  return json::print_pretty(json::object{
             {"lines", std::move(all)}, {"summary", std::move(summary)}, {"exitCode", exit_code_of(lines)}}) +
         "\n";
}

}  // namespace pintle::doctor
