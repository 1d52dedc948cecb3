// Reflector: the protocol that keeps a local copy true, as a state machine: answers and time in, actions out.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pintle/base/backoff.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cache/kept_parts.hpp>
#include <pintle/cache/object_table.hpp>
#include <pintle/client/watch_stream.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// What a reflector wants done, in order. Exactly one of the three that start something is outstanding at any time.
struct StartList {
  std::string resource_version{};
  std::string resource_version_match{};
  std::uint64_t limit = 0;  // 0: none
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
// What it learned. Replace holds everything there is; keys not in it are gone.
struct Replace {
  std::vector<Object> objects{};
  std::string resource_version{};  // of all of them together
  // The server may have been set back or replaced: an object of the same uid and resourceVersion may have another
  // content than the one before.
  bool may_be_of_another_history = false;
};
struct Put {
  Object object{};
};
struct Erase {
  Object object{};  // the last content the server sent
};
// Something went wrong and is being dealt with; for log and metrics.
struct Trouble {
  Error error{};
};

// Objects are left out of the copy because they cannot be kept; for log and metrics. A list names the first of them.
struct Dropped {
  Error error{};
  std::size_t objects = 1;
};

using ReflectorAction = std::variant<StartList, StartWatch, StartTimer, Replace, Put, Erase, Trouble, Dropped>;

// How a copy begins.
enum class FirstRead {
  paged,      // by lists, then a watch from their version
  streaming,  // by a watch that begins with what is there (WatchList); by lists where that fails
};

struct ReflectorOptions {
  GroupVersionKind kind{};
  FirstRead first_read = FirstRead::paged;
  std::uint64_t page_size = 500;
  Backoff backoff = reflector_backoff;
  // The least and the most time a watch is asked to last; which it is, is random.
  std::chrono::seconds watch_at_least{300};
  std::chrono::seconds watch_at_most{600};
  // Bytes; a longer one ends the watch, and an object that is longer ends a list.
  std::size_t longest_event = WatchStreamOptions{}.longest_event;
  json::Pool* pool = nullptr;  // of the objects, and has to outlive the reflector; none: each is self-contained
  bool metadata_only = false;  // nothing else of the objects is asked for
  KeptParts kept{};
  std::function<double()> random = [] { return 0.5; };  // in [0, 1)
};

// Lists, watches, pages, bookmarks, relists and backs off as client-go does (docs/internals/list-watch.md has the
// rules). Unlike client-go it pages relists too, and does not trust that the server behind a connection is the one it
// was: a version that is lower than the copy's is not taken from a watch, and some time after a watch broke or ended
// early it lists once more (between one and two minutes later at first, later at most once an hour), since a server
// that was replaced or restored may go on as if nothing had happened. Does no I/O: the caller carries the actions out
// and reports what came. Thread-safety: none.
class Reflector {
 public:
  using Actions = std::vector<ReflectorAction>;

  explicit Reflector(ReflectorOptions options);

  // The first action.
  [[nodiscard]] Actions start();

  // Bytes of the list that was asked for, cut anywhere. Nothing of it counts before its end.
  void on_list_bytes(std::string_view bytes);
  // The list has come whole, or there was an error (the HTTP status is in it).
  [[nodiscard]] Actions on_list_end(Result<void> end, Instant now);

  // The watch was accepted.
  void on_watch_open(Instant now);
  // Bytes of the watch, cut anywhere.
  [[nodiscard]] Actions on_watch_bytes(std::string_view bytes);
  // The stream broke the protocol or brought an error: it should be cancelled, which then counts as the end of the
  // watch.
  [[nodiscard]] bool wants_end() const noexcept { return stream_error_.has_value(); }
  // The watch ended: well, or with an error, also one that refused it.
  [[nodiscard]] Actions on_watch_end(Result<void> end, Instant now);

  // Something else than the watch says that the server may have been set back or replaced. Ends the watch (wants_end())
  // for a list, or lists later if it has just done so for such a reason.
  void contradicted(Instant now);

  // The timer that was asked for has fired.
  [[nodiscard]] Actions on_timer();

  // What is kept of an object that came another way. Error: invalid for a projection with a path that is none.
  [[nodiscard]] static Result<Object> kept_of(json::View object, const ReflectorOptions& options);

  // The version the copy stands at; "" before the first list.
  [[nodiscard]] const std::string& resource_version() const noexcept { return version_; }

 private:
  enum class Next { list, watch };

  using Items = std::vector<Object>;
  struct LeftOut {
    std::vector<Error> errors{};  // the first of them
    std::size_t count = 0;
  };

  // A list that is due some time after something was odd.
  struct Check {
    std::optional<Instant> due{};  // none: nothing is
    Instant not_before{};          // of the next one
    Duration interval = std::chrono::minutes(1);
  };

  [[nodiscard]] static json::ReaderOptions page_options(const ReflectorOptions& options, std::shared_ptr<Items> items,
                                                        std::shared_ptr<LeftOut> dropped);
  [[nodiscard]] ReflectorAction first_read();
  [[nodiscard]] StartList first_page() const;
  [[nodiscard]] StartWatch watch();
  [[nodiscard]] StartWatch watch_for(std::chrono::seconds timeout);
  [[nodiscard]] StartWatch next_watch();
  [[nodiscard]] bool is_check_due() const { return check_.due && *check_.due <= now_; }
  [[nodiscard]] StartWatch stream();
  [[nodiscard]] WatchStream new_stream() const;
  [[nodiscard]] Result<std::string> take_page();
  [[nodiscard]] Actions list_failed(Error error, Instant now);
  [[nodiscard]] Replace replaced(std::vector<Object> objects, Instant now);
  [[nodiscard]] bool is_behind(std::string_view version) const;
  void put(Object object, Actions& actions) const;
  void check_later(Instant now);
  void list_soon(Instant now, Actions& actions);
  void take_event(WatchEvent event, Actions& actions);
  void take_initial_event(WatchEvent event, Actions& actions);
  [[nodiscard]] Actions stream_failed(std::optional<Error> error, Instant now);
  void back_off(Next next, Instant now, Actions& actions);

  ReflectorOptions options_;
  std::string version_;
  bool version_unavailable_ = false;  // the server no longer, or not yet, has it: read the newest in place of it
  Next next_ = Next::list;

  std::shared_ptr<Items> items_;      // of the pages so far
  std::shared_ptr<LeftOut> dropped_;  // of them
  std::size_t checked_items_ = 0;     // of them, those of earlier pages
  json::Reader page_;
  std::string list_version_;
  bool paging_ = false;
  bool unpaged_ = false;  // a page's snapshot was gone: read all at once

  WatchStream stream_;
  std::size_t events_ = 0;
  bool watching_ = false;
  Instant now_{};  // as far as it was told
  Instant opened_{};
  std::chrono::seconds timeout_{};  // of the watch
  Instant watch_until_{};           // when the server was asked to end it
  std::optional<Error> stream_error_;
  bool synthetic_ = false;   // events of a watch from "" or "0" before the first real one
  bool is_initial_ = false;  // the watch has not sent all that is there yet
  ObjectTable initial_;

  unsigned failures_ = 0;
  std::optional<Instant> last_failure_;
  Duration delay_{};  // of the timer
  Check check_;
};

}  // namespace pintle
