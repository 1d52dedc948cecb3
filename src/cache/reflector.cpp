#include <pintle/cache/reflector.hpp>

#include <algorithm>
#include <utility>

#include <pintle/base/exceptions.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr Duration healthy_after =
    2min;  // a failure later than this after the last one starts at the first delay (trap 1)
constexpr Duration shortest_watch = 1s;  // a watch that ends sooner without an event is a failure (trap 9)

// Trap 3: the reason, the code, or both.
bool is_expired(const Error& error) { return error.code == ErrorCode::expired || error.http_status == 410; }

// Trap 4: the cause, or on older servers the words alone.
bool is_too_large(const Error& error) {
  const auto says_so = [](const Cause& cause) { return cause.reason == "ResourceVersionTooLarge"; };
  return std::any_of(error.causes.begin(), error.causes.end(), says_so) ||
         (error.reason == "Timeout" && error.message.find("Too large resource version") != std::string::npos);
}

bool is_refusal_to_wait_out(const Error& error) {
  return error.code == ErrorCode::too_many_requests || error.code == ErrorCode::unreachable;
}

Result<Object> transformed(Object object, const ReflectorOptions& options) {
  if (!options.kept.transform) return object;
  json::Value value = object.to_value();
  try {
    options.kept.transform(value);
  } catch (...) {
    return fail(ErrorCode::invalid, "the transform threw " + describe_exception());
  }
  return Object(json::Document(json::Document(value).root(), options.pool));
}

constexpr std::size_t most_dropped = 100;  // of a list, that are told of

void take_item(json::Document item, const ReflectorOptions& options, std::vector<Object>& items,
               std::vector<Dropped>& dropped) {
  if (!item.root().is_object()) return;
  Object object(std::move(item));
  auto kept = transformed(object, options);
  if (kept) {
    items.push_back(std::move(*kept));
  } else if (dropped.size() < most_dropped) {
    dropped.push_back({.key = object.key(), .error = std::move(kept.error())});
  }
}

// List items come without apiVersion and kind, metadata alone as PartialObjectMetadata.
json::ReaderOptions page_options(const ReflectorOptions& options, std::shared_ptr<std::vector<Object>> items,
                                 std::shared_ptr<std::vector<Dropped>> dropped) {
  json::ReaderOptions made{
      .pool = options.pool,
      .parts = "items",
      .on_part = [items = std::move(items), dropped = std::move(dropped),
                  options](json::Document item) { take_item(std::move(item), options, *items, *dropped); },
      .projection = with_identity(options.kept.projection),
      .longest = options.longest_event};
  auto& identity = options.metadata_only ? made.overrides : made.defaults;
  identity = {{"apiVersion", options.kind.api_version()}, {"kind", options.kind.kind}};
  return made;
}

}  // namespace

Reflector::Reflector(ReflectorOptions options)
    : options_(std::move(options)),
      items_(std::make_shared<std::vector<Object>>()),
      dropped_(std::make_shared<std::vector<Dropped>>()),
      page_(page_options(options_, items_, dropped_)),
      stream_(new_stream()) {}

WatchStream Reflector::new_stream() const {
  return WatchStream(options_.kind, {.longest_event = options_.longest_event,
                                     .pool = options_.pool,
                                     .projection = options_.kept.projection,
                                     .metadata_only = options_.metadata_only});
}

Reflector::Actions Reflector::start() {
  next_ = Next::list;
  return {first_read()};
}

ReflectorAction Reflector::first_read() {
  if (options_.first_read == FirstRead::streaming) return stream();
  return first_page();
}

// Trap 2: the first list takes any state the server has ready; a later one must not go back in time, unless the server
// said that it does not have that version. Trap 15: a limit only where servers heed it.
StartList Reflector::first_page() const {
  const std::string version = version_unavailable_ ? std::string() : version_.empty() ? std::string("0") : version_;
  const bool pageable = !unpaged_ && (version.empty() || version == "0");
  return {.resource_version = version, .limit = pageable ? options_.page_size : 0, .continue_ = {}};
}

