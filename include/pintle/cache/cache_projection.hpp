// SPDX-License-Identifier: Apache-2.0
// CacheProjection: the parts of its objects that a cache keeps.
#pragma once

#include <functional>

#include <pintle/json/projection.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

/// The parts of each object of a kind that a cache keeps. The remaining parts use no memory and read as missing.
struct CacheProjection {
  json::Projection projection{
      .drop = {"/metadata/managedFields"}};  ///< with_identity_fields() is applied to it; see validate_projection()
  /// Changes each object after the projection and before it is cached. It must not change the members that
  /// with_identity_fields() names, for example the finalizers. It runs on the I/O thread, and for the response to a
  /// write on the writing thread, so it must not block and must be thread-safe. If it throws or changes one of these
  /// members, the cache treats the object as missing, logs an error and counts it in
  /// pintle_informer_dropped_objects_total.
  std::function<void(json::Value&)> transform{};
  /// Requests only the metadata of the objects, so that the server does not send the rest. It replaces
  /// `projection.keep`.
  bool metadata_only = false;
};

}  // namespace pintle
