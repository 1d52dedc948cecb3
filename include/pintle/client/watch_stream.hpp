// SPDX-License-Identifier: Apache-2.0
// WatchStream: parses the events in the body of a watch.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/client/watch_event.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// Adds the members of an object that caches and controllers need to the paths that a projection keeps: apiVersion,
/// kind, and metadata.name, namespace, uid, resourceVersion, generation, deletionTimestamp, deletionGracePeriodSeconds,
/// finalizers and ownerReferences. Paths that the projection drops explicitly stay dropped; see validate_projection().
[[nodiscard]] PINTLE_EXPORT json::Projection with_identity_fields(json::Projection projection);

/// Error: invalid, with the path, if the projection drops a part of these members or contains an invalid path.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_projection(const json::Projection& projection);

struct WatchStreamOptions {
  std::size_t max_event_size = std::size_t{64} << 20U;  ///< bytes
  json::Pool* pool = nullptr;                           ///< for the objects
  json::Projection projection{};                        ///< of the objects; with_identity_fields() is applied to it
  bool metadata_only = false;                           ///< the objects arrive as PartialObjectMetadata
};

/// Splits bytes, which may arrive in pieces of any size, into events. The bytes are lines of JSON or, for a built-in
/// kind, frames of protobuf; the first byte distinguishes them. Thread-safety: none.
class PINTLE_EXPORT WatchStream {
 public:
  explicit WatchStream(GroupVersionKind kind, WatchStreamOptions options = {});

  void add(std::string_view bytes);
  /// Returns the next complete event, or nothing until more bytes are added. Errors: that of an ERROR event; invalid
  /// for malformed text, and for an event that is too long, has an unknown type, or is about another kind, such as a
  /// Table.
  [[nodiscard]] std::optional<Result<WatchEvent>> next();
  /// Whether the last error ended the stream. After an error that did not end it, the next event may be valid.
  [[nodiscard]] bool is_broken() const noexcept { return broken_; }
  /// Whether the last error was caused by protobuf that could not be decoded. The same events may be valid in JSON.
  [[nodiscard]] bool has_bad_protobuf() const noexcept { return has_bad_protobuf_; }

 private:
  [[nodiscard]] std::optional<Result<WatchEvent>> next_line();
  [[nodiscard]] std::optional<Result<WatchEvent>> next_frame();
  [[nodiscard]] Result<WatchEvent> event_in(std::string_view line);
  [[nodiscard]] Result<WatchEvent> event_in_frame(std::string_view frame);
  [[nodiscard]] Result<WatchEvent> checked(std::string_view type, Object object, bool ends_initial_events) const;
  [[nodiscard]] Error too_long() const;
  [[nodiscard]] static Error error_in(json::View status);
  [[nodiscard]] Error broken(Error error);

  GroupVersionKind kind_;
  std::size_t max_event_size_;
  std::shared_ptr<json::Document> object_;  // of the event that is being parsed
  json::Reader reader_;
  json::Reader object_reader_;  // of the objects in frames
  std::string bytes_;           // the bytes before begin_ are consumed
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;  // no line ends before this
  bool is_first_ = true;      // no byte has arrived
  bool is_framed_ = false;    // the bytes are protobuf
  bool broken_ = false;
  bool has_bad_protobuf_ = false;
};

}  // namespace pintle
