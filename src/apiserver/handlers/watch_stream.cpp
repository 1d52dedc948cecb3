// SPDX-License-Identifier: Apache-2.0
#include "watch_stream.hpp"

#include <algorithm>
#include <utility>

#include "apiserver/call/protobuf.hpp"
#include "apiserver/conversion/read_form.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t read_size = std::size_t{64} << 10U;
constexpr std::size_t events_at_once = 64;
constexpr Duration bookmark_interval = 1min;
constexpr Duration bookmark_before_end = 2s;
constexpr Duration poll_interval = 100ms;

// Returns an object as it was, with the version of a change: the content of the DELETED event for an object that leaves
// the selection.
Object at_version(const Object& before, Version version) {
  json::Value value = before.to_value();
  metadata_in(value)["resourceVersion"] = std::to_string(version);
  return Object(value);
}

}  // namespace

std::string error_event(const Refusal& refusal, bool is_protobuf) {
  if (is_protobuf) {
    const auto status = encode_protobuf(json::Document(refusal.to_status()).root());
    return protobuf_event("ERROR", status.value_or(""));
  }
  return R"({"type":"ERROR","object":)" + json::print(refusal.to_status()) + "}\n";
}

WatchStream::WatchStream(Service& service, ResourcePtr resource, std::string namespace_, Selection selection,
                         Presenter presenter, WatchPlan plan)
    : service_(service),
      resource_(std::move(resource)),
      prefix_(namespace_.empty() ? std::string() : namespace_ + "/"),
      selection_(std::move(selection)),
      presenter_(std::move(presenter)),
      plan_(std::move(plan)),
      wakeup_(std::make_shared<Wakeup>(service.executor)),
      subscription_(service.storage.subscribe(resource_->collection, wakeup_)) {
  if (plan_.bookmarks) plan_bookmark();
}

WatchStream::~WatchStream() {
  service_.storage.unsubscribe(resource_->collection, subscription_);
  wakeup_->close();
}

void WatchStream::on_ready(std::function<void()> wake) { wakeup_->set(std::move(wake)); }

Instant WatchStream::next_deadline() const {
  if (conversion_ != nullptr) return plan_.deadline;  // its end wakes the stream
  return std::min({plan_.deadline, next_bookmark_, next_poll_});
}

void WatchStream::plan_bookmark() {
  const Instant now = service_.executor.now();
  next_bookmark_ = after(now, bookmark_interval);
  const Instant last = plan_.deadline == Instant::max() ? Instant::max() : plan_.deadline - bookmark_before_end;
  if (last > now) next_bookmark_ = std::min(next_bookmark_, last);
}

http::BodyStream::State WatchStream::read(std::string& out) {
  const std::size_t begin = out.size();
  const Instant now = service_.executor.now();
  if (now >= plan_.deadline) return State::ended;
  presenter_.set_now(service_.executor.wall_now());
  if (!read_initial(out)) return State::more;
  if (const auto state = append_unsent(out)) return *state;
  while (out.size() - begin < read_size) {
    const Version until = reached();
    const Batch batch = service_.storage.read(resource_->collection, plan_.place, events_at_once, subscription_, until);
    if (batch.lost) return State::ended;
    if (resource_->conversion != nullptr) {
      unsent_.insert(unsent_.end(), batch.changes.begin(), batch.changes.end());
      if (const auto state = append_unsent(out)) return *state;
    } else {
      for (const ChangePtr& change : batch.changes) append_change(out, *change);
    }
    if (!batch.drained) continue;
    next_poll_ = batch.has_more ? after(now, poll_interval) : Instant::max();
    if (now >= next_bookmark_) append_bookmark(out, std::max(std::min(batch.version, until), plan_.after), false);
    return State::waiting;
  }
  return State::more;
}

std::optional<http::BodyStream::State> WatchStream::append_unsent(std::string& out) {
  for (; !unsent_.empty(); unsent_.pop_front()) {
    auto change = converted(unsent_.front());
    if (!change) return State::waiting;
    if (!*change) {
      out += error_event(change->error(), presenter_.is_protobuf());
      return State::ended;
    }
    append_change(out, ***change);
  }
  return std::nullopt;
}

