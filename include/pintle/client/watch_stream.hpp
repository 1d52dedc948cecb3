// WatchStream: the events in the body of a watch.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

enum class WatchEventType { added, modified, deleted, bookmark };

struct WatchEvent {
  WatchEventType type{};
  Object object{};                   // of a deletion the last content; of a bookmark a resourceVersion and nothing else
  bool ends_initial_events = false;  // of a bookmark: what WatchOptions::send_initial_events asks for has come
};

// The same, and what an object is known by whatever else is kept: apiVersion, kind, and of its metadata name,
// namespace, uid, resourceVersion and deletionTimestamp. What is dropped in so many words is not kept:
// check_projection().
[[nodiscard]] json::Projection with_identity(json::Projection projection);

// Error: invalid for a projection that drops one of these, or has a path that is none; it names the path.
[[nodiscard]] Result<void> check_projection(const json::Projection& projection);

struct WatchStreamOptions {
  std::size_t longest_event = std::size_t{64} << 20U;  // bytes
  json::Pool* pool = nullptr;                          // of the objects
  json::Projection projection{};                       // what is kept of them, with_identity()
  bool metadata_only = false;                          // they come as PartialObjectMetadata
};

// Cuts bytes that arrive in any pieces into events. Thread-safety: none.
class WatchStream {
 public:
  explicit WatchStream(GroupVersionKind kind, WatchStreamOptions options = {});

  void add(std::string_view bytes);
  // The next whole event; nothing until more bytes come. Errors: what the server says in an ERROR event; invalid for
  // text that is no event, an event that is too long, of an unknown type, or about another kind, such as a Table.
  [[nodiscard]] std::optional<Result<WatchEvent>> next();
  // Whether the last error broke the stream; after one that did not, the next event may be good.
  [[nodiscard]] bool is_broken() const noexcept { return broken_; }

 private:
  [[nodiscard]] Result<WatchEvent> event_in(std::string_view line);
  [[nodiscard]] static Error error_in(std::string_view line);
  [[nodiscard]] Error broken(Error error);

  GroupVersionKind kind_;
  std::size_t longest_;
  std::shared_ptr<json::Document> object_;  // of the event that is read
  json::Reader reader_;
  std::string bytes_;  // those before begin_ are used
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;  // no line ends before this
  bool broken_ = false;
};

}  // namespace pintle
