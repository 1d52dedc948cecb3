// SPDX-License-Identifier: Apache-2.0
// RankedSlots: slot numbers in the order of their rank; a priority queue for QueueState.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace pintle::internal {

struct RankedSlot {
  std::int64_t rank = 0;
  std::uint64_t stamp = 0;  ///< unique; orders equal ranks, and identifies the newest element of a slot
  std::uint32_t slot = 0;

  friend bool operator<(const RankedSlot& a, const RankedSlot& b) noexcept {
    return std::tie(a.rank, a.stamp) < std::tie(b.rank, b.stamp);
  }
};

/// Consists of a few sorted runs and a heap. An element whose rank is not below the last rank of a run is appended to
/// that run without sifting. Any other element begins a new run or, if there are `max_runs` runs, is added to the heap.
/// Keys of several priorities that arrive in order therefore fill several runs. Elements cannot be removed from the
/// middle: the owner skips stale elements and calls sweep() when there are too many. Thread-safety: none.
class RankedSlots {
 public:
  RankedSlots() { runs_.reserve(max_runs); }

  void push(const RankedSlot& one) {
    ++size_;
    for (std::size_t i = 0; i < run_count_; ++i) {
      if (!(one < runs_[i].back())) return runs_[i].push_back(one);
    }
    if (run_count_ < max_runs) return begin_run(one);
    heap_.push_back(one);
    std::push_heap(heap_.begin(), heap_.end(), is_after);
  }

  /// The element with the lowest rank; null if there is none.
  [[nodiscard]] const RankedSlot* first() const noexcept {
    const RankedSlot* in_run = run_count_ == 0 ? nullptr : &runs_[first_run_].front();
    if (heap_.empty()) return in_run;
    return in_run == nullptr || heap_.front() < *in_run ? &heap_.front() : in_run;
  }

  /// Removes first().
  void pop() {
    --size_;
    if (!heap_.empty() && first() == &heap_.front()) {
      std::pop_heap(heap_.begin(), heap_.end(), is_after);
      heap_.pop_back();
      return;
    }
    runs_[first_run_].pop_front();
    if (runs_[first_run_].size() == 0) end_run();
    find_first_run();
  }

  /// Removes all elements for which `should_keep` returns false.
  template <class Predicate>
  void sweep(Predicate should_keep) {
    const auto is_dropped = [&](const RankedSlot& one) { return !should_keep(one); };
    for (Run& run : runs_) run.keep(should_keep);
    std::erase_if(runs_, [](const Run& run) { return run.size() == 0; });
    std::erase_if(heap_, is_dropped);
    std::make_heap(heap_.begin(), heap_.end(), is_after);
    run_count_ = runs_.size();
    find_first_run();
    size_ = heap_.size();
    for (const Run& run : runs_) size_ += run.size();
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  // Elements in ascending order in a ring buffer.
  class Run {
   public:
    void push_back(const RankedSlot& one) {
      if (size_ == places_.size()) grow();
      at(size_++) = one;
    }
    void pop_front() noexcept {
      ++first_;
      --size_;
    }
    [[nodiscard]] const RankedSlot& front() const noexcept { return at(0); }
    [[nodiscard]] const RankedSlot& back() const noexcept { return at(size_ - 1); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    template <class Predicate>
    void keep(Predicate should_keep) {
      const std::size_t all = std::exchange(size_, 0);
      for (std::size_t i = 0; i < all; ++i) {
        if (should_keep(at(i))) at(size_++) = at(i);
      }
    }

   private:
    static constexpr std::size_t min_capacity = 16;

    [[nodiscard]] RankedSlot& at(std::size_t i) noexcept { return places_[(first_ + i) & (places_.size() - 1)]; }
    [[nodiscard]] const RankedSlot& at(std::size_t i) const noexcept {
      return places_[(first_ + i) & (places_.size() - 1)];
    }
    void grow() {
      std::vector<RankedSlot> places(std::max(min_capacity, 2 * places_.size()));
      for (std::size_t i = 0; i < size_; ++i) places[i] = at(i);
      places_ = std::move(places);
      first_ = 0;
    }

    std::vector<RankedSlot> places_;  // the size is a power of two
    std::size_t first_ = 0;           // index of the first element, modulo the size of places_
    std::size_t size_ = 0;
  };
  static constexpr std::size_t max_runs = 32;

  static bool is_after(const RankedSlot& a, const RankedSlot& b) noexcept { return b < a; }

  void begin_run(const RankedSlot& one) {
    if (run_count_ == runs_.size()) runs_.emplace_back();
    runs_[run_count_].push_back(one);
    if (run_count_ == 0 || one < runs_[first_run_].front()) first_run_ = run_count_;
    ++run_count_;
  }
  void end_run() {
    --run_count_;
    for (std::size_t i = first_run_; i < run_count_; ++i) std::swap(runs_[i], runs_[i + 1]);
  }
  void find_first_run() noexcept {
    first_run_ = 0;
    for (std::size_t i = 1; i < run_count_; ++i) {
      if (runs_[i].front() < runs_[first_run_].front()) first_run_ = i;
    }
  }

  // First the runs in use, in descending order of their last element; then empty runs, which keep their memory.
  std::vector<Run> runs_;
  std::size_t run_count_ = 0;
  std::size_t first_run_ = 0;  // the run with the lowest first element
  std::vector<RankedSlot> heap_;
  std::size_t size_ = 0;
};

}  // namespace pintle::internal
