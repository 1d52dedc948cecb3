// SPDX-License-Identifier: Apache-2.0
// Reflector: the list and watch protocol of a cache, as a state machine without I/O.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cache/cache_projection.hpp>
#include <pintle/cache/list_mode.hpp>
#include <pintle/cache/object_table.hpp>
#include <pintle/client/watch_stream.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// The actions that the caller of a reflector must carry out, in order. At any time exactly one list, watch or timer is
/// in progress.
struct StartList {
  std::string resource_version{};
  std::string resource_version_match{};
  std::uint64_t limit = 0;  ///< 0: none
  std::string continue_{};
};
struct StartWatch {
  std::string resource_version{};
  std::chrono::seconds timeout{};
  bool send_initial_events = false;
};
struct StartTimer {
  Duration delay{};
};
/// Replaces the content of the cache: objects that are not in `objects` no longer exist.
struct Replace {
  std::vector<Object> objects{};
  std::string resource_version{};  ///< of the list
  /// True if the list may follow a rewind or a replacement of the server. An object of the list can then differ from an
  /// earlier object with the same uid and resourceVersion.
  bool may_follow_rewind = false;
  /// True if the versions show that the server was rewound or replaced: the list, or an event before it, has a version
  /// below that of the cache. Everything that depends on earlier versions must then be dropped, even if the list and
  /// the cache contain the same objects.
  bool follows_rewind = false;
};
struct Put {
  Object object{};
};
struct Erase {
  Object object{};  ///< the last state that the server sent
};
/// An error that the reflector recovers from; for logs and metrics.
struct Warning {
  Error error{};
};

/// Objects that the cache leaves out because they cannot be kept; for logs and metrics. A list in pages gives at most
/// ten of these values; the sum of their `objects` is the number of objects that were left out. A streaming list and a
/// watch give one value for each event with such an object.
struct DroppedObjects {
  Error error{};
  std::size_t objects = 1;
};

using ReflectorAction = std::variant<StartList, StartWatch, StartTimer, Replace, Put, Erase, Warning, DroppedObjects>;

struct ReflectorOptions {
  GroupVersionKind kind{};
  ListMode list_mode = ListMode::paged;
  std::uint64_t page_size = 500;
  Backoff backoff = reflector_backoff;
  /// Limits of a streaming list; both times begin when the server accepts the watch. A list in pages replaces the
  /// streaming list if no object has arrived for `max_stream_pause`, or if it is not complete after `max_stream_time`.
  Duration max_stream_pause = std::chrono::seconds(10);
  Duration max_stream_time = std::chrono::minutes(1);
  /// No streaming list is requested before this time. After the server has rejected a streaming list, or no object has
  /// arrived for `max_stream_pause`, the reflector sets it to one day later, because the server does not seem to
  /// support streaming lists. Reflectors of one kind on one server can share it; null: this reflector alone.
  std::shared_ptr<std::atomic<Instant>> stream_pause{};
  /// Minimum and maximum timeout of a watch. The timeout is chosen at random between them.
  std::chrono::seconds min_watch_timeout{300};
  std::chrono::seconds max_watch_timeout{600};
  /// Maximum size in bytes of a watch event, and of an object in a list. A larger one ends the watch or the list with
  /// an error.
  std::size_t max_event_size = WatchStreamOptions{}.max_event_size;
  json::Pool* pool = nullptr;  ///< of the objects; must outlive the reflector; null: each object is self-contained
  bool metadata_only = false;  ///< request only the metadata of the objects
  CacheProjection projection{};
  std::function<double()> random = [] { return 0.5; };  ///< returns a number in [0, 1)
};

/// Lists, pages, watches, uses bookmarks, relists and backs off as client-go does; docs/internals/list-watch.md has the
/// rules. Does no I/O: the caller carries out the actions and reports the results. Thread-safety: none.
///
/// There are two differences from client-go. Relists are paged too. The reflector also detects a rewind or a
/// replacement of the server, even if the server reports no error and continues to serve watches. A watch event with a
/// version below that of the cache is rejected; the watch ends, and the reflector lists again. If a watch breaks or
/// ends early, the reflector opens it again and schedules a list, which takes place one to two minutes later. Any
/// earlier list replaces the scheduled one. While watches keep breaking, the minimum time between two scheduled lists
/// doubles from one minute up to one hour.
class PINTLE_EXPORT Reflector {
 public:
  using Actions = std::vector<ReflectorAction>;

  explicit Reflector(ReflectorOptions options);

  /// Returns the first action. `reads_newest`: the first list must not be older than this call.
  [[nodiscard]] Actions start(Instant now = {}, bool reads_newest = false);

  /// Bytes of the requested list, in pieces of any size. They have no effect before the end of the list.
  void on_list_bytes(std::string_view bytes);
  /// The list is complete, or it failed with an error, which contains the HTTP status.
  [[nodiscard]] Actions on_list_end(Result<void> end, Instant now);

  /// The server accepted the watch.
  void on_watch_open(Instant now);
  /// Bytes of the watch, in pieces of any size.
  [[nodiscard]] Actions on_watch_bytes(std::string_view bytes);
  /// If this returns a time, a streaming list is in progress, and the caller must call on_stream_pause() at that time.
  [[nodiscard]] std::optional<Instant> stream_deadline() const;
  void on_stream_pause(Instant now);
  /// True if the caller must cancel the watch, because it violated the protocol or contained an error. The caller then
  /// reports the end of the watch as usual.
  [[nodiscard]] bool should_end_watch() const noexcept { return stream_error_.has_value(); }
  /// The watch ended without an error or with one. A watch that the server refused is also reported here.
  [[nodiscard]] Actions on_watch_end(Result<void> end, Instant now);

