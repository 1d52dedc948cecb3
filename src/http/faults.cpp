#include "faults.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/random.hpp>

namespace pintle::http {
namespace {

std::string_view path_of(const Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

template <class T>
void keep_first(std::optional<T>& kept, const T& effect) {
  if (!kept) kept = effect;
}

void add(Fate& fate, const Delay& delay) { fate.delay += delay.duration; }
void add(Fate& fate, const Crash& crash) { keep_first(fate.crash, crash); }
void add(Fate& fate, const Drop& drop) { keep_first(fate.drop, drop); }
void add(Fate& fate, const AnswerError& answer) { keep_first(fate.answer, answer); }
void add(Fate& fate, const Cut& cut) { keep_first(fate.cut, cut); }
void add(Fate& fate, const RepeatEvent& repeat) { keep_first(fate.repeat, repeat); }

class RepeatingStream final : public BodyStream {
 public:
  RepeatingStream(std::unique_ptr<BodyStream> inner, RepeatEvent repeat) : inner_(std::move(inner)), repeat_(repeat) {}

  State read(std::string& out) override {
    std::string piece;
    const State state = inner_->read(piece);
    for (const char c : piece) take(c, out);
    return state;
  }
  void on_ready(std::function<void()> wake) override { inner_->on_ready(std::move(wake)); }
  Instant next_deadline() const override { return inner_->next_deadline(); }

 private:
  void take(char c, std::string& out) {
    out += c;
    line_ += c;
    if (c != '\n') return;
    if (++lines_ == repeat_.nth || repeat_.nth == 0) out += line_;
    line_.clear();
  }

  const std::unique_ptr<BodyStream> inner_;
  const RepeatEvent repeat_;
  std::string line_;  // as much of it as has come
  std::uint64_t lines_ = 0;
};

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

Faults::Faults(Runtime& runtime, FaultPlan plan) : runtime_(runtime) { set(std::move(plan)); }

void Faults::set(FaultPlan plan) {
  plan_.clear();
  for (Fault& fault : plan) plan_.push_back({.fault = std::move(fault)});
}

Fate Faults::decide(const Request& request) {
  ++calls_;
  Fate fate;
  for (Armed& armed : plan_) {
    if (!strikes(armed, request)) continue;
    ++hits_;
    std::visit([&](const auto& effect) { add(fate, effect); }, armed.fault.effect);
  }
  return fate;
}

bool Faults::strikes(Armed& armed, const Request& request) {
  const Fault& fault = armed.fault;
  if (fault.only && !fault.only(request)) return false;
  const std::string target = fault.per_target ? request.method + " " + std::string(path_of(request)) : std::string();
  const std::uint64_t count = ++armed.counts[target];
  if (count < fault.first || (count - fault.first) % std::max<std::uint64_t>(fault.every, 1) != 0) return false;
  if (armed.done >= fault.times) return false;
  if (fault.probability < 1 && Random::to_unit(runtime_.random()) >= fault.probability) return false;
  ++armed.done;
  return true;
}

Response response_of(const AnswerError& answer) {
  Response response{.status = answer.status, .headers = answer.headers, .body = answer.body};
  if (!response.body.empty()) return response;
  response.headers.set("Content-Type", "application/json");
  response.body =
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"a fault of the plan",)"
      R"("reason":")" +
      answer.reason + R"(","code":)" + std::to_string(answer.status) + "}";
  return response;
}

std::unique_ptr<BodyStream> repeating(std::unique_ptr<BodyStream> inner, RepeatEvent repeat) {
  return std::make_unique<RepeatingStream>(std::move(inner), repeat);
}

}  // namespace pintle::http
