// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/reflector.hpp>

#include <algorithm>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/object/protobuf.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr Duration healthy_after = 2min;     // after this time without a failure, the back-off starts over
constexpr Duration min_watch_duration = 1s;  // a watch that ends sooner without an event is a failure and backs off
constexpr Duration end_slack = 5s;           // a watch that ends more than this before its timeout has ended early
constexpr Duration first_check = 1min;
constexpr Duration max_check_interval = 1h;
constexpr Duration max_retry_after = 5min;
constexpr std::size_t max_reported_errors = 10;  // errors of objects that a list leaves out

bool is_same_version(std::string_view a, std::string_view b) {
  const auto order = compare_resource_versions(a, b);
  return order && *order == 0;
}

// Servers report an expired version by the reason, the code, or both.
bool is_expired(const Error& error) { return error.code == ErrorCode::expired || error.http_status == 410; }

// Whether the server has not reached the version yet. It reports that by a cause; older servers only by the message.
bool is_too_large(const Error& error) {
  const auto is_too_large_version = [](const StatusCause& cause) { return cause.reason == "ResourceVersionTooLarge"; };
  return std::any_of(error.causes.begin(), error.causes.end(), is_too_large_version) ||
         (error.reason == "Timeout" && error.message.find("Too large resource version") != std::string::npos);
}

// Whether the server rejects the parameters of a streaming list. It does so if the feature is disabled or
// missing.
bool is_unsupported_stream(const Error& error) {
  constexpr int bad_request = 400;
  constexpr int method_not_allowed = 405;
  constexpr int invalid = 422;
  return error.http_status == bad_request || error.http_status == method_not_allowed || error.http_status == invalid;
}

bool is_overload(const Error& error) {
  return error.code == ErrorCode::too_many_requests || error.code == ErrorCode::unreachable;
}

// Returns the members by which a cache identifies an object and its state.
json::Document identity_of(json::View object) {
  return json::project(object, with_identity_fields({.keep = {"/metadata/name"}})).value_or(json::Document());
}

// The transform is user code. If it throws or changes the identity of the object, the object is dropped with an error.
Result<Object> transformed(Object object, const ReflectorOptions& options) {
  if (!options.projection.transform) return object;
  json::Value value = object.to_value();
  try {
    options.projection.transform(value);
  } catch (...) {
    return fail(ErrorCode::invalid, "the transform of " + object.describe() + " threw " + describe_exception() +
                                        "; the object is left out of the cache");
  }
  const json::Document made(value);
  if (!made.root().is_object() || identity_of(made.root()).root() != identity_of(object.root()).root()) {
    return fail(ErrorCode::invalid,
                "the transform of " + object.describe() +
                    " changed members that caches and controllers need (apiVersion, kind, name, namespace, uid, " +
                    "resourceVersion, generation, deletionTimestamp, deletionGracePeriodSeconds, finalizers, " +
                    "ownerReferences); the object is left out of the cache");
  }
  return Object(json::Document(made.root(), options.pool));
}

// Returns the object as the cache keeps it, or only its identity if the transform fails.
Object kept_or_identity(const Object& object, const ReflectorOptions& options) {
  auto kept = transformed(object, options);
  if (kept) return std::move(*kept);
  return Object(identity_of(object.root()));
}

}  // namespace

// List items have no apiVersion and kind; items with metadata alone have those of PartialObjectMetadata.
json::ReaderOptions Reflector::page_options(const ReflectorOptions& options, std::shared_ptr<Items> items,
                                            std::shared_ptr<LeftOut> dropped) {
  json::ReaderOptions made{.pool = options.pool,
                           .parts = "items",
                           .on_part =
                               [items = std::move(items), dropped = std::move(dropped), options](json::Document item) {
                                 if (!item.root().is_object()) return;
                                 auto object = transformed(Object(std::move(item)), options);
                                 if (object) {
                                   items->push_back(std::move(*object));
                                   return;
                                 }
                                 ++dropped->count;
                                 if (dropped->errors.size() < max_reported_errors)
                                   dropped->errors.push_back(std::move(object.error()));
                               },
                           .projection = with_identity_fields(options.projection.projection),
                           .max_document_size = options.max_event_size,
                           .messages = protobuf_types_of(options.kind.api_version(), options.kind.kind)};
  auto& identity = options.metadata_only ? made.overrides : made.defaults;
  identity = {{"apiVersion", options.kind.api_version()}, {"kind", options.kind.kind}};
  return made;
}

