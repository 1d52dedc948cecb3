#include "faults.hpp"

#include <utility>

namespace pintle::http {
namespace {

void add(Fate& fate, const Delay& delay) { (delay.after_commit ? fate.answer_delay : fate.delay) += delay.duration; }
void add(Fate& fate, const Crash& crash) {
  if (!fate.crash) fate.crash = crash;
}
void add(Fate& fate, const Drop& drop) {
  if (!fate.drop) fate.drop = drop;
}
void add(Fate& fate, const ErrorResponse& answer) {
  if (!fate.answer) fate.answer = answer;
}
void add(Fate& fate, const auto& of_the_body) { fate.body.add(of_the_body); }

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

Fate Faults::decide(const Request& request) {
  ++calls_;
  Fate fate;
  for (Armed& armed : plan_) {
    if (!armed.count.hits(armed.fault, request, [this] { return executor_.random(); })) continue;
    ++hits_;
    std::visit([&](const auto& effect) { add(fate, effect); }, armed.fault.effect);
  }
  return fate;
}

}  // namespace pintle::http
