// PassFlags: what the resources of one pass tell each other, and those who run them.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include <pintle/controller/context.hpp>

namespace pintle::crud {

// Once set it stays set. Copies are the same flag. Thread-safe.
class PassFlag {
 public:
  void set() const noexcept { is_set_->store(true); }
  [[nodiscard]] bool is_set() const noexcept { return is_set_->load(); }

 private:
  std::shared_ptr<std::atomic<bool>> is_set_ = std::make_shared<std::atomic<bool>>(false);
};

struct PassFlags {
  // Nothing more is done in this pass: not the next operation of a CrudResource, not the next resource, and if init_ctx
  // sets it not the first. The pass succeeds. A deletion keeps its finalizer then, and is looked at again with the next
  // resync.
  PassFlag reconciliation_canceled{};
  // The CrudResource that works now does nothing more; the next one has a flag of its own.
  PassFlag resource_canceled{};
  // A deletion keeps its finalizer even though it succeeds, and is looked at again with the next resync.
  PassFlag finalizer_kept{};
  // For resources among themselves.
  PassFlag update_allowed{};
  PassFlag update_necessary{};
  PassFlag deletion_allowed{};
};

// Those of this pass; there in every pass, whoever runs it.
[[nodiscard]] inline PassFlags& pass_flags(Context& context) { return context.slot<PassFlags>(); }

// Has the object looked at again after a time, though all goes well; of several times the earliest holds. A deletion is
// not done then, and keeps its finalizer. Called by the thread of the pass.
void come_back_in(Context& context, Duration delay);
// The time that was asked for in this pass.
[[nodiscard]] std::optional<Duration> asked_to_come_back_in(Context& context);

}  // namespace pintle::crud
