// SPDX-License-Identifier: Apache-2.0
// OwnedKinds: which of the kinds that a controller owns are active for an object.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>

#include <pintle/controller/source.hpp>

#include "informer_set.hpp"
#include "source_activation.hpp"

namespace pintle {

// The comment of Owns defines when a kind is active. add() must be called before the informers start. The other
// functions are thread-safe; on_change() must be called for each change of the reconciled kind, in order.
class OwnedKinds {
 public:
  // Called in a catch handler when a condition threw.
  using NoteThrown = std::function<void(const ObjectKey&)>;

  explicit OwnedKinds(NoteThrown note_thrown) : note_thrown_(std::move(note_thrown)) {}

  // `owned` and `activation` must outlive this object.
  void add(const Owns& owned, std::shared_ptr<const InformerSet> informers, SourceActivation& activation);
  // Updates the needs of the informers.
  void on_change(const Change& change);

  // Returns whether any kind may be inactive.
  [[nodiscard]] bool has_conditions() const noexcept { return has_conditions_; }
  // Returns whether the condition of the kind is true for an object, or no condition restricts the kind.
  [[nodiscard]] bool is_wanted(const GroupVersionKind& kind, const Object& object) const;
  // Returns whether the condition is true and, with `if_served`, served. If it is not served, this is stored for
  // take_missed().
  [[nodiscard]] bool is_active(const GroupVersionKind& kind, const Object& object);
  // Returns whether is_active() has returned false since the last call because the kind was not served.
  [[nodiscard]] bool take_missed(const Owns& owned);

 private:
  struct Kind {
    const Owns* owned = nullptr;
    std::shared_ptr<const InformerSet> informers{};
    SourceActivation* activation = nullptr;
    std::atomic<bool> is_missed = false;
  };
  [[nodiscard]] bool needs(const Owns& owned, const Object& object) const;

  const NoteThrown note_thrown_;
  std::deque<Kind> kinds_;
  bool has_conditions_ = false;
};

}  // namespace pintle
