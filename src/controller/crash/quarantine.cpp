// SPDX-License-Identifier: Apache-2.0
#include "quarantine.hpp"

#include <algorithm>
#include <utility>

namespace pintle {

std::string edition_of(const Object& object) {
  if (!object) return {};
  return std::string(object.uid()) + "/" + std::to_string(object.generation());
}

void Quarantine::add(const Suspect& known) {
  suspects_[{known.controller, known.key}] = {.edition = known.edition, .deaths = known.deaths};
  drop_least();
}

std::vector<Suspect> Quarantine::count_death(const LeftInWork& left) {
  std::vector<Suspect> counted = left.named.empty() ? left.all : left.named;
  for (Suspect& suspect : counted) {
    suspect.deaths = deaths(suspect.controller, suspect.key) + 1;
    add(suspect);
  }
  return counted;
}

void Quarantine::drop_least() {
  if (suspects_.size() <= max_suspects) return;
  const auto fewer = [](const auto& a, const auto& b) { return a.second.deaths < b.second.deaths; };
  suspects_.erase(std::min_element(suspects_.begin(), suspects_.end(), fewer));
}

std::optional<Quarantined> Quarantine::find(const std::string& controller, const ObjectKey& key,
                                            const std::string& edition, Instant now) {
  const auto found = suspects_.find({controller, key});
  if (found == suspects_.end()) return std::nullopt;
  Entry& entry = found->second;
  if (entry.deaths < deaths_to_hold || entry.is_released) return std::nullopt;
  const unsigned tries = edition == entry.edition ? entry.deaths - deaths_to_hold : 0;
  const Duration rest = started_ + quarantine_backoff.delay(tries) - now;
  if (rest <= Duration::zero()) return std::nullopt;
  return Quarantined{.deaths = entry.deaths, .rest = rest, .is_first = !std::exchange(entry.is_reported, true)};
}

unsigned Quarantine::deaths(const std::string& controller, const ObjectKey& key) const {
  const auto found = suspects_.find({controller, key});
  return found == suspects_.end() ? 0 : found->second.deaths;
}

void Quarantine::release(const std::string& controller, const ObjectKey& key) {
  const auto found = suspects_.find({controller, key});
  if (found != suspects_.end()) found->second.is_released = true;
}

bool Quarantine::clear(const std::string& controller, const ObjectKey& key) {
  return suspects_.erase({controller, key}) != 0;
}

std::vector<Suspect> Quarantine::suspects() const {
  std::vector<Suspect> all;
  all.reserve(suspects_.size());
  for (const auto& [id, entry] : suspects_) {
    all.push_back({.controller = id.first, .key = id.second, .edition = entry.edition, .deaths = entry.deaths});
  }
  return all;
}

std::size_t Quarantine::count(const std::string& controller) const {
  return static_cast<std::size_t>(std::count_if(suspects_.begin(), suspects_.end(), [&](const auto& one) {
    return one.first.first == controller && one.second.deaths >= deaths_to_hold;
  }));
}

}  // namespace pintle
