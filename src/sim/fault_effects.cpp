// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/fault_effects.hpp>

#include <utility>

#include "fault_streams.hpp"

namespace pintle::http {
namespace {

template <class T>
void keep_first(std::optional<T>& kept, const T& effect) {
  if (!kept) kept = effect;
}

}  // namespace

std::string target_of(const Request& request) {
  return request.method + " " + request.target.substr(0, request.target.find('?'));
}

void BodyFaults::add(const TruncateBody& cut) { keep_first(cut_, cut); }
void BodyFaults::add(const RepeatEvent& repeat) { keep_first(repeat_, repeat); }
void BodyFaults::add(const StallEvents& stall) { keep_first(stall_, stall); }
void BodyFaults::add(const SplitBody& split) { keep_first(split_, split); }

void BodyFaults::alter(Response& response, const Clock& clock) const {
  BodyStreamPtr& stream = response.stream;
  const bool has_events = stream != nullptr && !stream->is_document();
  if (has_events && repeat_) stream = repeating(std::move(stream), *repeat_);
  if (has_events && stall_) stream = stalling(std::move(stream), *stall_, clock);
  if (!cut_ && !split_) return;
  if (stream == nullptr) stream = stream_of(std::exchange(response.body, {}));
  if (cut_) stream = cutting(std::move(stream), *cut_, clock);
  if (split_) stream = splitting(std::move(stream), *split_);
}

Response response_of(const ErrorResponse& error) {
  Response response{.status = error.status, .headers = error.headers, .body = error.body};
  if (!response.body.empty()) return response;
  response.headers.set("Content-Type", "application/json");
  response.body =
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"injected by the fault plan",)"
      R"("reason":")" +
      error.reason + R"(","code":)" + std::to_string(error.status) + "}";
  return response;
}

}  // namespace pintle::http
