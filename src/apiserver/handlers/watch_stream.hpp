// SPDX-License-Identifier: Apache-2.0
// WatchStream: the body of a watch, printed while it is read.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/http/handler.hpp>

#include "apiserver/call/service.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/lag.hpp"
#include "present.hpp"
#include "selection.hpp"

namespace pintle::apiserver {

struct WatchPlan {
  std::vector<Object> initial{};   // sent as ADDED before all other events
  bool marks_initial_end = false;  // followed by a bookmark
  Version initial_version = 0;     // the version of `initial`
  Position place{};                // where to continue reading
  Version after = 0;               // changes up to this version are not sent
  bool bookmarks = false;
  std::shared_ptr<const Lag> lag{};  // null: no lag
  Instant deadline = Instant::max();
};

// Returns an ERROR event as one line, or as a frame of protobuf.
[[nodiscard]] std::string error_event(const Refusal& refusal, bool is_protobuf);

// Keeps its position in the window of the storage and nothing that it has read. Ends at its deadline, and if the window
// has moved past the position. One reader at a time.
class WatchStream final : public http::BodyStream {
 public:
  WatchStream(Service& service, ResourcePtr resource, std::string namespace_, Selection selection, Presenter presenter,
              WatchPlan plan);
  ~WatchStream() override;
  WatchStream(const WatchStream&) = delete;
  WatchStream& operator=(const WatchStream&) = delete;

  State read(std::string& out) override;
  void on_ready(std::function<void()> wake) override;
  [[nodiscard]] Instant next_deadline() const override;

 private:
  // The conversion of the objects of a change by a webhook, which ends on another thread.
  struct Conversion {
    explicit Conversion(Executor& executor) : mutex(executor) {}
    Mutex mutex;
    std::optional<StatusOr<std::vector<Object>>> result PINTLE_GUARDED_BY(mutex);
  };

  bool read_initial(std::string& out);
  // Appends the changes of `unsent_`. Returns nothing when all are appended.
  [[nodiscard]] std::optional<State> append_unsent(std::string& out);
  // Returns a change with its objects in the version of this watch; nothing while a webhook converts them.
  [[nodiscard]] std::optional<StatusOr<ChangePtr>> converted(const ChangePtr& change);
  [[nodiscard]] Version reached() const;
  void append_change(std::string& out, const Change& change);
  void append_written(std::string& out, std::string_view type, const Change& change);
  void append_protobuf(std::string& out, std::string_view type, std::optional<std::string> object) const;
  void append_event(std::string& out, std::string_view type, const Object& object);
  void append_bookmark(std::string& out, Version version, bool ends_initial);
  void plan_bookmark();

  Service& service_;
  const ResourcePtr resource_;
  const std::string prefix_;  // of the keys in the namespace
  const Selection selection_;
  Presenter presenter_;
  WatchPlan plan_;
  std::size_t next_initial_ = 0;
  Instant next_bookmark_ = Instant::max();
  Instant next_poll_ = Instant::max();      // when to read changes that the lag holds back
  bool has_sent_columns_ = false;           // of a Table
  std::deque<ChangePtr> unsent_;            // changes that have been read and must be converted first
  std::shared_ptr<Conversion> conversion_;  // of the first of them
  const std::shared_ptr<Wakeup> wakeup_;
  const std::uint64_t subscription_;
};

}  // namespace pintle::apiserver
