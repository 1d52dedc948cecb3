// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/reconcile_flags.hpp>

namespace pintle::crud {
namespace {

struct ComeBack {
  std::optional<Duration> delay{};
};

}  // namespace

void request_requeue_after(Context& context, Duration delay) {
  std::optional<Duration>& earliest = context.slot<ComeBack>().delay;
  if (!earliest || delay < *earliest) earliest = delay;
}

std::optional<Duration> requested_requeue_after(Context& context) { return context.slot<ComeBack>().delay; }

}  // namespace pintle::crud
