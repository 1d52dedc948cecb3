// SPDX-License-Identifier: Apache-2.0
// FaultPlan: rules that inject faults into an InProcessTransport. ApiServer supports most of these faults too: see
// apiserver/faults.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/http/message.hpp>

namespace pintle::http {

/// Sends an error response, and the request does not reach the server. With after_commit, the server handles the
/// request and the error replaces its response. If `body` is empty, the body is a Status with `reason`, which must be a
/// plain word.
struct ErrorResponse {
  int status = 500;
  std::string reason = "InternalError";
  Headers headers{};  ///< for example {{"Retry-After", "1"}}
  std::string body{};
  bool after_commit = false;
  /// Returns the body instead of `body`, for responses that depend on the request. Called if this response applies, on
  /// the thread that calls FaultRule::only. Not supported by ApiServer.
  std::function<std::string(const Request&)> body_of{};
};
/// A 409 Conflict, as if another writer had been faster.
[[nodiscard]] inline ErrorResponse conflict_response() { return {.status = 409, .reason = "Conflict"}; }

/// Delays the request before it reaches the server. The timeout of the request continues to run; if it expires, the
/// request does not reach the server. With after_commit, the server handles the request and the response is delayed.
struct Delay {
  Duration duration{};
  bool after_commit = false;
};
/// Drops the request, and the exchange ends with `unreachable`. With after_commit, the server handles the request and
/// the response is dropped.
struct Drop {
  bool after_commit = false;
};
/// Ends the body early, at the first of the three limits that is reached.
struct TruncateBody {
  enum class How {
    reset,    ///< the exchange ends with `unreachable`
    end,      ///< the exchange ends with success, as if the body were complete
    silence,  ///< the exchange does not end and no more data arrives, as from a peer that lost power
  };
  std::uint64_t after_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t after_events = std::numeric_limits<std::uint64_t>::max();  ///< whole events
  Duration after = Duration::max();                                        ///< time since the head
  How how = How::reset;
};
/// Delivers the nth event of a watch or similar stream twice. An event is a line of JSON or a frame of protobuf. Events
/// are counted from 1; 0: every event.
struct RepeatEvent {
  std::uint64_t nth = 0;
};
/// Delays the nth event of a watch or similar stream, counted from 1, and all events after it.
struct StallEvents {
  std::uint64_t nth = 1;
  Duration duration{};
};
/// Delivers the body in pieces of at most `bytes` bytes, regardless of line ends.
struct SplitBody {
  std::size_t bytes = 1;
};
/// Calls InProcessTransport::crash(), and then `then` on the I/O thread. The request does not reach the server. With
/// after_commit, the server handles the request before the crash.
struct Crash {
  bool after_commit = false;
  std::function<void()> then{};
};

/// Selects requests and injects one fault into them. A plain value.
template <class Effect>
struct FaultRule {
  Effect effect{};
  /// Returns whether the rule counts a request; empty: it counts all requests. Called once for each request, in the
  /// order of the requests, by one thread at a time.
  std::function<bool(const Request&)> only{};
  bool per_target = false;                                          ///< count each method and path separately
  std::uint64_t first = 1;                                          ///< hits the counted request with this number
  std::uint64_t every = 1;                                          ///< and then each n-th one
  std::uint64_t times = std::numeric_limits<std::uint64_t>::max();  ///< maximum number of hits
  double probability = 1;                                           ///< of each hit; the seed determines the outcome
};

using Fault =
    FaultRule<std::variant<ErrorResponse, Delay, Drop, TruncateBody, RepeatEvent, StallEvents, SplitBody, Crash>>;

/// All faults that hit a request apply to it. Delays add up; if several other faults have the same type, the first one
/// applies. A crash takes precedence over a drop, and a drop over an error response. Exception: a drop without
/// after_commit takes precedence over a crash with after_commit.
using FaultPlan = std::vector<Fault>;

/// Predicates for Fault::only.
[[nodiscard]] PINTLE_EXPORT bool is_write(const Request& request);
[[nodiscard]] PINTLE_EXPORT bool is_watch(const Request& request);
[[nodiscard]] PINTLE_EXPORT bool is_list_or_get(const Request& request);
/// Selects requests by method and by the prefix of the target; "" selects all.
[[nodiscard]] PINTLE_EXPORT std::function<bool(const Request&)> requests(std::string_view method,
                                                                         std::string_view target_prefix);

}  // namespace pintle::http
