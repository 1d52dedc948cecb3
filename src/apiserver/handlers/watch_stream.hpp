// WatchStream: a watch as a body that is made while it is read.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <pintle/http/handler.hpp>

#include "apiserver/call/service.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/lag.hpp"
#include "present.hpp"
#include "selection.hpp"

namespace pintle::apiserver {

struct WatchPlan {
  std::vector<Object> initial{};   // ADDED before everything else
  bool marks_initial_end = false;  // with a bookmark behind them
  Version initial_version = 0;     // the version they are of
  Position place{};                // where to read on
  Version after = 0;               // changes up to here are not shown
  bool bookmarks = false;
  std::shared_ptr<const Lag> lag{};  // none: it follows what is written at once
  Instant deadline = Instant::max();
};

// An event ERROR, as a line.
[[nodiscard]] std::string error_event(const Refusal& refusal);

// Keeps its place in the window of the storage, and nothing of what it has read. Ends at its deadline, and when the
// window has moved past it. One reader at a time.
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
  bool read_initial(std::string& out);
  [[nodiscard]] Version reached() const;
  void append_change(std::string& out, const Change& change) const;
  void append_written(std::string& out, std::string_view type, const Change& change) const;
  void append_event(std::string& out, std::string_view type, const Object& object) const;
  void append_bookmark(std::string& out, Version version, bool ends_initial);
  void plan_bookmark();

  Service& service_;
  const ResourcePtr resource_;
  const std::string prefix_;  // of the keys that are shown
  const Selection selection_;
  Presenter presenter_;
  WatchPlan plan_;
  std::size_t next_initial_ = 0;
  Instant next_bookmark_ = Instant::max();
  Instant next_look_ = Instant::max();  // at what is held back by the lag
  const std::shared_ptr<Wakeup> wakeup_;
  const std::uint64_t subscription_;
};

}  // namespace pintle::apiserver