Reflector::Reflector(ReflectorOptions options)
    : options_(std::move(options)),
      items_(std::make_shared<Items>()),
      dropped_(std::make_shared<LeftOut>()),
      page_(page_options(options_, items_, dropped_)),
      stream_(new_stream()) {
  if (options_.stream_pause == nullptr) options_.stream_pause = std::make_shared<std::atomic<Instant>>();
}

WatchStream Reflector::new_stream() const {
  return WatchStream(options_.kind, {.max_event_size = options_.max_event_size,
                                     .pool = options_.pool,
                                     .projection = options_.projection.projection,
                                     .metadata_only = options_.metadata_only});
}

Reflector::Actions Reflector::start(Instant now, bool reads_newest) {
  now_ = now;
  version_unavailable_ = reads_newest;
  next_ = Next::list;
  return {list_mode()};
}

// A list that is made because the server may have been rewound reads the newest state: only that shows whether the
// versions of the cache still exist.
ReflectorAction Reflector::list_mode() {
  if (is_check_due()) version_unavailable_ = true;
  if (options_.list_mode == ListMode::streaming && options_.stream_pause->load() <= now_) return stream();
  return first_page();
}

// The first list takes any state that the server has in its cache. A relist must not return an older state, unless the
// server reported that it does not have the version. A version and a limit without a match would mean exactly that
// version, which may have expired.
StartList Reflector::first_page() const {
  const std::string version = version_unavailable_ ? std::string() : version_.empty() ? std::string("0") : version_;
  const bool is_bound = !unpaged_ && !version.empty() && version != "0";
  return {.resource_version = version,
          .resource_version_match = is_bound ? "NotOlderThan" : "",
          .limit = unpaged_ ? 0 : options_.page_size,
          .continue_ = {}};
}

// The timeout is random, so that the watches of many clients do not end and begin together.
StartWatch Reflector::watch() {
  const auto spread = static_cast<double>((options_.max_watch_timeout - options_.min_watch_timeout).count());
  return watch_for(options_.min_watch_timeout + std::chrono::seconds(static_cast<long>(spread * options_.random())));
}

StartWatch Reflector::watch_for(std::chrono::seconds timeout) {
  stream_ = new_stream();
  events_ = 0;
  stream_error_.reset();
  watching_ = true;
  synthetic_ = version_.empty() || version_ == "0";
  timeout_ = timeout;
  watch_until_ = after(now_, timeout);
  return {.resource_version = version_, .timeout = timeout};
}

// Returns a watch that ends when the scheduled list is due, if there is one.
StartWatch Reflector::next_watch() {
  StartWatch next = watch();
  if (!check_.due) return next;
  const auto left = std::chrono::ceil<std::chrono::seconds>(*check_.due - now_);
  return watch_for(std::max<std::chrono::seconds>(1s, std::min(next.timeout, left)));
}

// If the server does not have the version, the stream requests none and begins at the newest state.
StartWatch Reflector::stream() {
  StartWatch start = watch();
  if (version_unavailable_) start.resource_version.clear();
  start.send_initial_events = is_initial_ = true;
  initial_events_ = counted_events_ = 0;
  return start;
}

void Reflector::on_list_bytes(std::string_view bytes) {
  if (is_page_empty_ && !bytes.empty()) {
    is_page_empty_ = false;
    is_page_protobuf_ = bytes.front() == 'k';  // see json::ReaderOptions::messages
  }
  (void)page_.add(bytes);  // take_page() returns the same error
}

