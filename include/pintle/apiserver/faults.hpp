// ServerFaults: what goes wrong on an ApiServer, said in advance, so that every client sees it, one behind a socket
// too.
//
//   server.set_faults({.rules = {
//       {.effect = http::AnswerError{.status = 429, .headers = {{"Retry-After", "1"}}},
//        .only = RequestsOf{.verbs = {"create", "patch"}, .resource = "configmaps"},
//        .every = 3},
//       {.effect = ErrorEvent{.after_events = 2}, .only = RequestsOf{.resource = "pods"}, .times = 1}}});
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle {

// A get, list or watch is answered by a replica that is so far behind, as caches of a real cluster can be: by versions,
// by time or, with both, by what is further. It goes as far back as the watch window does. A version it has not got to
// is refused as too large; a watch from there is silent until it has. A watch goes on being behind, until it ends or
// the faults are others. Further pages of a list are as ever.
struct StaleRead {
  std::uint64_t versions = 0;
  Duration age{};
  bool newest_too = false;  // a get and a list without resourceVersion as well, which no cluster answers like that
};

// A watch gets an event ERROR with a failed Status, behind so many others, and ends.
struct ErrorEvent {
  int status = 410;
  std::string reason = "Expired";
  std::uint64_t after_events = 0;
};

// A watch gets no bookmarks.
struct WithholdBookmarks {
  bool only_initial_end = false;  // all but the one that ends the initial events of a streaming list
};

// Before the request is seen to, ApiServer::rewind() by so many versions, or as far as it can.
struct Rewind {
  std::uint64_t versions = 1;
};

// For ServerFault::only, by what is not empty. A request that is about no resource, such as discovery, has none of
// verb, resource, namespace and name.
struct RequestsOf {
  std::vector<std::string> verbs{};  // get, list, watch, create, update, patch, delete, deletecollection
  std::string resource{};            // "configmaps", "pods/status", "greetings.demo.pintle.dev"
  std::string namespace_{};
  std::string name{};
  std::string path{};    // how the target begins: "/api/v1/"
  std::string client{};  // how the User-Agent begins: "kubectl"

  [[nodiscard]] bool operator()(const http::Request& request) const;
};

// Those of http happen where the request comes in and where the answer goes out: Drop and a Cut with How::reset close
// the connection, and a Delay occupies no thread.
using ServerFault =
    http::FaultRule<std::variant<http::AnswerError, http::Delay, http::Drop, http::Cut, http::RepeatEvent,
                                 http::StallEvents, http::SplitBody, StaleRead, ErrorEvent, WithholdBookmarks, Rewind>>;

// A rule counts only what its effect can happen to: StaleRead watches, and gets and lists that may be stale;
// RepeatEvent, StallEvents, ErrorEvent and WithholdBookmarks watches; the rest whatever comes in. All rules that hit a
// request happen to it, as in a http::FaultPlan: a drop comes before an answer, an answer before what happens to a
// body.
struct ServerFaults {
  std::vector<ServerFault> rules{};
  std::uint64_t seed = 0;  // of FaultRule::probability; 0: one from the runtime
};

// Reads them from YAML or JSON, as `pintle dev --faults` does (docs/faults.md). Error: invalid, with a cause for each
// mistake, whose field is the place ("faults[1].answer.status") and whose message says what is wrong and what to do.
[[nodiscard]] Result<ServerFaults> parse_faults(std::string_view text);

}  // namespace pintle