std::optional<StatusOr<ChangePtr>> WatchStream::converted(const ChangePtr& change) {
  if (change->version <= plan_.after || !change->key.starts_with(prefix_)) return change;
  std::vector<Object> forms;
  std::vector<Object> stored;
  for (const Object* object : {&change->before, &change->after}) {
    if (object->exists()) stored.push_back(*object);
    if (object->exists()) forms.push_back(service_.converter.prepared(*resource_, *object));
  }
  const bool is_prepared = std::all_of(forms.begin(), forms.end(), [](const Object& form) { return form.exists(); });
  if (!is_prepared) {
    if (conversion_ == nullptr) {
      conversion_ = std::make_shared<Conversion>(service_.executor);
      service_.converter.start(resource_, std::move(stored),
                               [conversion = conversion_, wakeup = wakeup_](StatusOr<std::vector<Object>> result) {
                                 {
                                   const MutexLock lock(conversion->mutex);
                                   conversion->result = std::move(result);
                                 }
                                 wakeup->ring();
                               });
    }
    const MutexLock lock(conversion_->mutex);
    if (!conversion_->result) return std::nullopt;
    if (!*conversion_->result) return refuse(conversion_->result->error());
    forms = **conversion_->result;
  }
  conversion_.reset();
  auto next = std::make_shared<Change>(*change);
  if (change->before.exists()) next->before = forms.front();
  if (change->after.exists()) next->after = forms.back();
  return StatusOr<ChangePtr>(std::move(next));
}

Version WatchStream::reached() const {
  if (plan_.lag == nullptr) return newest;
  return plan_.lag->reached(service_.storage, resource_->collection, service_.executor.now());
}

// Returns false if initial objects remain.
bool WatchStream::read_initial(std::string& out) {
  const std::size_t begin = out.size();
  for (; next_initial_ < plan_.initial.size(); ++next_initial_) {
    if (out.size() - begin >= read_size) return false;
    append_event(out, "ADDED", plan_.initial[next_initial_]);
  }
  plan_.initial.clear();
  plan_.initial.shrink_to_fit();
  next_initial_ = 0;
  if (std::exchange(plan_.marks_initial_end, false)) append_bookmark(out, plan_.initial_version, true);
  return true;
}

void WatchStream::append_change(std::string& out, const Change& change) {
  if (change.version <= plan_.after || !change.key.starts_with(prefix_)) return;
  const bool was = change.before.exists() && selection_.matches(change.before);
  const bool is = !change.deleted && selection_.matches(change.after);
  if (was && is) return append_written(out, "MODIFIED", change);
  if (is) return append_written(out, "ADDED", change);
  if (!was) return;
  if (change.deleted) return append_written(out, "DELETED", change);
  append_event(out, "DELETED", at_version(change.before, change.version));
}

// Appends an event with the object as it was written. Other watches may have printed the same event.
void WatchStream::append_written(std::string& out, std::string_view type, const Change& change) {
  // The rows of a table contain ages. Objects that a webhook has converted are not shared.
  const bool is_table = presenter_.form() == ResponseFormat::Form::table;
  if (is_table || presenter_.is_beta() || resource_->conversion != nullptr)
    return append_event(out, type, with_read_defaults(*resource_, change.after));
  const EventPrints::Event event{.object = change.after,
                                 .resource = resource_,
                                 .form = presenter_.form(),
                                 .type = type,
                                 .protobuf = presenter_.is_protobuf()};
  if (const auto print = service_.event_prints.find(change.version, event)) {
    out += *print;
    return;
  }
  const std::size_t begin = out.size();
  append_event(out, type, with_read_defaults(*resource_, change.after));
  service_.event_prints.keep(change.version, event, std::string_view(out).substr(begin));
}

void WatchStream::append_event(std::string& out, std::string_view type, const Object& object) {
  if (presenter_.is_protobuf()) return append_protobuf(out, type, presenter_.protobuf(object));
  out.append(R"({"type":")").append(type).append(R"(","object":)");
  presenter_.append(out, object, !std::exchange(has_sent_columns_, true));
  out += "}\n";
}

void WatchStream::append_protobuf(std::string& out, std::string_view type, std::optional<std::string> object) const {
  out += object ? protobuf_event(type, *object)
                : error_event(internal_error("an object does not fit the protobuf message of its kind"), true);
}

void WatchStream::append_bookmark(std::string& out, Version version, bool ends_initial) {
  const std::string object = presenter_.bookmark(std::to_string(version), ends_initial);
  if (presenter_.is_protobuf()) {
    const auto bookmark = json::Document::parse(object);
    append_protobuf(out, "BOOKMARK", bookmark ? encode_protobuf(bookmark->root()) : std::nullopt);
  } else {
    out.append(R"({"type":"BOOKMARK","object":)").append(object).append("}\n");
  }
  if (!ends_initial) plan_bookmark();
}

}  // namespace pintle::apiserver