Reflector::Actions Reflector::on_list_end(Result<void> end, Instant now) {
  now_ = now;
  is_page_empty_ = true;
  auto page = page_.finish();
  const bool is_bad_protobuf = !page && std::exchange(is_page_protobuf_, false);
  // If JSON was requested, the body is in no known form, and another list at once would return it again.
  if (end && is_bad_protobuf && accepts_protobuf_) return list_as_json(std::move(page.error()));
  auto more = take_page(std::move(page));
  if (!end) return list_failed(std::move(end.error()), now);
  if (!more)
    return list_failed(std::move(more.error()).with_operation("read the list of " + options_.kind.to_string()), now);
  if (!more->empty()) {
    paging_ = true;
    // The continue token contains the version; a server rejects a request with both.
    return {StartList{.resource_version_match = {}, .limit = options_.page_size, .continue_ = std::move(*more)}};
  }
  if (!version_unavailable_ && is_behind(list_version_)) {
    return list_failed(outdated(list_version_), now);
  }
  paging_ = false;
  unpaged_ = false;
  checked_items_ = 0;
  Actions actions;
  const LeftOut left_out = std::exchange(*dropped_, {});
  std::size_t uncounted = left_out.count - left_out.errors.size();
  for (const Error& error : left_out.errors) {
    actions.emplace_back(DroppedObjects{.error = error, .objects = 1 + std::exchange(uncounted, 0)});
  }
  actions.emplace_back(replaced(std::exchange(*items_, {}), now));
  actions.emplace_back(watch());
  return actions;
}

// Called when all objects have arrived, at list_version_.
Replace Reflector::replaced(std::vector<Object> objects, Instant now) {
  const bool is_rewind = std::exchange(was_rewound_, false) || is_behind(list_version_);
  const bool is_odd = is_rewind || check_.due.has_value();
  if (std::exchange(check_.due, {})) {
    check_.not_before = after(now, check_.interval);
    check_.interval = std::min(2 * check_.interval, max_check_interval);
  }
  version_unavailable_ = false;
  version_ = list_version_;
  return {.objects = std::move(objects),
          .resource_version = version_,
          .may_follow_rewind = is_odd,
          .follows_rewind = is_rewind};
}

// A list may not return a state older than the cache; the next one requests the newest state instead.
Error Reflector::outdated(std::string_view version) const {
  return make_error(ErrorCode::expired, "a list of " + options_.kind.to_string() + " is at version " +
                                            std::string(version) + " although " + version_ +
                                            " was requested; the server may have been rewound");
}

// Returns false if the versions cannot be compared.
bool Reflector::is_behind(std::string_view version) const {
  const auto order = compare_resource_versions(version, version_);
  return order && *order < 0;
}

// Completes a page and returns the token of the next one; "" after the last page.
Result<std::string> Reflector::take_page(Result<json::Document> page) {
  if (!page) return fail(std::move(page.error()));
  const json::View items = page->root().member("items");
  // The version of the list, never the largest version of its items: a deletion raises it beyond all of them.
  const std::string_view version = page->root()["/metadata/resourceVersion"].text();
  if (version.empty() || !(items.is_array() || items.is_null())) {
    return fail(ErrorCode::invalid, "the response to a list of " + options_.kind.to_string() + " is not a list");
  }
  const auto is_nameless = [](const Object& item) { return item.name().empty(); };
  const auto first = items_->begin() + static_cast<std::ptrdiff_t>(std::exchange(checked_items_, items_->size()));
  if (std::any_of(first, items_->end(), is_nameless)) {
    return fail(ErrorCode::invalid, "a list of " + options_.kind.to_string() +
                                        " has an item without a name; a projection must not drop /metadata/name");
  }
  list_version_ = version;
  return std::string(page->root()["/metadata/continue"].text());
}

