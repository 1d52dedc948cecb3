// SPDX-License-Identifier: Apache-2.0
// SharedRef: a counted pointer to a node of a copy-on-write structure.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace pintle::internal {

/// The base of the nodes. A copy of a node has its own count.
class SharedNode {
 public:
  SharedNode() noexcept = default;
  SharedNode(const SharedNode& /*other*/) noexcept {}
  SharedNode& operator=(const SharedNode&) = delete;

 protected:
  ~SharedNode() = default;

 private:
  template <class Node>
  friend class SharedRef;
  mutable std::atomic<std::uint32_t> references_ = 1;
};

/// Readers share nodes that do not change while they hold a reference. A writer changes a node in place if it holds the
/// only reference, and otherwise a copy of it. Several threads may copy, read and destroy references to one node; one
/// reference must not be used by two threads at the same time.
template <class Node>
class SharedRef {
 public:
  SharedRef() noexcept = default;  ///< no node
  template <class... Arguments>
  [[nodiscard]] static SharedRef make(Arguments&&... arguments) {
    return SharedRef(new Node(std::forward<Arguments>(arguments)...));
  }
  SharedRef(const SharedRef& other) noexcept : node_(other.node_) {
    if (node_ != nullptr) node_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  SharedRef(SharedRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  SharedRef& operator=(SharedRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~SharedRef() {
    if (node_ != nullptr && node_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete node_;
  }

  explicit operator bool() const noexcept { return node_ != nullptr; }
  const Node& operator*() const noexcept { return *node_; }
  const Node* operator->() const noexcept { return node_; }

  /// Returns the node for modification. If the node is shared, this reference first gets a copy; if there is no node,
  /// it gets a new one.
  [[nodiscard]] Node& writable() {
    if (node_ == nullptr) {
      node_ = new Node();
    } else if (node_->references_.load(std::memory_order_acquire) != 1) {
      *this = make(std::as_const(*node_));
    }
    return *node_;
  }

 private:
  explicit SharedRef(Node* node) noexcept : node_(node) {}

  Node* node_ = nullptr;
};

}  // namespace pintle::internal
