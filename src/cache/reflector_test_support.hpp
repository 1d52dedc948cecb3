// SPDX-License-Identifier: Apache-2.0
// Test support for the reflector: the texts of lists and events, and a printer for its actions.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/cache/reflector.hpp>

namespace pintle {

inline constexpr Instant start(std::chrono::hours(1));

// Prints the actions of a reflector in one line, for example "list(0,500) replace(a,b) watch(7)".
inline std::string text(const Reflector::Actions& actions) {
  struct Print {
    std::string operator()(const StartList& a) const {
      return "list(" + a.resource_version + "," + std::to_string(a.limit) +
             (a.continue_.empty() ? "" : "," + a.continue_) + ")";
    }
    std::string operator()(const StartWatch& a) const {
      return (a.send_initial_events ? "stream(" : "watch(") + a.resource_version + ")";
    }
    std::string operator()(const StartTimer& a) const { return "timer(" + format_duration(a.delay) + ")"; }
    std::string operator()(const Replace& a) const {
      std::string names;
      for (const Object& object : a.objects) names += (names.empty() ? "" : ",") + std::string(object.name());
      return "replace(" + names + ")";
    }
    std::string operator()(const Put& a) const { return "put(" + std::string(a.object.name()) + ")"; }
    std::string operator()(const Erase& a) const { return "erase(" + std::string(a.object.name()) + ")"; }
    std::string operator()(const Warning&) const { return "trouble"; }
    std::string operator()(const DroppedObjects&) const { return "dropped"; }
  };
  std::string line;
  for (const ReflectorAction& action : actions) line += (line.empty() ? "" : " ") + std::visit(Print{}, action);
  return line;
}

// Passes a list in pieces of 7 bytes, because it arrives in pieces from a network.
inline Reflector::Actions on_list(Reflector& reflector, std::string_view body, Instant now) {
  for (; !body.empty(); body.remove_prefix(std::min<std::size_t>(7, body.size()))) {
    reflector.on_list_bytes(body.substr(0, 7));
  }
  return reflector.on_list_end({}, now);
}

inline std::string page(const std::string& version, const std::vector<std::string>& names,
                        const std::string& more = "") {
  std::string items;
  for (const std::string& name : names)
    items += (items.empty() ? "" : ",") + (R"({"metadata":{"name":")" + name + R"("}})");
  return R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":")" + version + "\"" +
         (more.empty() ? "" : R"(,"continue":")" + more + "\"") + "},\"items\":[" + items + "]}";
}

inline std::string event(const std::string& type, const std::string& name, const std::string& version) {
  return R"({"type":")" + type + R"(","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
         R"(","resourceVersion":")" + version + "\"}}}\n";
}

inline std::string error_event(int code, const std::string& reason) {
  return R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","reason":")" +
         reason + R"(","code":)" + std::to_string(code) + "}}\n";
}

inline Error refusal(ErrorCode code, int status, std::string reason) {
  Error error = make_error(code, "no");
  error.http_status = status;
  error.reason = std::move(reason);
  return error;
}

// Returns the bookmark that ends the initial events at this version.
inline std::string all_sent(const std::string& version) {
  return R"({"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":")" +
         version + R"(","annotations":{"k8s.io/initial-events-end":"true"}}}})" + "\n";
}

// Returns a reflector that has requested the existing objects as a streaming list.
inline Reflector streaming() {
  Reflector r({.kind = {"v1", "ConfigMap"}, .list_mode = ListMode::streaming, .random = [] { return 0.0; }});
  EXPECT_EQ(text(r.start()), "stream()");
  r.on_watch_open(start);
  return r;
}

inline Reflector reflector(double random = 0) {
  return Reflector({.kind = {"v1", "ConfigMap"}, .random = [random] { return random; }});
}

// Returns a reflector that has listed at version 7 and watches.
inline Reflector watching() {
  Reflector r = reflector();
  (void)r.start();
  (void)on_list(r, page("7", {"a"}), start);
  r.on_watch_open(start);
  return r;
}

}  // namespace pintle
