// SPDX-License-Identifier: Apache-2.0
// Prints how simulate() finds each wrong operator, as a Markdown table. With arguments: only the operators of these
// names, each with its whole report.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "wrong_operators.hpp"

int main(int argc, char** argv) {
  using namespace pintle;
  const std::vector<std::string_view> names(argv + 1, argv + argc);
  int missed = 0;
  fmt::print(
      "| Operator | Oracle | Seeds until caught | Events | After shrinking | Seconds |\n|---|---|---|---|---|---|\n");
  for (const auto& one : wrong_operators::wrong_operators()) {
    if (!names.empty() && std::ranges::find(names, one.name) == names.end()) continue;
    const auto report = testkit::simulate(one.options, one.setup);
    const double seconds = std::chrono::duration<double>(report.real_time).count();
    if (!report.failure) {
      fmt::print("| {} | **not caught** | {} |  |  | {:.1f} |\n", one.name, report.trials, seconds);
      ++missed;
    } else {
      const bool is_expected = one.expected.contains(report.failure->oracle);
      if (!is_expected) ++missed;
      fmt::print("| {} | {}{} | {} | {} | {} | {:.1f} |\n", one.name, testkit::to_string(report.failure->oracle),
                 is_expected ? "" : " (**not expected**)", report.failure->seed, report.failure->events_before,
                 report.failure->events.size(), seconds);
    }
    if (!names.empty()) std::fputs(report.text().c_str(), stdout);
    std::fflush(stdout);
  }
  return missed == 0 ? 0 : 1;
}
