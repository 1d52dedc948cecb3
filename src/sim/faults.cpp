// SPDX-License-Identifier: Apache-2.0
#include "faults.hpp"

#include <utility>

namespace pintle::http {
namespace {

void add(Effects& effects, const Delay& delay) {
  (delay.after_commit ? effects.response_delay : effects.delay) += delay.duration;
}
void add(Effects& effects, const Crash& crash) {
  if (!effects.crash) effects.crash = crash;
}
void add(Effects& effects, const Drop& drop) {
  if (!effects.drop) effects.drop = drop;
}
void add(Effects& effects, const ErrorResponse& error_response) {
  if (!effects.error_response) effects.error_response = error_response;
}
void add(Effects& effects, const auto& of_the_body) { effects.body.add(of_the_body); }

}  // namespace

bool is_write(const Request& request) { return request.method != "GET" && request.method != "HEAD"; }

bool is_watch(const Request& request) {
  return request.method == "GET" && parse_target(request.target).parameter("watch").has_value();
}

bool is_list_or_get(const Request& request) { return request.method == "GET" && !is_watch(request); }

std::function<bool(const Request&)> requests(std::string_view method, std::string_view target_prefix) {
  return [method = std::string(method), prefix = std::string(target_prefix)](const Request& request) {
    return (method.empty() || request.method == method) && request.target.starts_with(prefix);
  };
}

Faults::Faults(Executor& executor, FaultPlan plan) : executor_(executor) { set(std::move(plan)); }

void Faults::set(FaultPlan plan) {
  plan_.clear();
  for (Fault& fault : plan) plan_.push_back({.fault = std::move(fault)});
}

Effects Faults::decide(const Request& request) {
  ++calls_;
  Effects effects;
  for (Armed& armed : plan_) {
    if (!armed.count.hits(armed.fault, request, [this] { return executor_.random(); })) continue;
    ++hits_;
    std::visit([&](const auto& effect) { add(effects, effect); }, armed.fault.effect);
  }
  auto& response = effects.error_response;
  if (response && response->body_of) response->body = response->body_of(request);
  return effects;
}

}  // namespace pintle::http
