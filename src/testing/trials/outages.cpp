// SPDX-License-Identifier: Apache-2.0
// Outages: an hour in which requests or outside calls fail, and how much the operator works in it.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

#include "plan.hpp"
#include "plausible.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

constexpr Duration longest_pause = 20min;  // between two attempts, after an hour of failures

std::string reason_of(int status) {
  switch (status) {
    case 403: return "Forbidden";
    case 422: return "Invalid";
    case 503: return "ServiceUnavailable";
    default: return "InternalError";
  }
}

// Plans an outage.
class OutagePlanner {
 public:
  OutagePlanner(const SimulateOptions& options, const Survey& survey, Random& random)
      : options_(options), survey_(survey), random_(random) {}

  std::optional<Event> draw() {
    const bool may_fail_in_server = options_.faults.contains(FaultClass::protocol) && !survey_.used.empty();
    const bool may_fail_outside = options_.faults.contains(FaultClass::outside) && survey_.outside > 0;
    if (!may_fail_in_server && !may_fail_outside) return std::nullopt;
    Event event = may_fail_outside && (!may_fail_in_server || random_.below(2) == 0) ? outside_outage() : in_server();
    event.at = options_.active;
    return event;
  }

 private:
  Event outside_outage() {
    Event event{.kind = "outside-outage", .is_outage = true, .blocks_edit = true};
    event.what = "all outside calls fail" + with_change(event);
    event.act = [](Run& run) { run.fail_outside(true); };
    return event;
  }

  Event in_server() {
    auto which = survey_.used.begin();
    std::advance(which, random_.below(survey_.used.size()));
    return which->is_written ? write_outage(which->resource) : read_outage(which->resource);
  }

  Event write_outage(const std::string& resource) {
    constexpr std::array statuses{403, 422, 500, 503};
    const int status = statuses[random_.below(statuses.size())];
    Event event{.kind = "outage", .is_outage = true};
    event.hides_status = is_own(resource);
    event.blocks_edit = !event.hides_status;
    // A finalizer stays meanwhile.
    const bool deletes = survey_.own_resources.contains(resource) && random_.below(2) == 0;
    event.what = fmt::format("all writes to {} fail with {}", resource, status) +
                 (deletes ? with_deletion(event) : with_change(event));
    // In the server, so that the journal contains the requests.
    fail_in_server(event, status, {"create", "update", "patch", "delete", "deletecollection"}, resource);
    return event;
  }

  // Watches go on until they end by themselves.
  Event read_outage(const std::string& resource) {
    constexpr std::array statuses{403, 500, 503};
    const int status = statuses[random_.below(statuses.size())];
    Event event{.kind = "read-outage", .is_outage = true};
    event.hides_status = is_own(resource);
    event.what = fmt::format("all reads of {} fail with {}", resource, status) + with_change(event);
    fail_in_server(event, status, {"get", "list", "watch"}, resource);
    return event;
  }

  void fail_in_server(Event& outage, int status, std::vector<std::string> verbs, const std::string& resource) const {
    ServerFault fault{.effect = http::ErrorResponse{.status = status, .reason = reason_of(status)}};
    fault.only = RequestMatcher{.verbs = std::move(verbs), .resource = resource, .client = survey_.client};
    outage.act = [fault](Run& run) { run.inject(fault, 24h); };
  }

  // Whether it is a resource of the reconciled objects, or one of its subresources.
  [[nodiscard]] bool is_own(const std::string& resource) const {
    return survey_.own_resources.contains(resource.substr(0, resource.find('/')));
  }

  // Lets the outage begin with the deletion of the first object, which is created again at its end. Returns the change
  // as text.
  std::string with_deletion(Event& outage) const {
    const json::Value& object = survey_.objects.front();
    const Object first{object};
    outage.edit = [kind = first.group_version_kind(), key = first.key(), name = first.describe()](Run& run) {
      run.edit("deletes " + name, [kind, key](Client& user) -> Result<void> {
        const auto done = user.remove(kind, key);
        return done ? Result<void>() : Result<void>(fail(done.error()));
      });
    };
    outage.last_edit = [object, name = first.describe()](Run& run) {
      run.edit("creates " + name, [object](Client& user) -> Result<void> {
        const auto done = user.create(object);
        return done ? Result<void>() : Result<void>(fail(done.error()));
      });
    };
    return "; a user deletes " + first.describe() + ", and creates it again afterwards";
  }