// Lists again at once, from the first page.
Reflector::Actions Reflector::list_as_json(Error error) {
  accepts_protobuf_ = false;
  paging_ = false;
  items_->clear();
  *dropped_ = {};
  checked_items_ = 0;
  Actions actions;
  error.message += "; JSON is requested from now on";
  actions.emplace_back(Warning{std::move(error).with_operation("read the list of " + options_.kind.to_string())});
  actions.emplace_back(first_page());
  return actions;
}

Reflector::Actions Reflector::list_failed(Error error, Instant now) {
  const bool was_paging = std::exchange(paging_, false);
  items_->clear();
  *dropped_ = {};
  checked_items_ = 0;
  Actions actions;
  if (was_paging && is_expired(error)) {
    // The snapshot of the pages has expired. Everything is read in one piece, at the version of the first page, because
    // pages may expire again.
    unpaged_ = true;
    actions.emplace_back(Warning{std::move(error)});
    actions.emplace_back(first_page());
    return actions;
  }
  if ((is_expired(error) || is_too_large(error)) && !version_unavailable_) {
    version_unavailable_ = true;
    actions.emplace_back(Warning{std::move(error)});
    actions.emplace_back(first_page());
    return actions;
  }
  unpaged_ = false;  // a list without a limit is expensive, so it is tried once only
  back_off_after(std::move(error), Next::list, now, actions);
  return actions;
}

void Reflector::on_watch_open(Instant now) {
  if (now_ == Instant{}) watch_until_ = after(now, timeout_);  // no time was passed in before the first watch
  opened_ = now_ = now;
  if (is_initial_) stream_due_ = after(now, options_.max_stream_pause);
}

std::optional<Instant> Reflector::stream_deadline() const {
  return is_initial_ && watching_ && !stream_error_ ? stream_due_ : std::nullopt;
}

// A server that ignores the parameter sends the existing objects, but never the bookmark that ends them. Events about
// changes can follow without end, so only the first arrival of an object is progress.
void Reflector::on_stream_pause(Instant now) {
  if (!stream_deadline() || now < *stream_due_) return;
  now_ = now;
  const bool has_progress = std::exchange(counted_events_, initial_events_) != initial_events_;
  if (has_progress && now - opened_ < options_.max_stream_time) {
    stream_due_ = after(now, options_.max_stream_pause);
    return;
  }
  if (!has_progress) pause_streams(now);
  stream_error_ = make_error(ErrorCode::unavailable,
                             "the streaming list of " + options_.kind.to_string() +
                                 (has_progress ? " is not complete after " + format_duration(options_.max_stream_time)
                                               : " has paused for " + format_duration(options_.max_stream_pause) +
                                                     " without the bookmark that ends it"));
}

Reflector::Actions Reflector::on_watch_bytes(std::string_view bytes) {
  Actions actions;
  stream_.add(bytes);
  while (!stream_error_) {
    auto event = stream_.next();
    if (!event) break;
    if (*event) ++events_;  // an event that is dropped is no progress
    if (*event && is_initial_) {
      take_initial_event(std::move(**event), actions);
    } else if (*event) {
      take_event(std::move(**event), actions);
    } else if (stream_.is_broken()) {
      if (stream_.has_bad_protobuf()) accepts_protobuf_ = false;
      stream_error_ = std::move(event->error());
    } else {
      actions.emplace_back(Warning{std::move(event->error())});
    }
  }
  return actions;
}

Result<Object> Reflector::project(json::View object, const ReflectorOptions& options) {
  auto projection = json::project(object, with_identity_fields(options.projection.projection), options.pool);
  if (!projection) return fail(std::move(projection.error()));
  return transformed(Object(std::move(*projection)), options);
}