  /// Call it if something other than the watch shows that the server may have been rewound or replaced, for example a
  /// response to a write. Ends the watch (see should_end_watch()) to list again. Schedules a later list instead if the
  /// last list for this reason was made a short time ago, if no watch is open, or if a streaming list is in progress.
  void on_version_conflict(Instant now);

  /// The requested timer has fired.
  [[nodiscard]] Actions on_timer();

  /// Applies the projection and the transform to an object that came from another source. Error: invalid if a path of
  /// the projection is invalid or the transform fails.
  [[nodiscard]] static Result<Object> project(json::View object, const ReflectorOptions& options);

  /// The version of the cache; "" before the first list.
  [[nodiscard]] const std::string& resource_version() const noexcept { return version_; }
  /// Whether the requested lists and watches may be protobuf. False after protobuf could not be decoded, for example
  /// because a newer server sent a member that protobuf_types() does not have. JSON does not have this limit.
  [[nodiscard]] bool accepts_protobuf() const noexcept { return accepts_protobuf_; }
  /// The number of objects that have arrived for a list that is not complete yet.
  [[nodiscard]] std::size_t arrived_objects() const noexcept { return items_->size() + initial_.size(); }
  /// Whether the server has sent a bookmark. Some servers send none, for example aggregated API servers.
  [[nodiscard]] bool has_seen_bookmark() const noexcept { return has_seen_bookmark_; }

 private:
  enum class Next { list, watch };

  using Items = std::vector<Object>;
  struct LeftOut {
    std::vector<Error> errors{};  // of the first objects
    std::size_t count = 0;
  };

  // A list that is scheduled because the server may have been rewound or replaced.
  struct Check {
    std::optional<Instant> due{};  // none: no list is scheduled
    Instant not_before{};          // earliest time of the next one
    Duration interval = std::chrono::minutes(1);
  };

  [[nodiscard]] static json::ReaderOptions page_options(const ReflectorOptions& options, std::shared_ptr<Items> items,
                                                        std::shared_ptr<LeftOut> dropped);
  [[nodiscard]] ReflectorAction list_mode();
  void pause_streams(Instant now) { *options_.stream_pause = after(now, std::chrono::hours(24)); }
  [[nodiscard]] StartList first_page() const;
  [[nodiscard]] StartWatch watch();
  [[nodiscard]] StartWatch watch_for(std::chrono::seconds timeout);
  [[nodiscard]] StartWatch next_watch();
  [[nodiscard]] bool is_check_due() const { return check_.due && *check_.due <= now_; }
  [[nodiscard]] StartWatch stream();
  [[nodiscard]] WatchStream new_stream() const;
  [[nodiscard]] Result<std::string> take_page(Result<json::Document> page);
  [[nodiscard]] Actions list_as_json(Error error);
  [[nodiscard]] Actions list_failed(Error error, Instant now);
  [[nodiscard]] Replace replaced(std::vector<Object> objects, Instant now);
  [[nodiscard]] bool is_behind(std::string_view version) const;
  [[nodiscard]] Error outdated(std::string_view version) const;
  void put(Object object, Actions& actions) const;
  void check_later(Instant now);
  void list_soon(Instant now, Actions& actions);
  void take_event(WatchEvent event, Actions& actions);
  void take_initial_event(WatchEvent event, Actions& actions);
  [[nodiscard]] Actions stream_failed(std::optional<Error> error, Instant now);
  void back_off_after(Error error, Next next, Instant now, Actions& actions);
  void back_off(Next next, Instant now, Actions& actions, Duration at_least = {});

  ReflectorOptions options_;
  std::string version_;
  bool version_unavailable_ = false;  // the server no longer has version_, or not yet: read the newest version
  Next next_ = Next::list;

  std::shared_ptr<Items> items_;      // of the pages so far
  std::shared_ptr<LeftOut> dropped_;  // of the pages so far
  std::size_t checked_items_ = 0;     // number of items_ from earlier pages
  bool is_page_empty_ = true;         // no byte of the page has arrived
  bool is_page_protobuf_ = false;
  bool accepts_protobuf_ = true;
  json::Reader page_;
  std::string list_version_;
  bool paging_ = false;
  bool unpaged_ = false;  // the snapshot of a page has expired: list without pages

  WatchStream stream_;
  std::size_t events_ = 0;
  bool watching_ = false;
  Instant now_{};  // the last time that was passed in
  Instant opened_{};
  std::chrono::seconds timeout_{};  // of the watch
  Instant watch_until_{};           // when the watch reaches its timeout
  std::optional<Error> stream_error_;
  bool has_seen_bookmark_ = false;
  bool was_rewound_ = false;  // an event had a version below that of the cache; the next list follows a rewind
  bool synthetic_ = false;    // a watch from "" or "0" is still sending the objects that existed before it
  bool is_initial_ = false;   // a streaming list is not complete yet
  ObjectTable initial_;

  std::size_t initial_events_ = 0;     // of the streaming list
  std::size_t counted_events_ = 0;     // initial_events_ at the last on_stream_pause()
  std::optional<Instant> stream_due_;  // none: no streaming list is in progress

  unsigned failures_ = 0;
  std::optional<Instant> last_failure_;
  Duration delay_{};  // of the timer
  Check check_;
};

}  // namespace pintle
