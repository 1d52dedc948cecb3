// SPDX-License-Identifier: Apache-2.0
// watch: the changes of the selected objects.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include <pintle/object/protobuf.hpp>

#include "handlers.hpp"
#include "watch_stream.hpp"

namespace pintle::apiserver {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds min_watch_timeout = 30min;

// A stream of a single event.
class ErrorStream final : public http::BodyStream {
 public:
  ErrorStream(const Refusal& refusal, bool is_protobuf) : text_(error_event(refusal, is_protobuf)) {}

  State read(std::string& out) override {
    out += text_;
    return State::ended;
  }
  void on_ready(std::function<void()> /*wake*/) override {}

 private:
  const std::string text_;
};

// A negative timeout is over at once.
Instant deadline_of(Service& service, std::optional<std::int64_t> timeout) {
  std::int64_t seconds = std::max<std::int64_t>(timeout.value_or(0), -1);
  if (seconds < 0) return service.executor.now();
  if (seconds == 0) {
    seconds =
        min_watch_timeout.count() + static_cast<std::int64_t>(service.executor.random() % min_watch_timeout.count());
  }
  constexpr std::int64_t year = 366 * 24 * 3600;
  return after(service.executor.now(), std::chrono::seconds(std::min(seconds, year)));
}

http::Response streamed(std::unique_ptr<http::BodyStream> stream, const Call& call) {
  std::string type = "application/json";
  if (call.format.protobuf) type = std::string(protobuf_media_type) + ";stream=watch";
  http::Response response{.status = 200, .headers = {{"Content-Type", std::move(type)}}};
  response.stream = std::move(stream);
  return response;
}

// The errors of a watch are events, as in kube-apiserver.
http::Response failed_watch(const Refusal& refusal, const Call& call) {
  return streamed(std::make_unique<ErrorStream>(refusal, call.format.protobuf), call);
}

http::Response too_old(const Call& call) {
  return failed_watch(expired("The resourceVersion for the provided watch is too old."), call);
}

// Returns the newest objects, or those that a lagging replica has reached, and the position right after them. Returns
// nothing if that version has just left the window.
std::optional<std::pair<Page, Position>> initial_state(Service& service, const Call& call, bool reads_newest) {
  const Storage& storage = service.storage;
  const std::string& collection = call.resource->collection;
  if (reads_newest) return storage.list_and_place(collection, call.namespace_);
  const Version at = call.version_read(service);
  auto page = storage.list(collection, {.namespace_ = call.namespace_, .at = at});
  const auto place = storage.place_after(collection, at);
  if (!page || !place) return std::nullopt;
  return std::pair(std::move(*page), *place);
}

void keep_selected(std::vector<Object>& objects, const Selection& selection) {
  if (selection.everything()) return;
  std::erase_if(objects, [&](const Object& object) { return !selection.matches(object); });
}

}  // namespace

StatusOr<http::Response> handle_watch(Service& service, const Call& call) {
  auto options = ReadOptions::of(call, true);
  if (!options) return refuse(std::move(options.error()));
  auto selection = Selection::of(call);
  if (!selection) return refuse(std::move(selection.error()));
  const auto version = options->version.empty() ? Version{0} : parse_version(options->version);
  if (!version) return refuse(internal_error(version_error(options->version)));

  if (call.format.yaml) return refuse(not_acceptable(stream_types));  // YAML has no frames

  const Instant deadline = deadline_of(service, options->timeout);
  const bool wants_bookmarks = call.flag("allowWatchBookmarks");
  WatchPlan plan{
      .bookmarks = wants_bookmarks && !call.faults.without_bookmarks, .lag = call.faults.lag, .deadline = deadline};
  const bool from_now = options->wants_initial_events && !options->sends_initial_events;
  // A streaming list must not return an older state. A plain watch waits for its version.
  if (const Version reached = call.version_read(service); options->sends_initial_events && *version > reached) {
    return failed_watch(version_too_large(*version, reached), call);
  }
  if (options->sends_initial_events || (*version == 0 && !from_now)) {
    // A streaming list without a version is consistent: a replica waits until it has reached the newest state.
    const auto* lag = call.faults.lag.get();
    const bool is_consistent = options->sends_initial_events && options->version.empty();
    auto state = initial_state(service, call, lag == nullptr || (is_consistent && !lag->includes_unversioned()));
    if (!state) return too_old(call);
    auto& [page, place] = *state;
    auto initial = service.converter.presentable(*call.resource, std::move(page.objects));
    if (!initial) return refuse(std::move(initial.error()));
    plan.initial = std::move(*initial);
    keep_selected(plan.initial, *selection);
    plan.initial_version = plan.after = page.version;
    plan.marks_initial_end = options->sends_initial_events && wants_bookmarks && !call.faults.without_initial_end;
    plan.place = place;
  } else {
    const Version after = *version == 0 ? call.version_read(service) : *version;
    const auto place = service.storage.place_after(call.resource->collection, after);
    if (!place) return too_old(call);
    plan.place = *place;
    plan.after = after;
  }
  return streamed(std::make_unique<WatchStream>(service, call.resource, call.namespace_, std::move(*selection),
                                                presenter_for(call, service.executor.wall_now()), std::move(plan)),
                  call);
}

}  // namespace pintle::apiserver
