// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <pintle/testing/simulate.hpp>

namespace pintle::testkit {
namespace {

constexpr std::array<std::pair<Oracle, std::string_view>, 17> names{{{Oracle::runs, "runs"},
                                                                     {Oracle::nothing_foreign, "nothing_foreign"},
                                                                     {Oracle::lease_held, "lease_held"},
                                                                     {Oracle::one_worker, "one_worker"},
                                                                     {Oracle::no_blind_retry, "no_blind_retry"},
                                                                     {Oracle::nothing_dropped, "nothing_dropped"},
                                                                     {Oracle::roles_suffice, "roles_suffice"},
                                                                     {Oracle::bounded_work, "bounded_work"},
                                                                     {Oracle::honest_status, "honest_status"},
                                                                     {Oracle::becomes_idle, "becomes_idle"},
                                                                     {Oracle::same_state, "same_state"},
                                                                     {Oracle::invariants, "invariants"},
                                                                     {Oracle::returns, "returns"},
                                                                     {Oracle::matches_spec, "matches_spec"},
                                                                     {Oracle::stays_idle, "stays_idle"},
                                                                     {Oracle::nothing_left, "nothing_left"},
                                                                     {Oracle::status_is_current, "status_is_current"}}};

}  // namespace

std::vector<Oracle> all_oracles() {
  std::vector<Oracle> all;
  for (const auto& [oracle, name] : names) all.push_back(oracle);
  return all;
}

std::string_view to_string(Oracle oracle) noexcept {
  for (const auto& [one, name] : names) {
    if (one == oracle) return name;
  }
  return "unknown";
}

std::string_view to_string(FaultClass fault) noexcept {
  switch (fault) {
    case FaultClass::crash: return "crash";
    case FaultClass::restart: return "restart";
    case FaultClass::freeze: return "freeze";
    case FaultClass::stale_reads: return "stale_reads";
    case FaultClass::lost_events: return "lost_events";
    case FaultClass::protocol: return "protocol";
    case FaultClass::election: return "election";
    case FaultClass::clock: return "clock";
    case FaultClass::outside: return "outside";
    case FaultClass::webhooks: return "webhooks";
  }
  return "unknown";
}

}  // namespace pintle::testkit
