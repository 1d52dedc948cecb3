// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/reconcile_cause.hpp>

#include <pintle/json/difference.hpp>

namespace pintle {

namespace {

constexpr std::size_t max_listed_pointers = 4;

// Returns false for the members that differ in every update.
bool is_informative(const std::string& pointer) {
  return pointer != "/metadata/resourceVersion" && !pointer.starts_with("/metadata/managedFields");
}

}  // namespace

std::string_view to_string(ReconcileCause::Source source) noexcept {
  switch (source) {
    case ReconcileCause::Source::initial: return "initial";
    case ReconcileCause::Source::change: return "change";
    case ReconcileCause::Source::owned: return "owned";
    case ReconcileCause::Source::mapped: return "mapped";
    case ReconcileCause::Source::channel: return "channel";
    case ReconcileCause::Source::poll: return "poll";
    case ReconcileCause::Source::retry: return "retry";
    case ReconcileCause::Source::timer: return "timer";
    case ReconcileCause::Source::resync: return "resync";
    case ReconcileCause::Source::schedule: return "schedule";
    case ReconcileCause::Source::overflow: return "overflow";
    case ReconcileCause::Source::activation: return "activation";
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

std::vector<std::string> ReconcileCause::changed(std::size_t most) const {
  if (!before || !object) return {};
  // More pointers are requested, because some are removed below.
  std::vector<std::string> pointers = json::changed_pointers(before.root(), object.root(), 2 * most + 8);
  std::erase_if(pointers, [](const std::string& pointer) { return !is_informative(pointer); });
  if (pointers.size() > most) pointers.resize(most);
  return pointers;
}

std::string ReconcileCause::to_string() const {
  std::string text(pintle::to_string(source));
  if (source == Source::retry) text += " " + std::to_string(retry);
  if (!note.empty()) text += " " + note;
  if (!object) return text;
  text += " " + object.group_version_kind().to_string() + " " + object.key().to_string();
  if (verb != Verb::none) text += " " + std::string(pintle::to_string(verb));
  std::string where;
  for (const std::string& pointer : changed(max_listed_pointers)) where += (where.empty() ? "" : ", ") + pointer;
  return text + " (version " + std::string(object.resource_version()) + (where.empty() ? "" : ": " + where) + ")";
}

std::string to_string(const std::vector<ReconcileCause>& causes) {
  std::string text;
  for (const ReconcileCause& cause : causes) text += (text.empty() ? "" : "; ") + cause.to_string();
  return text;
}

}  // namespace pintle