// Trap 7.
StartWatch Reflector::watch() {
  const auto spread = static_cast<double>((options_.watch_at_most - options_.watch_at_least).count());
  stream_ = new_stream();
  events_ = 0;
  stream_error_.reset();
  synthetic_ = version_.empty() || version_ == "0";
  return {.resource_version = version_,
          .timeout = options_.watch_at_least + std::chrono::seconds(static_cast<long>(spread * options_.random()))};
}

// Trap 19.
StartWatch Reflector::stream() {
  StartWatch start = watch();
  if (version_unavailable_) start.resource_version.clear();
  start.send_initial_events = is_initial_ = true;
  return start;
}

void Reflector::on_list_bytes(std::string_view bytes) { (void)page_.add(bytes); }  // its error is that of the end

Reflector::Actions Reflector::on_list_end(Result<void> end, Instant now) {
  auto more = take_page();
  if (!end) return list_failed(std::move(end.error()), now);
  if (!more) return list_failed(std::move(more.error()).during("read the list of " + options_.kind.to_string()), now);
  if (!more->empty()) {
    paging_ = true;
    // Trap 16: a continue token stands for the version; sending both is refused.
    return {StartList{.resource_version = {}, .limit = options_.page_size, .continue_ = std::move(*more)}};
  }
  paging_ = false;
  unpaged_ = false;
  version_unavailable_ = false;
  version_ = list_version_;
  Actions actions;
  checked_items_ = 0;
  for (Dropped& one : std::exchange(*dropped_, {})) actions.emplace_back(std::move(one));
  actions.emplace_back(Replace{.objects = std::exchange(*items_, {}), .resource_version = version_});
  actions.emplace_back(watch());
  return actions;
}

