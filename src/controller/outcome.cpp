// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/outcome.hpp>

#include <algorithm>

namespace pintle {
namespace {

Error both(Error first, const Error& second) {
  first.message += "; and " + second.to_string();
  first.is_terminal = first.is_terminal && second.is_terminal;
  first.retry_after = std::max(first.retry_after, second.retry_after);
  return first;
}

}  // namespace

Outcome merge(Outcome first, Outcome second) {
  if (const Error* error = first.as_failed()) {
    return second.as_failed() == nullptr ? first : failed(both(*error, *second.as_failed()));
  }
  if (second.as_failed() != nullptr) return second;
  if (const RequeueAfter* again = first.as_requeue_after()) {
    const RequeueAfter* other = second.as_requeue_after();
    return other == nullptr || again->delay <= other->delay ? first : second;
  }
  return first.is_requeue() && second.is_done() ? first : second;
}

std::string_view metric_label(const Outcome& outcome) noexcept {
  if (outcome.as_failed() != nullptr) return "error";
  if (outcome.as_requeue_after() != nullptr) return "requeue_after";
  return outcome.is_requeue() ? "requeue" : "success";
}

}  // namespace pintle