  // Lets the outage begin with a change of a field of the first object. Returns the change as text.
  std::string with_change(Event& outage) {
    outage.edit = [](Run&) {};
    if (survey_.objects.empty()) return "";
    const Object first{survey_.objects.front()};
    const auto schema = survey_.schemas.find(first.group_version_kind());
    const auto fields = schema == survey_.schemas.end() ? std::vector<Field>()
                                                        : changeable_fields(json::Document(schema->second).root());
    if (fields.empty()) return "";
    const Field& field = fields[random_.below(fields.size())];
    json::Value patch = json::object();
    (void)json::set(patch, field.pointer, plausible_value(json::Document(field.schema).root(), random_));
    const std::string what = "patches " + first.describe() + ": " + json::print(patch);
    outage.edit = [kind = first.group_version_kind(), key = first.key(), patch, what](Run& run) {
      run.edit(what, [kind, key, patch](Client& user) -> Result<void> {
        const auto done = user.patch(kind, key, patch);
        return done ? Result<void>() : Result<void>(fail(done.error()));
      });
    };
    return "; a user " + what;
  }

  const SimulateOptions& options_;
  const Survey& survey_;
  Random& random_;
};

}  // namespace

std::optional<Event> outage_of(const SimulateOptions& options, const Survey& survey, Random& random) {
  return OutagePlanner(options, survey, random).draw();
}

void Run::live_through(const Event& outage, bool with_faults) {
  if (!with_faults) {
    outage.edit(*this);
    (void)wait_until_idle("an edit");
    if (!outage.last_edit) return;
    outage.last_edit(*this);
    (void)wait_until_idle("an edit");
    return;
  }
  // An idle operator may work too.
  const Journal::Counts idle = journal_->counts();
  fleet_->pass_time(5min);
  idle_requests_ = 12 * (journal_->counts().requests - idle.requests);
  idle_reconciles_ = 12 * (journal_->counts().reconciles - idle.reconciles);
  journal_->note("fault", outage.what + " for an hour");
  ++injected_[outage.kind];
  const std::uint64_t outside_before = outside_calls();
  outage.act(*this);
  outage.edit(*this);
  // The first minutes may have more retries than the rest.
  fleet_->pass_time(5min);
  const Instant measured = simulation_.executor().now();
  const Journal::Counts before = journal_->counts();
  const auto is_noticed = [&] {
    return journal_->counts().failed != before.failed || outside_calls() != outside_before;
  };
  for (int minute = 0; minute < 55 && !journal_->violations().contains(Oracle::bounded_work); ++minute) {
    fleet_->pass_time(1min);
    if (is_noticed()) check_work(before, outside_before);
  }
  if (is_noticed() && !outage.hides_status) check_honesty(measured, outage.blocks_edit);
  end_faults();
  fleet_->pass_time(longest_pause);
  if (!wait_until_idle("an outage") || !outage.last_edit) return;
  outage.last_edit(*this);
  (void)wait_until_idle("an edit");
}

void Run::check_work(const Journal::Counts& before, std::uint64_t outside_before) {
  const Journal::Counts& now = journal_->counts();
  const std::uint64_t objects = std::max<std::size_t>(1, objects_.size());
  const auto check = [&](std::uint64_t count, std::uint64_t limit, const char* what) {
    if (!applies(Oracle::bounded_work) || count <= limit * objects) return;
    journal_->violate(Oracle::bounded_work,
                      fmt::format("{} {} in less than an hour of an outage; the limit is {} for each of {} objects",
                                  count, what, limit, objects));
  };
  const auto beyond = [](std::uint64_t count, std::uint64_t idle) { return count - std::min(count, idle); };
  check(beyond(now.requests - before.requests, idle_requests_), options_.max_requests_an_hour, "requests");
  check(beyond(now.reconciles - before.reconciles, idle_reconciles_), options_.max_requests_an_hour, "reconciles");
  check(now.events - before.events, options_.max_events_an_hour, "writes of Events");
  check(outside_calls() - outside_before, options_.max_outside_calls_an_hour, "outside calls");
}

}  // namespace pintle::testkit
