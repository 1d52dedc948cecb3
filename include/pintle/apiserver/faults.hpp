// SPDX-License-Identifier: Apache-2.0
// ServerFaults: rules that inject faults into an ApiServer, for all its clients, including those behind a socket.
//
//   server.set_faults({.rules = {
//       {.effect = http::ErrorResponse{.status = 429, .headers = {{"Retry-After", "1"}}},
//        .only = RequestMatcher{.verbs = {"create", "patch"}, .resource = "configmaps"},
//        .every = 3},
//       {.effect = ErrorEvent{.after_events = 2}, .only = RequestMatcher{.resource = "pods"}, .times = 1}}});
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle {

/// Serves a get, list or watch from a replica that lags behind, as caches of a real cluster can. The lag is a number of
/// versions or a time; if both are set, the older state is used. The replica is never further behind than the watch
/// window. A get or list of a version that the replica has not reached receives the error ResourceVersionTooLarge. A
/// watch from such a version is accepted and sends nothing until the replica has reached it. A watch lags until it ends
/// or until the faults are replaced. The second and later pages of a list are not affected.
struct StaleRead {
  std::uint64_t versions = 0;
  Duration age{};
  /// Applies also to a get or list without resourceVersion, and to the initial objects of such a watch with
  /// sendInitialEvents. A real cluster always takes these from the newest state.
  bool include_unversioned = false;
};

/// Ends a watch with an ERROR event that contains a Status, after `after_events` other events.
struct ErrorEvent {
  int status = 410;
  std::string reason = "Expired";
  std::uint64_t after_events = 0;
};

/// Removes all bookmarks from a watch.
struct WithholdBookmarks {
  bool only_initial_end = false;  ///< true: removes only the bookmark that ends the initial events of a streaming list
};

/// Rewinds the server by this number of versions, or as far as possible, before the request is handled; see
/// ApiServer::rewind().
struct Rewind {
  std::uint64_t versions = 1;
  bool keep_watches = false;  ///< true: no watch ends, so only a lower version in a later event shows the rewind
};

/// Selects requests for ServerFault::only. All members that are not empty must match. A request without a resource,
/// such as discovery, has no verb, resource, namespace or name.
struct PINTLE_EXPORT RequestMatcher {
  std::vector<std::string> verbs{};  ///< get, list, watch, create, update, patch, delete, deletecollection
  std::string resource{};            ///< "configmaps", "pods/status", "greetings.demo.pintle.dev"
  std::string namespace_{};
  std::string name{};
  std::string path{};    ///< prefix of the target: "/api/v1/"
  std::string client{};  ///< prefix of the User-Agent: "kubectl"

  [[nodiscard]] bool operator()(const http::Request& request) const;
};

/// The faults of namespace http take effect in the server, when a request arrives or when its response is sent. Drop,
/// and TruncateBody with How::reset, close the connection. A Delay occupies no thread.
using ServerFault =
    http::FaultRule<std::variant<http::ErrorResponse, http::Delay, http::Drop, http::TruncateBody, http::RepeatEvent,
                                 http::StallEvents, http::SplitBody, StaleRead, ErrorEvent, WithholdBookmarks, Rewind>>;

/// A rule counts only requests to which its fault can apply:
/// - StaleRead: each watch, and each get or list that may be stale;
/// - RepeatEvent, StallEvents, ErrorEvent and WithholdBookmarks: watches;
/// - the other faults: all requests.
///
/// All faults that hit a request apply to it, as in an http::FaultPlan. A drop takes precedence over an error response.
/// TruncateBody and SplitBody also apply to an error response; the faults of watches do not.
struct ServerFaults {
  std::vector<ServerFault> rules{};
  std::uint64_t seed = 0;  ///< for FaultRule::probability; 0: a seed from the executor
};

/// Parses rules from YAML or JSON, as `pintle dev --faults` does (docs/faults.md). Error: invalid. If the text is not
/// YAML, the error has no causes. Otherwise it has one StatusCause for each mistake: `field` is the place, such as
/// "faults[1].error.status", and `message` states the mistake and what to do.
[[nodiscard]] PINTLE_EXPORT Result<ServerFaults> parse_faults(std::string_view text);

}  // namespace pintle
