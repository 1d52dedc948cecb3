// RankedSlots: slot numbers in order of rank; what a queue sorts its entries with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace pintle {

struct RankedSlot {
  std::int64_t rank = 0;
  std::uint64_t stamp = 0;  // unique; breaks ties, and tells a slot's last entry here from older ones
  std::uint32_t slot = 0;

  friend bool operator<(const RankedSlot& a, const RankedSlot& b) noexcept {
    return std::tie(a.rank, a.stamp) < std::tie(b.rank, b.stamp);
  }
};

// A heap beside a sorted run: what comes in order, as most work does, is appended to the run and costs no sifting.
// Nothing is taken out of the middle: its owner skips what has become stale, and sweeps when too much has.
// Thread-safety: none.
class RankedSlots {
 public:
  void push(const RankedSlot& one) {
    if (run_begin_ == run_.size() || !(one < run_.back())) {
      run_.push_back(one);
    } else {
      heap_.push_back(one);
      std::push_heap(heap_.begin(), heap_.end(), is_after);
    }
  }

  // The least; null when empty.
  [[nodiscard]] const RankedSlot* first() const noexcept {
    const RankedSlot* in_run = run_begin_ < run_.size() ? &run_[run_begin_] : nullptr;
    if (heap_.empty()) return in_run;
    return in_run == nullptr || heap_.front() < *in_run ? &heap_.front() : in_run;
  }

  // Removes first().
  void pop() {
    if (first() == (heap_.empty() ? nullptr : &heap_.front())) {
      std::pop_heap(heap_.begin(), heap_.end(), is_after);
      heap_.pop_back();
      return;
    }
    if (++run_begin_ == run_.size()) {
      run_.clear();
      run_begin_ = 0;
    } else if (run_begin_ >= least_to_shift && run_begin_ > run_.size() / 2) {
      run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(run_begin_));
      run_begin_ = 0;
    }
  }

  // Keeps those that are wanted.
  template <class Wanted>
  void sweep(Wanted wanted) {
    const auto unwanted = [&](const RankedSlot& one) { return !wanted(one); };
    run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(run_begin_));
    run_begin_ = 0;
    std::erase_if(run_, unwanted);
    std::erase_if(heap_, unwanted);
    std::make_heap(heap_.begin(), heap_.end(), is_after);
  }

  [[nodiscard]] std::size_t size() const noexcept { return run_.size() - run_begin_ + heap_.size(); }
  // Gives memory back that an earlier, larger content left.
  void shrink() {
    run_.shrink_to_fit();
    heap_.shrink_to_fit();
  }

 private:
  static constexpr std::size_t least_to_shift = 1024;

  static bool is_after(const RankedSlot& a, const RankedSlot& b) noexcept { return b < a; }

  std::vector<RankedSlot> heap_;
  std::vector<RankedSlot> run_;  // ascending from run_begin_ on
  std::size_t run_begin_ = 0;
};

}  // namespace pintle
