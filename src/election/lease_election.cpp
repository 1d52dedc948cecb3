// SPDX-License-Identifier: Apache-2.0
#include "lease_election.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/object/names.hpp>

namespace pintle {
namespace {

constexpr double jitter = 1.2;  // as in client-go; spreads candidates, and limits retry_period against renew_deadline

std::int64_t integer(json::View value) { return value.as_integer().value_or(0); }

void check_labels(const std::map<std::string, std::string>& labels, const std::function<void(std::string)>& wrong) {
  for (const auto& [name, value] : labels) {
    if (const auto error = names::validate_qualified_name(name)) wrong("the label name " + quote(name) + " " + *error);
    if (const auto error = names::validate_label_value(value)) {
      wrong("the value " + quote(value) + " of label " + name + " " + *error);
    }
  }
}

bool may_have_been_overtaken(const Error& error) {
  return error.code == ErrorCode::conflict || error.code == ErrorCode::already_exists;
}

}  // namespace

std::vector<Error> check(const LeaderElectionOptions& options) {
  std::vector<Error> errors;
  const auto wrong = [&](std::string what) {
    errors.push_back(make_error(ErrorCode::invalid, "leader election: " + std::move(what)));
  };
  const auto named = [](const char* name, Duration value) { return std::string(name) + " " + format_duration(value); };
  if (const auto error = names::validate_dns1123_subdomain(options.name)) {
    wrong("the name of the lease, " + quote(options.name) + ", " + *error);
  }
  if (const auto error = names::validate_dns1123_label(options.namespace_); error && !options.namespace_.empty()) {
    wrong("the namespace of the lease, " + quote(options.namespace_) + ", " + *error);
  }
  check_labels(options.labels, wrong);
  if (options.retry_period <= Duration::zero()) {
    wrong(named("retry_period", options.retry_period) + " must be positive");
  } else if (const auto least = std::chrono::duration<double>(options.retry_period) * jitter;
             std::chrono::duration<double>(options.renew_deadline) <= least) {
    wrong(named("renew_deadline", options.renew_deadline) + " must be more than 1.2 times " +
          named("retry_period", options.retry_period) + "; otherwise one failed renewal loses the lease");
  }
  if (options.lease_duration <= options.renew_deadline) {
    wrong(named("lease_duration", options.lease_duration) + " must be more than " +
          named("renew_deadline", options.renew_deadline) + "; otherwise two instances could work at the same time");
  }
  return errors;
}

LeaseElection::LeaseElection(LeaderElectionOptions options, std::function<double()> random, std::string pages)
    : options_(std::move(options)), random_(std::move(random)), own_pages_(std::move(pages)) {}

ElectionStep LeaseElection::next(const Times& times) {
  if (lost_) return *lost_;
  if (given_up_) return LeaseIsGivenUp{};
  if (resigned_) return next_of_resigned(times);
  if (term_ && times.now >= term_->write_until) {
    lose("it could not be renewed for " + format_duration(times.now - term_->renewed) +
             (last_error_ ? ": " + last_error_->to_string() : std::string()),
         false);
    return *lost_;
  }
  if (times.now < not_before_) return Pause{term_ ? std::min(not_before_, term_->write_until) : not_before_};
  return term_ ? next_of_leader(times) : next_of_candidate(times);
}

// Replaces the Lease as it was last read. A read before each renewal would be another request that can fail, so the
// Lease is only read again after a write failed.
ElectionStep LeaseElection::next_of_leader(const Times& times) {
  if (must_read_) return start_request(Request::get, GetLease{}, times);
  Record record = record_;  // acquireTime and transitions stay, because the holder does not change
  record.seconds = std::chrono::ceil<std::chrono::seconds>(options_.lease_duration).count();
  record.renewed = format_micro_time(times.wall);
  return start_request(Request::replace, ReplaceLease{with_record(record)}, times);
}

ElectionStep LeaseElection::next_of_candidate(const Times& times) {
  if (must_read_) return start_request(Request::get, GetLease{}, times);
  const Record record = acquiring(times);
  if (is_missing_) return start_request(Request::create, CreateLease{with_record(record)}, times);
  return start_request(Request::replace, ReplaceLease{with_record(record)}, times);
}

// Reads the Lease first, so that only the lease of this process is released, and the transitions are kept.
ElectionStep LeaseElection::next_of_resigned(const Times& times) {
  const bool may_be_ours = !acquiring_.empty();
  if (!options_.release_on_stop || !may_be_ours) return LeaseIsGivenUp{};
  if (must_read_) return start_request(Request::get, GetLease{}, times);
  if (is_missing_ || !is_ours()) return LeaseIsGivenUp{};
  const std::string now = format_micro_time(times.wall);
  const Record record{.holder = {}, .seconds = 1, .acquired = now, .renewed = now, .transitions = record_.transitions};
  return start_request(Request::replace, ReplaceLease{with_record(record)}, times);
}

ElectionStep LeaseElection::start_request(Request request, ElectionStep step, const Times& times) {
  pending_ = request;
  sent_ = times.now;
  return step;
}

void LeaseElection::resign() {
  resigned_ = true;
  must_read_ = true;
}

void LeaseElection::on_response(Result<Object> lease, const Times& times) {
  const Request request = std::exchange(pending_, Request::none);
  if (lease && !lease->root().is_object())
    lease = fail(ErrorCode::invalid, "the response of the server is not a Lease");
  const bool is_missing = request == Request::get && !lease && lease.error().code == ErrorCode::not_found;
  if (!lease && !is_missing) return on_failure(std::move(lease.error()), times);
  last_error_.reset();
  is_missing_ = is_missing;
  must_read_ = false;
  if (is_missing) {
    lease_ = {};
    record_ = {};
    has_record_ = false;
  } else {
    observe(*lease, times.now);
  }
  if (request != Request::get) return written(times);
  if (resigned_) return;
  not_before_ = times.now;
  if (term_ && is_missing) return lose("another client deleted it", true);
  if (term_ && !is_ours())
    return lose(record_.holder.empty() ? "another client removed its holder" : record_.holder + " holds it", true);
  if (term_ || is_missing || is_free(times.now)) return;
  must_read_ = true;
  not_before_ = after(times.now, candidate_pause());
}

// The term counts from the moment when the request was sent, because others may have read the renewal right after it.
void LeaseElection::written(const Times& times) {
  if (resigned_) {
    given_up_ = true;
    return;
  }
  const Duration between = options_.lease_duration - options_.renew_deadline;
  const Term term{.renewed = sent_,
                  .write_until = after(sent_, options_.renew_deadline),
                  .ends = after(sent_, options_.lease_duration - between / 5)};
  if (!term_ && times.now >= term.write_until) {
    must_read_ = true;  // too late to begin leadership; the lease is renewed first
    not_before_ = times.now;
    return;
  }
  term_ = term;
  not_before_ = after(times.now, options_.retry_period);
}

void LeaseElection::on_failure(Error error, const Times& times) {
  const bool again_at_once = may_have_been_overtaken(error);
  if (resigned_ && !again_at_once) given_up_ = true;
  if (term_ && !resigned_ && !must_read_) ++slow_renewals_;
  last_error_ = std::move(error);
  must_read_ = true;
  const Duration pause = !term_ ? candidate_pause() : again_at_once ? Duration::zero() : options_.retry_period;
  not_before_ = after(times.now, pause);
}

void LeaseElection::lose(std::string why, bool is_taken) {
  Error error = make_error(ErrorCode::unavailable,
                           "lease lost: " + options_.namespace_ + "/" + options_.name + ": " + std::move(why));
  error.reason = "LeaseLost";
  lost_ = LeaseIsLost{.why = std::move(error), .is_taken = is_taken};
}

// Only a change of the record counts, at the time of the local clock. The times in the record come from another clock,
// and the resourceVersion also changes with any other edit of the Lease.
void LeaseElection::observe(const Object& lease, Instant now) {
  lease_ = lease;
  const json::View spec = lease["/spec"];
  Record record{.holder = std::string(spec.member("holderIdentity").text()),
                .seconds = integer(spec.member("leaseDurationSeconds")),
                .acquired = std::string(spec.member("acquireTime").text()),
                .renewed = std::string(spec.member("renewTime").text()),
                .transitions = integer(spec.member("leaseTransitions"))};
  if (std::exchange(has_record_, true) && record == record_) return;
  record_ = std::move(record);
  record_changed_at_ = now;
}

// Compares the acquireTime too, because another process, or an earlier one, may have the same identity.
bool LeaseElection::is_ours() const {
  return record_.holder == options_.identity && !acquiring_.empty() && record_.acquired == acquiring_;
}

bool LeaseElection::is_free(Instant now) const {
  constexpr std::int64_t longest = 100LL * 365 * 24 * 3600;  // seconds; more would overflow
  if (record_.holder.empty() || is_ours()) return true;
  // A record without a duration does not count as expired; otherwise all candidates would take it from each other
  // without end.
  const Duration duration =
      record_.seconds > 0 ? std::chrono::seconds(std::min(record_.seconds, longest)) : options_.lease_duration;
  return now >= after(record_changed_at_, duration);
}

// The pause is random, because otherwise all candidates would try to take a free lease at once. It counts from the
// response.
Duration LeaseElection::candidate_pause() {
  const auto period = static_cast<double>(options_.retry_period.count());
  return Duration(static_cast<Duration::rep>(period * (1 + jitter * random_())));
}

// If the record is that of this process, because a response was lost, it is only renewed. The transitions count changes
// of the holder.
LeaseElection::Record LeaseElection::acquiring(const Times& times) {
  const std::string now = format_micro_time(times.wall);
  const bool ours = is_ours();
  if (!ours) acquiring_ = now;
  const bool is_new_holder = !is_missing_ && record_.holder != options_.identity;
  return {.holder = options_.identity,
          .seconds = std::chrono::ceil<std::chrono::seconds>(options_.lease_duration).count(),
          .acquired = acquiring_,
          .renewed = now,
          .transitions = record_.transitions + (is_new_holder ? 1 : 0)};
}

void LeaseElection::add_labels(json::object& metadata) const {
  if (options_.labels.empty()) return;
  json::Value& labels = metadata["labels"];
  if (!labels.is_object()) labels = json::object();
  for (const auto& [name, value] : options_.labels) labels.as_object()[name] = value;
}

// Removes the URL of an earlier holder.
void LeaseElection::set_pages(json::object& metadata) const {
  json::Value* annotations = metadata.if_contains("annotations");
  if (own_pages_.empty()) {
    if (annotations != nullptr && annotations->is_object()) annotations->as_object().erase(pages_annotation);
    return;
  }
  if (annotations == nullptr || !annotations->is_object()) annotations = &(metadata["annotations"] = json::object());
  annotations->as_object()[pages_annotation] = own_pages_;
}

// Keeps everything else in the Lease, because other tools and later versions of Kubernetes write there too.
json::Value LeaseElection::with_record(const Record& record) const {
  json::Value lease =
      lease_ ? lease_.to_value()
             : json::Value(json::object{
                   {"apiVersion", lease_type.api_version},
                   {"kind", lease_type.kind},
                   {"metadata", json::object{{"name", options_.name}, {"namespace", options_.namespace_}}}});
  json::Value& metadata = lease.as_object()["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  add_labels(metadata.as_object());
  set_pages(metadata.as_object());
  json::Value& spec = lease.as_object()["spec"];
  if (!spec.is_object()) spec = json::object();
  json::object& fields = spec.as_object();
  fields["holderIdentity"] = record.holder;
  fields["leaseDurationSeconds"] = record.seconds;
  fields["acquireTime"] = record.acquired;
  fields["renewTime"] = record.renewed;
  fields["leaseTransitions"] = record.transitions;
  return lease;
}

}  // namespace pintle