void Reflector::take_event(WatchEvent event, Actions& actions) {
  // A watch from "" or "0" begins with the existing objects, in arbitrary order of versions.
  synthetic_ = synthetic_ && event.type == WatchEventType::added;
  const std::string_view version = event.object.resource_version();
  if (!synthetic_ && is_behind(version)) {
    // The version of the cache does not belong to the history of this server, so no watch from it can be correct.
    version_unavailable_ = was_rewound_ = true;
    check_.due = now_;
    stream_error_ = make_error(ErrorCode::expired, "a watch of " + options_.kind.to_string() + " at version " +
                                                       version_ + " received version " + std::string(version) +
                                                       "; the server was rewound or replaced");
    return;
  }
  // A version that the cache has already belongs to an earlier change, unless the server was rewound to just before it
  // and assigned it again.
  const bool is_repeated = !synthetic_ && event.type != WatchEventType::bookmark && is_same_version(version, version_);
  if (!synthetic_ && !version.empty()) version_ = version;
  switch (event.type) {
    case WatchEventType::added:
    case WatchEventType::modified: put(std::move(event.object), actions); break;
    case WatchEventType::deleted: actions.emplace_back(Erase{kept_or_identity(event.object, options_)}); break;
    case WatchEventType::bookmark: has_seen_bookmark_ = true; break;  // contains only a version
  }
  if (is_repeated) on_version_conflict(now_);
}

// An object that cannot be kept leaves the cache, so that no outdated state of it remains.
void Reflector::put(Object object, Actions& actions) const {
  auto kept = transformed(object, options_);
  if (kept) {
    actions.emplace_back(Put{std::move(*kept)});
  } else {
    actions.emplace_back(DroppedObjects{std::move(kept.error())});
    actions.emplace_back(Erase{kept_or_identity(object, options_)});
  }
}

// The initial events are complete at a bookmark with the annotation; before it, objects may also be deleted. The
// versions of the events are in arbitrary order, so none is used until then.
void Reflector::take_initial_event(WatchEvent event, Actions& actions) {
  if (event.type == WatchEventType::added) ++initial_events_;
  switch (event.type) {
    case WatchEventType::added:
    case WatchEventType::modified: {
      auto kept = transformed(event.object, options_);
      if (kept) {
        (void)initial_.put(std::move(*kept));
      } else {
        (void)initial_.erase(event.object.key_view());
        actions.emplace_back(DroppedObjects{std::move(kept.error())});
      }
      return;
    }
    case WatchEventType::deleted: (void)initial_.erase(event.object.key_view()); return;
    case WatchEventType::bookmark: break;
  }
  if (!event.ends_initial_events) return;
  if (!version_unavailable_ && is_behind(event.object.resource_version())) {
    stream_error_ = outdated(event.object.resource_version());
    return;
  }
  is_initial_ = synthetic_ = false;
  stream_due_.reset();
  list_version_ = event.object.resource_version();
  actions.emplace_back(replaced(std::exchange(initial_, {}).list(), now_));
}

// After a transient error the watch is opened again at the same version. After an expired version a list determines
// whether the version of the cache has expired too. Any other error leads to a list after a back-off.
Reflector::Actions Reflector::on_watch_end(Result<void> end, Instant now) {
  now_ = now;
  watching_ = false;
  Actions actions;
  std::optional<Error> error = std::move(stream_error_);
  stream_error_.reset();
  if (!error && !end) error = std::move(end.error());
  if (is_initial_) return stream_failed(std::move(error), now);
  if (!error) {
    const bool spun = events_ == 0 && now - opened_ < min_watch_duration;
    if (after(now, end_slack) < watch_until_) {
      check_later(now);
    } else if (!check_.due) {
      check_.interval = first_check;
    }
    if (spun) {
      back_off(Next::watch, now, actions);
    } else if (is_check_due()) {
      actions.emplace_back(list_mode());
    } else {
      actions.emplace_back(next_watch());
    }
    return actions;
  }
  const bool is_broken = error->code == ErrorCode::unreachable || error->code == ErrorCode::timeout;
  const bool transient = is_overload(*error) || error->code == ErrorCode::timeout;
  if (is_broken) check_later(now);
  if (is_expired(*error)) {
    actions.emplace_back(Warning{std::move(*error)});
    list_soon(now, actions);
  } else {
    back_off_after(std::move(*error), transient && !is_check_due() ? Next::watch : Next::list, now, actions);
  }
  return actions;
}

