// SPDX-License-Identifier: Apache-2.0
#include "written_versions.hpp"

#include <algorithm>

namespace pintle {
namespace {

constexpr std::string_view removal = "removed";  // stands for the version that a deletion makes

bool is_of_an_object(const ReconcileCause& cause) {
  using Source = ReconcileCause::Source;
  return cause.object &&
         (cause.source == Source::change || cause.source == Source::owned || cause.source == Source::mapped);
}

// Returns whether the change always counts as foreign.
bool is_news(const ReconcileCause& cause) {
  if (cause.before && cause.before.uid() != cause.object.uid()) return true;
  if (cause.source != ReconcileCause::Source::change) return false;
  if (cause.verb == ReconcileCause::Verb::deleted) return true;
  return cause.object.is_deleting() && !(cause.before && cause.before.is_deleting());
}

}  // namespace

WrittenVersions::Id WrittenVersions::id_of(std::string_view uid, std::string_view version) {
  std::string text(uid);
  text += '\n';
  text += version;
  return std::max<Id>(1, std::hash<std::string>()(text));
}

bool WrittenVersions::note(const Informer::Write& write) {
  const ObjectKey* key = keys_.get();
  if (key == nullptr) return false;
  const Id id = id_of(write.uid, write.version.empty() ? removal : write.version);
  const Made made{.from = write.from ? id_of(write.uid, *write.from) : 0, .maker = id_of(*key)};
  const MutexLock lock(mutex_);
  // Only the first response with a version counts: a later write with the same version changed nothing.
  if (!made_.try_emplace(id, made).second) return false;
  if (const auto judged = judged_.extract(id); !judged.empty()) {
    if (misjudged_.size() >= max_misjudged) misjudged_.clear();
    misjudged_.insert(judged.mapped().begin(), judged.mapped().end());
  }
  order_.push_back(id);
  if (order_.size() > most) {
    made_.erase(order_.front());
    order_.pop_front();
  }
  return true;
}

void WrittenVersions::clear() {
  const MutexLock lock(mutex_);
  made_.clear();
  order_.clear();
  judged_.clear();
  judged_order_.clear();
}

bool WrittenVersions::note_judgement(const ReconcileCause& cause, const ObjectKey& key) {
  if (!is_of_an_object(cause) || is_news(cause)) return false;
  const Id id = id_of(cause.object.uid(), cause.object.resource_version());
  const MutexLock lock(mutex_);
  if (made_.contains(id)) return false;  // another client made an earlier step of this change
  const auto [judged, is_first] = judged_.try_emplace(id);
  if (judged->second.size() < max_judged) judged->second.push_back(id_of(key));
  if (is_first) judged_order_.push_back(id);
  if (judged_order_.size() > max_judged) {
    judged_.erase(judged_order_.front());
    judged_order_.pop_front();
  }
  return true;
}

bool WrittenVersions::was_misjudged(const ObjectKey& key) const {
  const MutexLock lock(mutex_);
  return misjudged_.contains(id_of(key));
}

WrittenBy WrittenVersions::maker(const Made& made, const ObjectKey& key) const {
  return made.maker == id_of(key) ? WrittenBy::key : WrittenBy::controller;
}

WrittenBy WrittenVersions::maker_of(const ReconcileCause& cause, const ObjectKey& key) const {
  if (!is_of_an_object(cause) || is_news(cause)) return WrittenBy::another;
  const MutexLock lock(mutex_);
  if (cause.verb == ReconcileCause::Verb::deleted) {
    const auto removed = made_.find(id_of(cause.object.uid(), removal));
    return removed == made_.end() ? WrittenBy::another : maker(removed->second, key);
  }
  const WrittenBy by_steps = maker_of_steps(cause, key);
  return by_steps == WrittenBy::another ? maker_of_chain(cause, key) : by_steps;
}

WrittenBy WrittenVersions::maker_of_version(std::string_view uid, std::string_view version,
                                            const ObjectKey& key) const {
  const auto found = made_.find(id_of(uid, version));
  return found == made_.end() ? WrittenBy::another : maker(found->second, key);
}

WrittenBy WrittenVersions::maker_of_steps(const ReconcileCause& cause, const ObjectKey& key) const {
  const std::string_view uid = cause.object.uid();
  WrittenBy all = maker_of_version(uid, cause.object.resource_version(), key);
  for (const std::string& version : cause.merged_versions) all = std::min(all, maker_of_version(uid, version, key));
  return all;
}

// For changes whose steps are unknown because a list found them.
WrittenBy WrittenVersions::maker_of_chain(const ReconcileCause& cause, const ObjectKey& key) const {
  const std::string_view uid = cause.object.uid();
  const Id goal = id_of(uid, cause.before ? cause.before.resource_version() : std::string_view());
  Id at = id_of(uid, cause.object.resource_version());
  WrittenBy all = at == goal ? WrittenBy::another : WrittenBy::key;
  while (at != goal && all != WrittenBy::another) {
    const auto found = made_.find(at);
    if (found == made_.end()) return WrittenBy::another;
    all = std::min(all, maker(found->second, key));
    at = found->second.from;
  }
  return all;
}

}  // namespace pintle
