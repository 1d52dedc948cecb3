#include <pintle/patterns/crud/pass_flags.hpp>

namespace pintle::crud {
namespace {

struct ComeBack {
  std::optional<Duration> delay{};
};

}  // namespace

void come_back_in(Context& context, Duration delay) {
  std::optional<Duration>& earliest = context.slot<ComeBack>().delay;
  if (!earliest || delay < *earliest) earliest = delay;
}

std::optional<Duration> asked_to_come_back_in(Context& context) { return context.slot<ComeBack>().delay; }

}  // namespace pintle::crud
