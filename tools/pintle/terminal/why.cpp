// SPDX-License-Identifier: Apache-2.0
#include "terminal/why.hpp"

#include <cstddef>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/terminal.hpp>
#include <pintle/base/text.hpp>
#include <pintle/object/kind.hpp>

#include "terminal/json_members.hpp"

namespace pintle::tools {
namespace {

constexpr std::size_t max_reconciles = 10;

std::string kind_text(const json::Value& kind) {
  const std::string group = text_of(kind, "group");
  return (group.empty() ? "" : group + "/") + text_of(kind, "version") + " " + text_of(kind, "kind");
}

// "12:00:01" of "2026-01-01T12:00:01.000000Z"
std::string clock_of(const std::string& time) { return time.size() < 19 ? time : time.substr(11, 8); }

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.{}f} ms", seconds * 1000, seconds < 0.01 ? 1 : 0);
}

void add_line(std::string& out, const std::string& text) { out += escape_for_terminal(text) + "\n"; }

void add_conditions(std::string& out, const json::Value& object) {
  const json::array& all = list_of(object, "conditions");
  if (!all.empty()) out += "\nconditions\n";
  for (const json::Value& one : all) {
    std::string line = fmt::format("  {}={}", text_of(one, "type"), text_of(one, "status"));
    for (const char* member : {"reason", "message"}) {
      if (const std::string text = text_of(one, member); !text.empty()) line += (*member == 'r' ? "  " : ": ") + text;
    }
    add_line(out, line);
  }
}

void add_write(std::string& out, const json::Value& write) {
  add_line(out, fmt::format("      {} {} {}", text_of(write, "verb"), kind_text(member_of(write, "kind")),
                            text_of(write, "key")));
  const bool is_before_unknown = text_of(write, "verb") == "write";
  for (const json::Value& change : list_of(write, "changes")) {
    const std::string before = text_of(change, "before");
    const std::string after = text_of(change, "after");
    if (is_before_unknown) {
      add_line(out, fmt::format("        {}: {}", text_of(change, "path"), after));
      continue;
    }
    add_line(out, fmt::format("        {}: {} -> {}", text_of(change, "path"), before.empty() ? "nothing" : before,
                              after.empty() ? "nothing" : after));
  }
}

void add_slow_span(std::string& out, const json::Value& span) {
  constexpr double slow = 0.5;  // seconds
  const double seconds = number_of(span, "seconds");
  if (seconds >= slow) add_line(out, fmt::format("      {} took {}", text_of(span, "name"), seconds_text(seconds)));
}

void add_reconciles(std::string& out, const json::Value& object) {
  const json::array& all = list_of(object, "reconciles");
  out += all.empty() ? "\nno reconcile is in the history\n" : "\nreconciles, the newest first\n";
  for (std::size_t i = 0; i < all.size() && i < max_reconciles; ++i) {
    const json::Value& one = all[i];
    std::string causes;
    for (const json::Value& cause : list_of(one, "causes")) {
      causes += (causes.empty() ? "" : "; ") + text_of(cause, "text");
    }
    add_line(out, fmt::format("  {}  {:<12} {:>8}  {}", clock_of(text_of(one, "begun")), text_of(one, "outcome"),
                              seconds_text(number_of(one, "seconds")), causes));
    if (const std::string error = text_of(one, "error"); !error.empty()) add_line(out, "      " + error);
    for (const json::Value& write : list_of(one, "writes")) add_write(out, write);
    for (const json::Value& span : list_of(one, "spans")) add_slow_span(out, span);
  }
}

void add_related(std::string& out, const json::Value& object, const char* member) {
  const json::array& all = list_of(object, member);
  if (!all.empty()) out += std::string("\n") + member + "\n";
  for (const json::Value& one : all) {
    std::string line =
        fmt::format("  {:<9} {} {}", text_of(one, "readiness"), kind_text(member_of(one, "kind")), text_of(one, "key"));
    if (const std::string reason = text_of(one, "reason"); !reason.empty()) {
      line += "  " + reason + ": " + text_of(one, "message");
    }
    add_line(out, line);
  }
}

