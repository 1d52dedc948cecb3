// SPDX-License-Identifier: Apache-2.0
#include "doctor/checks/checks.hpp"

#include <algorithm>

namespace pintle::doctor {
namespace {

struct Check {
  const char* name;
  void (*run)(const CheckInput&, Lines&);
};

// In the order of the output.
constexpr Check all_checks[] = {
    {"server", check_server},     {"version", check_version},
    {"clock", check_clock},       {"api-services", check_api_services},
    {"crds", check_crds},         {"roles", check_roles},
    {"operator", check_operator}, {"leases", check_leases},
    {"webhooks", check_webhooks}, {"finalizers", check_finalizers},
    {"ready", check_ready},       {"hot-keys", check_hot_keys},
};

bool is_fail(const Line& line) { return line.state == LineState::fail; }

}  // namespace

std::vector<Line> run_checks(const CheckInput& input) {
  std::vector<Line> all;
  for (const Check& check : all_checks) {
    Lines lines(check.name);
    check.run(input, lines);
    all.insert(all.end(), lines.all().begin(), lines.all().end());
    if (check.run == check_server && std::ranges::any_of(all, is_fail)) break;
  }
  return all;
}

}  // namespace pintle::doctor
