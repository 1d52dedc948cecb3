#include <pintle/patterns/external/pass.hpp>

namespace pintle::external {

Outcome Pass::prepare() {
  if (auto configured = configure(); !configured) return failed(std::move(configured.error()));
  return read();
}

Outcome Pass::change() {
  const auto needed = diff();
  if (!needed) return failed(needed.error());
  Outcome outcome = settled;
  if (needed->need_create) outcome = create();
  if (needed->need_update && outcome.as_failed() == nullptr) outcome = merge(std::move(outcome), update());
  if (!outcome.is_settled()) return outcome;
  return ready(on_success(*needed));
}

}  // namespace pintle::external
