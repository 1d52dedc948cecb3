// SPDX-License-Identifier: Apache-2.0
// SortedRuns: a sorted sequence whose copies are cheap and share their parts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <pintle/cache/shared_ref.hpp>

namespace pintle {

// A tree of three levels: root, branches and runs of entries. A copy shares all of them. A change copies at most the
// root, one branch and one run, and only if another copy of the sequence shares them. The caller defines the order: it
// searches by a predicate and inserts at the place that it found. No run and no branch is empty. Thread-safety: that of
// SharedRef.
template <class Entry>
class SortedRuns {
 public:
  static constexpr std::size_t max_run = 512 / sizeof(Entry);  // entries
  static constexpr std::size_t max_branch = 64;                // runs

  // A place between entries. It is valid until the next change.
  struct Position {
    std::size_t branch = 0;
    std::size_t run = 0;
    std::size_t at = 0;  // may be the end of the run
  };

  // Returns the first place whose entry does not belong before the place that is searched. `is_before` must be true for
  // the first entries of the sequence and false for all others.
  template <class IsBefore>
  [[nodiscard]] Position find(IsBefore is_before) const {
    if (!root_) return {};
    Position place;
    place.branch = step_back(partition(
        root_->branches, [&](const auto& branch) { return is_before(branch->runs.front()->entries.front()); }));
    const auto& runs = root_->branches[place.branch]->runs;
    place.run = step_back(partition(runs, [&](const auto& run) { return is_before(run->entries.front()); }));
    place.at = partition(runs[place.run]->all(), is_before);
    return place;
  }

  // The same, but fast if the place is the end of the sequence.
  template <class IsBefore>
  [[nodiscard]] Position find_from_end(IsBefore is_before) const {
    if (!root_) return {};
    const auto& runs = root_->branches.back()->runs;
    const std::span<const Entry> last = runs.back()->all();
    if (!is_before(last.back())) return find(is_before);
    return {.branch = root_->branches.size() - 1, .run = runs.size() - 1, .at = last.size()};
  }

  // Returns the entries from a place to the end of its run; empty only at the end of the sequence. Moves a place at the
  // end of a run to the next run.
  [[nodiscard]] std::span<const Entry> rest(Position& place) const noexcept {
    if (!root_) return {};
    const auto* branch = &*root_->branches[place.branch];
    if (place.at == branch->runs[place.run]->size) {
      if (place.run + 1 == branch->runs.size()) {
        if (place.branch + 1 == root_->branches.size()) return {};
        branch = &*root_->branches[++place.branch];
        place.run = 0;
      } else {
        ++place.run;
      }
      place.at = 0;
    }
    return branch->runs[place.run]->all().subspan(place.at);
  }

  // Moves to the run after this one, which must exist, and returns its entries.
  [[nodiscard]] std::span<const Entry> next_run(std::size_t& branch, std::size_t& run) const noexcept {
    if (++run == root_->branches[branch]->runs.size()) {
      ++branch;
      run = 0;
    }
    return root_->branches[branch]->runs[run]->all();
  }

  // Returns the number of entries between two places.
  [[nodiscard]] std::size_t distance(const Position& from, const Position& to) const noexcept {
    std::size_t before = 0;  // entries from the begin of the run of `from` to that of `to`
    for (std::size_t branch = from.branch, run = from.run; branch != to.branch || run != to.run;) {
      before += root_->branches[branch]->runs[run]->size;
      (void)next_run(branch, run);
    }
    return before + to.at - from.at;
  }

  void insert(Position place, const Entry& entry) {
    auto& branches = root_.writable().branches;
    if (branches.empty()) branches.push_back(internal::SharedRef<Branch>::make());
    auto& runs = branches[place.branch].writable().runs;
    if (runs.empty()) runs.push_back(internal::SharedRef<Run>::make());
    if (runs[place.run]->size == max_run) make_room(branches, place);
    branches[place.branch].writable().runs[place.run].writable().insert(place.at, entry);
  }

  void erase(const Position& place) {
    auto& branches = root_.writable().branches;
    auto& runs = branches[place.branch].writable().runs;
    runs[place.run].writable().erase(place.at);
    merge(runs, place.run);
    if (runs.empty()) {
      branches.erase(nth(branches, place.branch));
    } else if (place.branch + 1 < branches.size()) {
      join(branches, place.branch);
    }
    if (branches.empty()) root_ = {};
  }