// The token of the page that follows; "" after the last.
Result<std::string> Reflector::take_page() {
  auto page = page_.finish();
  if (!page) return fail(std::move(page.error()));
  const json::View items = page->root().member("items");
  // Trap 13: the version of the list, never the largest of its items.
  const std::string_view version = page->root()["/metadata/resourceVersion"].text();
  if (version.empty() || !(items.is_array() || items.is_null())) {
    return fail(ErrorCode::invalid, "the answer to a list of " + options_.kind.to_string() + " is not a list");
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

Reflector::Actions Reflector::list_failed(Error error, Instant now) {
  const bool was_paging = std::exchange(paging_, false);
  items_->clear();
  dropped_->clear();
  checked_items_ = 0;
  Actions actions;
  if (was_paging && is_expired(error)) {
    // Trap 17: the snapshot of the pages is gone; read all at once, at the version of the first page.
    unpaged_ = true;
    actions.emplace_back(Trouble{std::move(error)});
    actions.emplace_back(first_page());
    return actions;
  }
  if ((is_expired(error) || is_too_large(error)) && !version_unavailable_) {
    version_unavailable_ = true;
    actions.emplace_back(Trouble{std::move(error)});
    actions.emplace_back(first_page());
    return actions;
  }
  actions.emplace_back(Trouble{std::move(error)});
  back_off(Next::list, now, actions);
  return actions;
}

void Reflector::on_watch_open(Instant now) { opened_ = now; }

Reflector::Actions Reflector::on_watch_bytes(std::string_view bytes) {
  Actions actions;
  stream_.add(bytes);
  while (auto event = stream_.next()) {
    ++events_;
    if (*event && is_initial_) {
      take_initial_event(std::move(**event), actions);
    } else if (*event) {
      take_event(std::move(**event), actions);
    } else if (stream_.is_broken()) {
      stream_error_ = std::move(event->error());
    } else {
      actions.emplace_back(Trouble{std::move(event->error())});
    }
  }
  return actions;
}

Result<Object> Reflector::kept_of(json::View object, const ReflectorOptions& options) {
  auto kept = json::project(object, with_identity(options.kept.projection), options.pool);
  if (!kept) return fail(std::move(kept.error()));
  return transformed(Object(std::move(*kept)), options);
}

void Reflector::take_event(WatchEvent event, Actions& actions) {
  // Trap 10: a watch from "" or "0" begins with what is there, in no order of versions.
  synthetic_ = synthetic_ && event.type == WatchEventType::added;
  if (!synthetic_) version_ = event.object.resource_version();
  switch (event.type) {
    case WatchEventType::added:
    case WatchEventType::modified: put_or_drop(std::move(event.object), actions); break;
    case WatchEventType::deleted: {
      auto last = transformed(event.object, options_);
      actions.emplace_back(Erase{last ? std::move(*last) : std::move(event.object)});
      break;
    }
    case WatchEventType::bookmark: break;  // trap 8: it carries a version and nothing else
  }
}

// What the copy had of one that cannot be kept any more would be out of date.
void Reflector::put_or_drop(Object object, Actions& actions) const {
  auto kept = transformed(object, options_);
  if (kept) {
    actions.emplace_back(Put{std::move(*kept)});
    return;
  }
  actions.emplace_back(Dropped{.key = object.key(), .error = std::move(kept.error())});
  actions.emplace_back(Erase{std::move(object)});
}

// Traps 20, 23: what is there is whole at a bookmark that says so, and may shrink before. Events say no version till
// then.
void Reflector::take_initial_event(WatchEvent event, Actions& actions) {
  switch (event.type) {
    case WatchEventType::added:
    case WatchEventType::modified: {
      auto kept = transformed(event.object, options_);
      if (kept) {
        (void)initial_.put(std::move(*kept));
      } else {
        (void)initial_.erase(event.object.key_view());
        actions.emplace_back(Dropped{.key = event.object.key(), .error = std::move(kept.error())});
      }
      return;
    }
    case WatchEventType::deleted: (void)initial_.erase(event.object.key_view()); return;
    case WatchEventType::bookmark: break;
  }
  if (!event.ends_initial_events) return;
  is_initial_ = synthetic_ = version_unavailable_ = false;
  version_ = event.object.resource_version();
  actions.emplace_back(Replace{.objects = std::exchange(initial_, {}).list(), .resource_version = version_});
}

// Trap 6: what can be waited out opens the same version again; trap 5: "gone" leaves it to the next list to find out
// whether the version is; everything else lists anew.
Reflector::Actions Reflector::on_watch_end(Result<void> end, Instant now) {
  Actions actions;
  std::optional<Error> error = std::move(stream_error_);
  stream_error_.reset();
  if (!error && !end) error = std::move(end.error());
  if (is_initial_) return stream_failed(std::move(error), now);
  if (!error) {
    const bool spun = events_ == 0 && now - opened_ < shortest_watch;
    if (spun) {
      back_off(Next::watch, now, actions);
    } else {
      actions.emplace_back(watch());
    }
    return actions;
  }
  const bool transient = is_refusal_to_wait_out(*error) || error->code == ErrorCode::timeout;
  const bool expired = is_expired(*error);
  actions.emplace_back(Trouble{std::move(*error)});
  if (expired) {
    actions.emplace_back(first_read());
  } else {
    back_off(transient ? Next::watch : Next::list, now, actions);
  }
  return actions;
}

// Traps 21, 22: what cannot be waited out, and a stream that ends too early, leave this one time to a list.
Reflector::Actions Reflector::stream_failed(std::optional<Error> error, Instant now) {
  is_initial_ = false;
  initial_ = {};
  if (!error) error = make_error(ErrorCode::unavailable, "the watch ended before all that is there had come");
  const bool unavailable = is_expired(*error) || is_too_large(*error);
  const bool is_tried_again = (unavailable && !version_unavailable_) || is_refusal_to_wait_out(*error);
  version_unavailable_ = version_unavailable_ || unavailable;
  Actions actions;
  actions.emplace_back(Trouble{std::move(*error)});
  if (is_tried_again) {
    back_off(Next::list, now, actions);
  } else {
    actions.emplace_back(first_page());
  }
  return actions;
}

void Reflector::back_off(Next next, Instant now, Actions& actions) {
  if (now - last_failure_ > healthy_after) failures_ = 0;
  last_failure_ = now;
  next_ = next;
  actions.emplace_back(StartTimer{options_.backoff.delay(failures_++, options_.random())});
}

Reflector::Actions Reflector::on_timer() {
  Actions actions;
  if (next_ == Next::watch) {
    actions.emplace_back(watch());
  } else {
    actions.emplace_back(first_read());
  }
  return actions;
}

}  // namespace pintle
