// ReconcileCause: one reason why a pass runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// A plain value. It holds the object that changed as it is and was; copying costs two counts.
struct ReconcileCause {
  enum class Source {
    initial,   // the object was there when the operator began
    change,    // the object itself
    owned,     // an object it owns
    mapped,    // an object of another kind that has to do with it
    channel,   // code of this program said so
    poll,      // a look at an outside system said so
    retry,     // the pass before failed, or asked for another with back-off
    timer,     // the pass before named a time
    resync,    // the controller looks at everything every so often
    schedule,  // the controller's schedule
    overflow,  // the queue was full, and what it may have missed is looked at
  };
  enum class Verb { none, added, updated, deleted };

  Source source = Source::change;
  Verb verb = Verb::none;
  Object object{};     // that changed: as it is, or was before it went; none for sources that have none
  Object before{};     // of an update
  std::string note{};  // of a channel or poll: its name, or what it said; "in cluster b" for an object from elsewhere
  Instant queued{};    // when it was added to the queue
  Instant due{};       // when it wants its pass; later than `queued` for a retry, timer, resync and schedule
  unsigned retry = 0;  // the n-th in a row, for Source::retry
  int priority = 0;    // with which it was added
  // It only confirms what a pass of this controller has written; see Controller.
  bool own = false;
  std::vector<std::string> between{};  // Change::between

  // Where the object differs from what it was, as JSON pointers; of an update alone.
  [[nodiscard]] std::vector<std::string> changed(std::size_t most = 16) const;

  // "owned v1 ConfigMap default/a updated (version 7: /data/text, /metadata/resourceVersion)".
  [[nodiscard]] std::string to_string() const;
};

// All of them, "; " between.
[[nodiscard]] std::string to_string(const std::vector<ReconcileCause>& causes);
[[nodiscard]] std::string_view to_string(ReconcileCause::Source source) noexcept;
[[nodiscard]] std::string_view to_string(ReconcileCause::Verb verb) noexcept;

}  // namespace pintle
