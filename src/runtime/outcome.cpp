#include <pintle/runtime/outcome.hpp>

namespace pintle {

std::string_view metric_label(const Outcome& outcome) noexcept {
  if (outcome.as_failed() != nullptr) return "error";
  if (outcome.as_look_again_in() != nullptr) return "requeue_after";
  return outcome.is_look_again() ? "requeue" : "success";
}

}  // namespace pintle