 private:
  struct Run : internal::SharedNode {
    [[nodiscard]] std::span<const Entry> all() const noexcept { return std::span(entries).first(size); }
    void insert(std::size_t at, const Entry& entry) {
      std::move_backward(entries.begin() + at, entries.begin() + size, entries.begin() + size + 1);
      entries[at] = entry;
      ++size;
    }
    void erase(std::size_t at) {
      std::move(entries.begin() + at + 1, entries.begin() + size, entries.begin() + at);
      --size;
    }
    std::uint32_t size = 0;
    std::array<Entry, max_run> entries{};
  };
  struct Branch : internal::SharedNode {
    std::vector<internal::SharedRef<Run>> runs;
  };
  struct Root : internal::SharedNode {
    std::vector<internal::SharedRef<Branch>> branches;
  };

  template <class Range, class IsBefore>
  static std::size_t partition(const Range& range, IsBefore is_before) {
    return static_cast<std::size_t>(std::partition_point(range.begin(), range.end(), is_before) - range.begin());
  }
  static std::size_t step_back(std::size_t at) noexcept { return at == 0 ? 0 : at - 1; }
  template <class Range>
  static auto nth(Range& range, std::size_t at) {
    return range.begin() + static_cast<std::ptrdiff_t>(at);
  }

  // Moves the second half of a full run into a new run, and of a full branch into a new branch. At the end of the
  // sequence the new run is empty: entries that arrive in order fill their runs completely.
  static void make_room(std::vector<internal::SharedRef<Branch>>& branches, Position& place) {
    auto* runs = &branches[place.branch].writable().runs;
    if (runs->size() == max_branch) {
      const bool is_end = place.branch + 1 == branches.size() && place.run + 1 == runs->size();
      const std::size_t keep = is_end ? max_branch - 1 : max_branch / 2;
      auto next = internal::SharedRef<Branch>::make();
      next.writable().runs.assign(nth(*runs, keep), runs->end());
      runs->resize(keep);
      branches.insert(nth(branches, place.branch + 1), std::move(next));
      if (place.run >= keep) {
        place.run -= keep;
        ++place.branch;
      }
      runs = &branches[place.branch].writable().runs;
    }
    const bool is_end = place.branch + 1 == branches.size() && place.run + 1 == runs->size() && place.at == max_run;
    const std::size_t keep = is_end ? max_run : max_run / 2;
    auto next = internal::SharedRef<Run>::make();
    Run& from = (*runs)[place.run].writable();
    Run& to = next.writable();
    std::copy(from.entries.begin() + keep, from.entries.end(), to.entries.begin());
    to.size = static_cast<std::uint32_t>(max_run - keep);
    from.size = static_cast<std::uint32_t>(keep);
    runs->insert(nth(*runs, place.run + 1), std::move(next));
    if (place.at > keep || is_end) {
      place.at -= keep;
      ++place.run;
    }
  }

  // Removes a run that has become empty, or joins two runs that have become small.
  static void merge(std::vector<internal::SharedRef<Run>>& runs, std::size_t number) {
    if (runs[number]->size == 0) {
      runs.erase(nth(runs, number));
      return;
    }
    if (number + 1 == runs.size()) return;
    const internal::SharedRef<Run> next = runs[number + 1];
    if (runs[number]->size + next->size > max_run / 2) return;
    Run& run = runs[number].writable();
    std::copy(next->entries.begin(), next->entries.begin() + next->size, run.entries.begin() + run.size);
    run.size += next->size;
    runs.erase(nth(runs, number + 1));
  }

  static void join(std::vector<internal::SharedRef<Branch>>& branches, std::size_t number) {
    const internal::SharedRef<Branch> next = branches[number + 1];
    auto& runs = branches[number].writable().runs;
    if (runs.size() + next->runs.size() > max_branch / 2) return;
    runs.insert(runs.end(), next->runs.begin(), next->runs.end());
    branches.erase(nth(branches, number + 1));
  }

  internal::SharedRef<Root> root_;
};

}  // namespace pintle
