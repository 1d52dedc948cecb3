// SPDX-License-Identifier: Apache-2.0
#include "amounts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <pintle/base/result.hpp>

namespace pintle::apiserver {
namespace {

using json::View;

void raise_to(Amounts& highest, const Amounts& amounts) {
  for (const auto& [name, amount] : amounts) {
    const auto [found, is_new] = highest.emplace(name, amount);
    if (!is_new) found->second = std::max(found->second, amount);
  }
}

}  // namespace

Amounts amounts_of(View list) {
  Amounts out;
  for (const auto [name, amount] : list.members()) {
    if (auto parsed = Quantity::from_json(amount)) out.emplace(name, *parsed);
  }
  return out;
}

void add_to(Amounts& sum, const Amounts& amounts) {
  for (const auto& [name, amount] : amounts) sum[name] += amount;
}

ContainerAmounts amounts_of_container(View container) {
  return {.requests = amounts_of(container["/resources/requests"]),
          .limits = amounts_of(container["/resources/limits"])};
}

// The containers of a Pod run at the same time, and its init containers one after the other before them. An init
// container that restarts always runs beside all that follow.
ContainerAmounts amounts_of_pod(View pod) {
  ContainerAmounts running;
  ContainerAmounts highest;
  for (const View container : pod["/spec/initContainers"].elements()) {
    ContainerAmounts now = amounts_of_container(container);
    if (container.member("restartPolicy") == "Always") {
      add_to(running.requests, now.requests);
      add_to(running.limits, now.limits);
      now = running;
    } else {
      add_to(now.requests, running.requests);
      add_to(now.limits, running.limits);
    }
    raise_to(highest.requests, now.requests);
    raise_to(highest.limits, now.limits);
  }
  for (const View container : pod["/spec/containers"].elements()) {
    const ContainerAmounts own = amounts_of_container(container);
    add_to(running.requests, own.requests);
    add_to(running.limits, own.limits);
  }
  raise_to(highest.requests, running.requests);
  raise_to(highest.limits, running.limits);
  return highest;
}

std::string print_amounts(const Amounts& amounts) {
  std::string out;
  for (const auto& [name, amount] : amounts) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", name, amount.to_string());
  }
  return out;
}

}  // namespace pintle::apiserver
