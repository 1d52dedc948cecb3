// SPDX-License-Identifier: Apache-2.0
#include "storage.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace pintle::apiserver {
namespace {

std::string_view namespace_of(std::string_view key) {
  const std::size_t slash = key.find('/');
  return slash == std::string_view::npos ? std::string_view{} : key.substr(0, slash);
}

// The first key of a namespace, and the first key after it ('0' follows '/').
std::string first_key(std::string_view namespace_) { return std::string(namespace_) + "/"; }
std::string end_key(std::string_view namespace_) { return std::string(namespace_) + "0"; }

}  // namespace

std::string storage_key(std::string_view namespace_, std::string_view name) {
  std::string key(namespace_);
  if (!key.empty()) key += '/';
  return key.append(name);
}

std::optional<Version> parse_version(std::string_view text) {
  Version version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return version;
}

Storage::Storage(Executor& executor, std::size_t window, Version begin, Kept kept)
    : executor_(executor),
      window_(window),
      begin_(kept.state.version != 0 ? kept.state.version : begin),
      has_kept_objects_(!kept.state.entries.empty()),
      pool_(kept.state.pool != nullptr ? kept.state.pool : std::make_shared<json::Pool>(executor)),
      journal_(std::move(kept.journal)),
      mutex_(executor),
      written_(executor),
      committed_(executor) {
  const MutexLock lock(mutex_);
  restore(std::move(kept.state));
}

void Storage::restore(KeptState state) {
  for (KeptState::Entry& entry : state.entries) {
    Collection& in = at(entry.collection);
    in.written = begin_;
    ++writes_;
    count_in(in, entry.key);
    in.objects.insert_or_assign(in.objects.end(), std::move(entry.key), std::move(entry.object));
  }
}

Storage::Collection& Storage::at(std::string_view name) const {
  const auto found = collections_.find(name);
  if (found != collections_.end()) return found->second;
  Collection& made = collections_[std::string(name)];
  made.floor = begin_;
  return made;
}

Version Storage::version() const {
  const MutexLock lock(mutex_);
  return version_;
}

std::uint64_t Storage::writes() const {
  const MutexLock lock(mutex_);
  return writes_;
}

Object Storage::get(std::string_view collection, std::string_view key, Version at_version) const {
  const MutexLock lock(mutex_);
  const Collection& in = at(collection);
  if (at_version != 0) {
    for (auto change = after(in, at_version); change != in.window.end(); ++change) {
      if ((*change)->key == key) return (*change)->before;
    }
  }
  const auto found = in.objects.find(key);
  return found == in.objects.end() ? Object() : found->second;
}

std::vector<Object> Storage::objects(std::string_view collection, std::string_view namespace_) const {
  const MutexLock lock(mutex_);
  return read_range(at(collection), {.namespace_ = namespace_}, {}).objects;
}

std::optional<Page> Storage::list(std::string_view collection, const Range& range) const {
  const MutexLock lock(mutex_);
  const Collection& in = at(collection);
  Overlay past;
  if (range.at != 0 && range.at < version_) {
    if (range.at < in.floor) return std::nullopt;
    for (auto change = after(in, range.at); change != in.window.end(); ++change)
      past.try_emplace((*change)->key, &(*change)->before);
  }
  Page page = read_range(in, range, past);
  if (range.at != 0) page.version = range.at;
  return page;
}

// Counts the objects in a namespace as they were before the changes that `past` undoes.
std::size_t Storage::count_range(const Collection& in, const Range& range, const Overlay& past) {
  const auto counted = in.count.find(range.namespace_);
  std::size_t total = counted == in.count.end() ? 0 : counted->second;
  if (range.namespace_.empty()) total = in.objects.size();
  for (const auto& [key, before] : past) {
    if (!range.namespace_.empty() && namespace_of(key) != range.namespace_) continue;
    if (before->exists()) ++total;
    if (in.objects.contains(key)) --total;
  }
  return total;
}

// Merges the present and the past in key order. For a key in both, the past is used.
Page Storage::read_range(const Collection& in, const Range& range, const Overlay& past) const {
  const bool all = range.namespace_.empty();
  const std::string from = all ? std::string() : first_key(range.namespace_);
  const std::string end = all ? std::string() : end_key(range.namespace_);
  const bool is_begun = !range.after.empty() && range.after >= from;
  auto present = is_begun ? in.objects.upper_bound(range.after) : in.objects.lower_bound(from);
  auto undone = is_begun ? past.upper_bound(range.after) : past.lower_bound(from);
  const auto within = [&](std::string_view key) { return all || key < end; };

  Page page{.version = version_, .total = count_range(in, range, past)};
  while (true) {
    const bool has_present = present != in.objects.end() && within(present->first);
    const bool has_undone = undone != past.end() && within(undone->first);
    if (!has_present && !has_undone) return page;
    const bool both = has_present && has_undone && undone->first == std::string_view(present->first);
    const bool take_undone = both || (has_undone && (!has_present || undone->first < std::string_view(present->first)));
    const Object& object = take_undone ? *undone->second : present->second;
    if (object.exists()) {
      page.more = range.limit != 0 && page.objects.size() == range.limit;
      if (page.more) return page;
      page.objects.push_back(object);
      page.last = take_undone ? undone->first : std::string_view(present->first);
    }
    if (take_undone) ++undone;
    if (!take_undone || both) ++present;
  }
}

Object Storage::stamp(json::Value value, Version version) {
  value.as_object()["metadata"].as_object()["resourceVersion"] = std::to_string(version);
  return Object(json::Document(value, pool_.get()));
}

void Storage::note(Collection& in, Change change, Aftermath& after) {
  ++writes_;
  moments_.emplace_back(executor_.now(), change.version);
  if (moments_.size() > window_) moments_.pop_front();
  in.written = change.version;
  in.window.push_back(std::make_shared<const Change>(std::move(change)));
  while (in.window.size() > window_) {
    in.floor = in.window.front()->version;
    after.dropped.push_back(std::move(in.window.front()));
    in.window.pop_front();
    ++in.first;
  }
  const Wakeups here = take_waiting(in);
  after.woken.insert(after.woken.end(), here.begin(), here.end());
  if (std::exchange(has_waiters_, false)) written_.notify_all();
}

void Storage::count_in(Collection& in, std::string_view key) { ++in.count[std::string(namespace_of(key))]; }

void Storage::count_out(Collection& in, std::string_view key) {
  const auto counted = in.count.find(namespace_of(key));
  if (--counted->second == 0) in.count.erase(counted);
}

Storage::Window::const_iterator Storage::after(const Collection& in, Version version) {
  return std::upper_bound(in.window.begin(), in.window.end(), version,
                          [](Version wanted, const ChangePtr& change) { return wanted < change->version; });
}

Storage::Wakeups Storage::take_waiting(Collection& in) {
  Wakeups woken;
  woken.reserve(in.waiting.size());
  for (const std::uint64_t id : in.waiting) woken.push_back(in.readers.at(id));
  in.waiting.clear();
  return woken;
}

}  // namespace pintle::apiserver