void add_events(std::string& out, const json::Value& object) {
  const json::array& all = list_of(object, "events");
  if (!all.empty()) out += "\nevents of this operator\n";
  for (const json::Value& one : all) {
    const auto count = static_cast<int>(number_of(one, "count"));
    add_line(out, fmt::format("  {}  {:<7} {}: {}{}", clock_of(text_of(one, "at")), text_of(one, "type"),
                              text_of(one, "reason"), text_of(one, "message"),
                              count > 1 ? fmt::format(" ({} times)", count) : ""));
  }
}

// Returns whether a word names the kind: "Pod", "pods", "pods.apps".
bool is_named(const json::Value& kind, std::string word) {
  word = to_lower_ascii(word);
  const std::string group = text_of(kind, "group");
  if (const std::size_t dot = word.find('.'); dot != std::string::npos) {
    if (word.substr(dot + 1) != group) return false;
    word.erase(dot);
  }
  const std::string name = text_of(kind, "kind");
  return word == to_lower_ascii(name) || word == default_plural(name);
}

Result<std::string> text_about(OperatorPages& pages, const WhyOptions& options) {
  const auto controllers = pages.get("/controllers");
  if (!controllers) return fail(controllers.error());
  auto controller = controller_of(*controllers, options.kind);
  if (!controller) return controller;
  std::string key = options.name;
  const std::size_t slash = key.find('/');
  if (slash != std::string::npos && !options.namespace_.empty() && key.substr(0, slash) != options.namespace_) {
    return fail(ErrorCode::invalid, key + " is not in the namespace " + options.namespace_ + "; omit --namespace");
  }
  if (slash == std::string::npos) {
    key = (options.namespace_.empty() ? pages.default_namespace() : options.namespace_) + "/" + key;
  }
  const std::string path = "/controllers/" + http::percent_encode(*controller) + "/object?key=";
  auto object = pages.get(path + http::percent_encode(key));
  // The kind may be cluster-scoped.
  if (!object && object.error().code == ErrorCode::not_found && options.namespace_.empty() &&
      key.ends_with("/" + options.name)) {
    if (auto other = pages.get(path + http::percent_encode(options.name))) object = std::move(other);
  }
  if (!object) return fail(std::move(object.error()));
  return why_text(*object, *controller);
}

}  // namespace

Result<std::string> controller_of(const json::Value& controllers, const std::string& kind) {
  std::string known;
  for (const json::Value& one : list_of(controllers, "items")) {
    std::string name = text_of(one, "name");
    if (name == kind || is_named(member_of(one, "kind"), kind)) return name;
    known += (known.empty() ? "" : ", ") + text_of(member_of(one, "kind"), "kind");
  }
  return fail(ErrorCode::not_found, "the operator has no controller of \"" + kind + "\"; it has controllers of " +
                                        (known.empty() ? "no kind yet" : known));
}

std::string why_text(const json::Value& object, const std::string& controller) {
  std::string out;
  const std::string readiness = text_of(object, "readiness");
  add_line(out, fmt::format("{} {}  (controller {}, {})", kind_text(member_of(object, "kind")), text_of(object, "key"),
                            controller, readiness == "unknown" ? "without a condition Ready" : readiness));
  const std::string why = text_of(object, "why");
  add_line(out, "why   " + (why.empty() ? "Nothing is wrong as far as the operator can determine." : why));
  add_line(out, "next  " + text_of(object, "next"));
  add_conditions(out, object);
  add_reconciles(out, object);
  add_related(out, object, "owners");
  add_related(out, object, "children");
  add_events(out, object);
  return out;
}

int run_why(const WhyOptions& options) {
  const auto executor = make_real_executor();
  auto pages = OperatorPages::open(*executor, options.place);
  const Result<std::string> text = pages ? text_about(*pages, options) : fail(pages.error());
  if (text) {
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  std::fprintf(stderr, "pintle why: %s\n", escape_for_terminal(text.error().to_string()).c_str());
  return text.error().code == ErrorCode::invalid ? 2 : 1;
}

}  // namespace pintle::tools
