#include <pintle/runtime/reconcile_cause.hpp>

namespace pintle {

std::string_view to_string(ReconcileCause::Source source) noexcept {
  switch (source) {
    case ReconcileCause::Source::initial: return "initial";
    case ReconcileCause::Source::change: return "change";
    case ReconcileCause::Source::owned: return "owned";
    case ReconcileCause::Source::retry: return "retry";
    case ReconcileCause::Source::timer: return "timer";
  }
  return "";
}

std::string_view to_string(ReconcileCause::Verb verb) noexcept {
  switch (verb) {
    case ReconcileCause::Verb::none: return "";
    case ReconcileCause::Verb::added: return "added";
    case ReconcileCause::Verb::updated: return "updated";
    case ReconcileCause::Verb::deleted: return "deleted";
  }
  return "";
}

std::string ReconcileCause::to_string() const {
  std::string text(pintle::to_string(source));
  if (source == Source::retry) return text + " " + std::to_string(retry);
  if (source == Source::timer) return text;
  text += " " + kind.to_string() + " " + object.to_string();
  if (verb != Verb::none) text += " " + std::string(pintle::to_string(verb));
  if (!resource_version.empty()) text += " (version " + resource_version + ")";
  return text;
}

}  // namespace pintle
