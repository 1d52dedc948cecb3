// SPDX-License-Identifier: Apache-2.0
// WriteObserver: receives the results of a client's writes, so that a cache contains them before the watch delivers
// them.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// Called on the writing thread before the write returns, possibly by several threads at the same time. The functions
/// must not block. Dry runs are not reported.
class PINTLE_EXPORT WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  /// Parses the object in the response to a write into the form that the observer keeps; the write then returns this
  /// object. An observer that drops more than managedFields must return nothing; the client then parses the response
  /// itself. Not called if the kind has several observers. Error: invalid if the response is not an object.
  virtual std::optional<Result<Object>> read(std::string_view body) {
    (void)body;
    return {};
  }
  /// Returns the object as the observer has it, or an empty Object. Called before a write of the object is sent.
  virtual Object cached(const ObjectKey& key) const {
    (void)key;
    return {};
  }
  /// `object`: the object in the response to a write. If it is being deleted and has no finalizers and no grace period
  /// left, the write has completed the deletion: the object no longer exists on the server.
  ///
  /// `from`: the version that the write required by a precondition and replaced; "" for a create. None if the write had
  /// no such precondition: the write may then have replaced a change of another client that this process has not
  /// received (docs/internals/writing.md, "Only a write for one version excludes others"). Also none if `made_it` is
  /// false.
  ///
  /// `made_it`: whether the write created the version of `object`. False for a deletion, and for a write that changed
  /// nothing, because its response has the version of an earlier write. A write without a precondition on the version
  /// is assumed to have changed nothing if the object from cached() already had the written content.
  ///
  /// `before`: the object from cached() when the write was sent; empty if no observer had it.
  virtual void on_written(const Object& object, std::optional<std::string_view> from, bool made_it,
                          const Object& before) = 0;
  /// A delete removed the object with this uid. `before`: as for on_written().
  virtual void on_removed(const ObjectKey& key, std::string_view uid, const Object& before) = 0;
  /// A delete was accepted, and the object in its response still exists, for example until its finalizers are removed.
  /// `before`: as for on_written().
  virtual void on_deleting(const Object& object, const Object& before) {
    (void)object;
    (void)before;
  }
  /// A create with a generated name failed without a response that shows whether the server carried it out.
  virtual void on_pending_create() = 0;
  /// Another cache found a rewind or a replacement of the server.
  virtual void on_rewind() {}
};

}  // namespace pintle
