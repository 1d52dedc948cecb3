// SPDX-License-Identifier: Apache-2.0
// The check hot-keys: objects that change more than once a second. A watch counts the changes; the versions of two
// reads do not, because all objects of a server share one sequence of versions.
#include <string>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/executor.hpp>

#include "doctor/checks/checks.hpp"
#include "doctor/custom_kinds.hpp"

namespace pintle::doctor {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_watches = 16;  // at the same time, each with a thread and a connection

// The field manager of the last write.
std::string last_writer(const Object& object) {
  std::string_view newest;
  std::string writer = "unknown";
  const json::View managers = object.metadata().member("managedFields");
  for (const json::View one : managers.elements()) {
    const std::string_view time = one.member("time").text();
    if (time < newest) continue;
    newest = time;
    const std::string_view subresource = one.member("subresource").text();
    writer = fmt::format("{}{}", one.member("manager").text(),
                         subresource.empty() ? "" : fmt::format(" (subresource {})", subresource));
  }
  return writer;
}

using Watched = Result<ClusterReader::Changes>;

void report_changes(const CustomKind& kind, const Watched& watched, std::chrono::seconds time, Lines& lines) {
  if (!watched) return lines.unreadable(kind.kind.to_string(), watched.error(), kind.rule("watch"));
  for (const auto& [key, changes] : watched->by_key) {
    const auto& [number, last] = changes;
    if (number <= time.count()) continue;
    const std::string in = key.namespace_.empty() ? "" : fmt::format(" -n {}", key.namespace_);
    lines.warn(
        fmt::format("{} {}", kind.kind.to_string(), key.to_string()),
        fmt::format("changed {} times in {}; the last writer is {}", number, format_duration(time), last_writer(last)),
        fmt::format("compare the fields of the writers (kubectl get {}{} {} -o yaml --show-managed-fields): two "
                    "that disagree, or one that writes what it reads; see docs/debugging.md, \"A hot loop\"",
                    kind.crd, in, key.name));
  }
}

}  // namespace

void check_hot_keys(const CheckInput& input, Lines& lines) {
  const auto time = std::chrono::ceil<std::chrono::seconds>(input.options.watch_for);
  if (time <= 0s) return lines.skip("objects", "--watch-for is 0", "set --watch-for to a time such as 5s");
  std::vector<CustomKind> kinds = custom_kinds(input, lines);
  if (kinds.size() > max_watches) {
    lines.skip("objects", fmt::format("only the first {} of {} kinds are watched", max_watches, kinds.size()),
               "add `-- PROGRAM` to watch only its kinds");
    kinds.resize(max_watches);
  }
  std::vector<Watched> watched(kinds.size());
  std::vector<Thread> threads;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    threads.push_back(input.cluster.executor().spawn(
        {.name = "watch"}, [&, i] { watched[i] = input.cluster.count_changes(kinds[i].kind, time); }));
  }
  threads.clear();  // waits until all have ended
  for (std::size_t i = 0; i < kinds.size(); ++i) report_changes(kinds[i], watched[i], time, lines);
  if (lines.empty())
    lines.ok("objects", fmt::format("none changes more than once a second ({})", format_duration(time)));
}

}  // namespace pintle::doctor
