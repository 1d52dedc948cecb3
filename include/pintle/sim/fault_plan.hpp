// FaultPlan: what goes wrong on a MemoryTransport, said in advance. ApiServer has most of it too: apiserver/faults.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pintle/http/message.hpp>

namespace pintle::http {

// Answers an error in place of the server, or in place of the answer to what it has done. Without a body it is a Status
// with `reason`, a plain word.
struct AnswerError {
  int status = 500;
  std::string reason = "InternalError";
  Headers headers{};  // {{"Retry-After", "1"}}
  std::string body{};
  bool after_commit = false;
};
// Another writer was faster, or so it says.
[[nodiscard]] inline AnswerError answer_conflict() { return {.status = 409, .reason = "Conflict"}; }

// The request waits this long on its way. Its own timeout runs meanwhile, and one that ends it keeps it from the
// server. With after_commit the answer waits, to what the server has done.
struct Delay {
  Duration duration{};
  bool after_commit = false;
};
// No answer comes, `unreachable`: the request was lost, or with after_commit the answer to what the server has done.
struct Drop {
  bool after_commit = false;
};
// The body ends early, whichever comes first.
struct Cut {
  enum class How {
    reset,    // with `unreachable`
    end,      // as if it were whole
    silence,  // not at all: nothing more comes, as from a peer that lost its power
  };
  std::uint64_t after_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t after_events = std::numeric_limits<std::uint64_t>::max();  // whole lines
  Duration after = Duration::max();                                        // since the head
  How how = How::reset;
};
// The nth line of a watch or a stream alike, counted from 1, is delivered twice; 0: each is.
struct RepeatEvent {
  std::uint64_t nth = 0;
};
// The nth line of such a stream, counted from 1, and all behind it, wait this long.
struct StallEvents {
  std::uint64_t nth = 1;
  Duration duration{};
};
// The body comes in pieces of at most so many bytes, wherever a line ends.
struct SplitBody {
  std::size_t bytes = 1;
};
// MemoryTransport::crash(), before the request reaches the server or after it was done; then calls `then`, on the I/O
// thread.
struct Crash {
  bool after_commit = false;
  std::function<void()> then{};
};

// Which requests, and what happens to them. A plain value.
template <class Effect>
struct FaultRule {
  Effect effect{};
  // Those it counts; empty: all. Called once for each request, in the order they come, by one thread at a time.
  std::function<bool(const Request&)> only{};
  bool per_target = false;                                          // counts each method and path by itself
  std::uint64_t first = 1;                                          // of those counted, this one
  std::uint64_t every = 1;                                          // and then each of this many
  std::uint64_t times = std::numeric_limits<std::uint64_t>::max();  // at most so often
  double probability = 1;                                           // drawn from the seed of the runtime
};

using Fault = FaultRule<std::variant<AnswerError, Delay, Drop, Cut, RepeatEvent, StallEvents, SplitBody, Crash>>;

// All faults that hit a request happen to it: delays add up, and of several that do the same the first counts. A crash
// comes before a drop, a drop before an answer.
using FaultPlan = std::vector<Fault>;

// For Fault::only.
[[nodiscard]] bool is_write(const Request& request);
[[nodiscard]] bool is_watch(const Request& request);
[[nodiscard]] bool is_list_or_get(const Request& request);
// By method and the beginning of the target; "" for any.
[[nodiscard]] std::function<bool(const Request&)> requests(std::string_view method, std::string_view target_prefix);

}  // namespace pintle::http