// The list is not made at once, because all clients of a server that ends lose their watches together. It is not made
// often, because a proxy may end every watch early.
void Reflector::check_later(Instant now) {
  if (check_.due) return;
  const auto spread = std::chrono::duration_cast<Duration>(first_check * options_.random());
  check_.due = std::max(after(now, first_check + spread), check_.not_before);
}

void Reflector::on_version_conflict(Instant now) {
  now_ = now;
  if (!watching_ || is_initial_ || now < check_.not_before) return check_later(now);
  if (stream_error_) return;
  check_.due = now;
  stream_error_ = make_error(ErrorCode::expired, "the cache of " + options_.kind.to_string() +
                                                     " may be wrong: the server may have been rewound or replaced");
}

// Lists at once, but not repeatedly, because a server may refuse the versions of its own lists. Failures after which
// only the watch is opened again, such as those of a server that restarts, do not delay the list.
void Reflector::list_soon(Instant now, Actions& actions) {
  const bool has_failed = last_failure_ && now - *last_failure_ <= healthy_after;
  if (has_failed && next_ == Next::list) return back_off(Next::list, now, actions);
  if (!has_failed) failures_ = 0;
  last_failure_ = now;
  next_ = Next::list;
  actions.emplace_back(list_mode());
}

// If the stream ended early or with an error that is not transient, the objects are read by a list this time, because
// another stream might fail in the same way for ever. This includes a stream that lost its connection soon after
// another failure: a proxy may cut each connection before the stream is complete.
Reflector::Actions Reflector::stream_failed(std::optional<Error> error, Instant now) {
  const bool was_open = stream_due_.has_value();
  is_initial_ = false;
  stream_due_.reset();
  initial_ = {};
  if (!error) error = make_error(ErrorCode::unavailable, "the watch ended before all existing objects had arrived");
  const bool unavailable = is_expired(*error) || is_too_large(*error);
  const bool has_failed = last_failure_ && now - *last_failure_ <= healthy_after && next_ == Next::list;
  const bool is_cut_again = error->code == ErrorCode::unreachable && was_open && has_failed;
  const bool is_tried_again = (unavailable && !version_unavailable_) || (is_overload(*error) && !is_cut_again);
  version_unavailable_ = version_unavailable_ || unavailable;
  if (is_unsupported_stream(*error) && !unavailable) pause_streams(now);
  Actions actions;
  // The list is refused too, or the watch after it, so a refusal of the stream is not reported separately.
  const bool is_refusal = error->code == ErrorCode::unauthorized || error->code == ErrorCode::forbidden;
  if (is_tried_again) {
    back_off_after(std::move(*error), Next::list, now, actions);
    return actions;
  }
  if (!is_refusal) actions.emplace_back(Warning{std::move(*error)});
  actions.emplace_back(first_page());
  return actions;
}

// A server that is overloaded names the time after which it accepts requests again.
void Reflector::back_off_after(Error error, Next next, Instant now, Actions& actions) {
  const auto retry_after = std::chrono::duration_cast<Duration>(error.retry_after.value_or(0ns));
  actions.emplace_back(Warning{std::move(error)});
  back_off(next, now, actions, std::min(retry_after, max_retry_after));
}

void Reflector::back_off(Next next, Instant now, Actions& actions, Duration at_least) {
  if (last_failure_ && now - *last_failure_ > healthy_after) failures_ = 0;
  last_failure_ = now;
  next_ = next;
  delay_ = std::max(options_.backoff.delay(failures_++, options_.random()), at_least);
  actions.emplace_back(StartTimer{delay_});
}

Reflector::Actions Reflector::on_timer() {
  now_ = after(now_, delay_);
  Actions actions;
  if (next_ == Next::watch && !is_check_due()) {
    actions.emplace_back(next_watch());
  } else {
    actions.emplace_back(list_mode());
  }
  return actions;
}

}  // namespace pintle
