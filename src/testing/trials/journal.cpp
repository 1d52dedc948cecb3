// SPDX-License-Identifier: Apache-2.0
#include "journal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

namespace pintle::testkit {
namespace {

constexpr std::size_t max_entries = 2'000;
constexpr std::string_view leases = "leases.coordination.k8s.io";

bool is_success(int status) { return status >= 200 && status < 300; }

// A response that shows the state of an object is no failure.
bool is_failure(int status) { return status >= 400 && status != 404 && status != 409 && status != 410; }

bool is_writing(std::string_view verb) {
  constexpr std::array verbs{"create", "update", "patch", "delete", "deletecollection"};
  return std::ranges::find(verbs, verb) != verbs.end();
}

// The options of a deletion are in its body, unless it is empty.
bool is_dry_run(const http::Request& request) {
  if (request.method == "DELETE" && !request.body.empty()) {
    const auto options = json::parse(request.body);
    const json::Value* dry_run = options ? json::find(*options, "/dryRun") : nullptr;
    return dry_run != nullptr && dry_run->is_array() && !dry_run->get_array().empty();
  }
  return http::parse_target(request.target).parameter("dryRun").has_value();
}

// The object in a response that is not a stream.
Object object_in(const http::Response& response) {
  if (response.stream != nullptr) return {};
  auto object = Object::parse(response.body);
  return object ? *object : Object();
}

// The key of the object of a write. That of a new object is in the body, unless the server chooses its name.
StoredKey written_key(const RequestInfo& info, const http::Request& request) {
  StoredKey key{.resource = resource_of(info), .key = {info.namespace_, info.name}};
  if (!key.key.name.empty() || info.verb != "create") return key;
  if (const auto body = Object::parse(request.body)) key.key.name = std::string(body->name());
  return key;
}

std::string with_subresource(const RequestInfo& info) {
  const std::size_t slash = info.resource.find('/');
  return resource_of(info) + (slash == std::string::npos ? "" : info.resource.substr(slash));
}

// The content of a PUT without the version that it expects.
std::string content_of(const http::Request& request) {
  auto body = json::parse(request.body);
  if (!body) return request.body;
  json::erase(*body, "/metadata/resourceVersion");
  json::erase(*body, "/metadata/managedFields");
  return json::print(*body);
}

}  // namespace

std::string resource_of(const RequestInfo& info) {
  const std::string plain = info.resource.substr(0, info.resource.find('/'));
  return info.group.empty() ? plain : plain + "." + info.group;
}

bool is_of_the_machinery(std::string_view resource) {
  constexpr std::array<std::string_view, 8> names{"leases.coordination.k8s.io",
                                                  "events",
                                                  "events.events.k8s.io",
                                                  "customresourcedefinitions.apiextensions.k8s.io",
                                                  "validatingwebhookconfigurations.admissionregistration.k8s.io",
                                                  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                                                  "tokenreviews.authentication.k8s.io",
                                                  "subjectaccessreviews.authorization.k8s.io"};
  return std::ranges::find(names, resource) != names.end();
}

bool is_write_of_work(const http::Request& request) {
  return http::is_write(request) && request.target.find("/leases") == std::string::npos;
}

void Journal::begin() {
  for (Entry& entry : entries_) entry.at -= clock_.now() - began_;
  began_ = clock_.now();
  own_ = std::exchange(created_, {});
}

void Journal::note(std::string who, std::string what) {
  if (entries_.size() < max_entries) {
    entries_.push_back({.at = clock_.now() - began_, .who = std::move(who), .what = std::move(what)});
  } else {
    ++dropped_;
  }
}

void Journal::violate(Oracle oracle, std::string message) {
  if (violations_.emplace(oracle, message).second) {
    note("oracle", std::string(testkit::to_string(oracle)) + ": " + message);
  }
}

void Journal::send(int instance, const http::Request& request) {
  const auto info = request_info(request);
  if (!info || !is_writing(info->verb)) return;
  const std::string resource = resource_of(*info);
  if (resource == leases) lease_sent_[instance] = clock_.now();
  if (is_of_the_machinery(resource) || is_dry_run(request) || is_exempt(written_key(*info, request))) return;
  check_lease(instance, *info);  // first, because the server may let this thread wait
  if (version_) sent_[sent_write(instance, request)] = version_();
}

// As the fence of the sender does, counts the term from the moment at which the renewal was sent, and judges a write at
// the moment at which it is sent. The server may receive or commit it later.
void Journal::check_lease(int instance, const RequestInfo& info) {
  if (!has_election_ || holds_lease(instance)) return;
  violate(Oracle::lease_held, fmt::format("operator {} sends {} {} {}/{} without holding the Lease", instance,
                                          info.verb, resource_of(info), info.namespace_, info.name));
}

bool Journal::holds_lease(int instance) const {
  return holder_ && holder_->instance == instance && clock_.now() < holder_->until;
}

void Journal::record(int instance, const http::Request& request, const http::Response& response) {
  const auto info = request_info(request);
  if (info && resource_of(*info) == leases) {
    if (is_writing(info->verb)) record_lease(instance, request, response);
    return;  // renewals are no work
  }
  ++counts_.requests;
  if (is_write_of_work(request)) ++counts_.sent;
  if (is_failure(response.status)) ++counts_.failed;
  at_once_ = std::exchange(last_, clock_.now()) == clock_.now() ? at_once_ + 1 : 0;
  if (is_in_a_loop()) {
    violate(Oracle::becomes_idle,
            fmt::format("operator {} sends more than {} requests at one time", instance, max_at_once));
  }
  if (!info || is_dry_run(request)) return;
  if (!is_of_the_machinery(resource_of(*info)) && (exempt_.empty() || !is_exempt(written_key(*info, request)))) {
    used_.insert({.resource = with_subresource(*info), .is_written = is_writing(info->verb)});
  }
  if (!is_writing(info->verb)) return;
  record_write(instance, *info, request, response);
}

void Journal::reconcile(int instance, std::string_view controller, const ObjectKey& key, bool begins) {
  const std::string which = fmt::format("operator {}: controller {}: {}", instance, controller, key.to_string());
  if (begins) ++counts_.reconciles;
  const int running = reconciles_[which] += begins ? 1 : -1;
  if (running == 0) reconciles_.erase(which);
  if (running > 1) violate(Oracle::one_worker, which + " is reconciled by two workers at the same time");
  if (begins && has_election_ && !holds_lease(instance)) without_lease_.emplace(controller);
  if (!replicas_) return;
  if (!begins) return replicas_->end(instance, std::string(controller), key.to_string());
  const auto conflict = replicas_->begin(instance, std::string(controller), key.to_string(), clock_.now());
  if (conflict) violate(Oracle::one_worker, *conflict);
}

void Journal::conclude(std::string_view controller, const GroupVersionKind& kind, const ObjectKey& key,
                       const Outcome& outcome) {
  const Error* error = outcome.as_failed();
  if (error != nullptr && error->code == ErrorCode::cancelled) return;
  const std::tuple place(kind.group, kind.kind, key, std::string(controller));
  if (error == nullptr) {
    failing_.erase(place);
  } else {
    failing_[place] = {.at = clock_.now(), .message = error->to_string()};
  }
}

std::optional<Journal::Failing> Journal::failing(const GroupVersionKind& kind, const ObjectKey& key,
                                                 Instant since) const {
  for (const auto& [place, failing] : failing_) {
    const auto& [group, name, object, controller] = place;
    if (group == kind.group && name == kind.kind && object == key && failing.at > since) return failing;
  }
  return std::nullopt;
}

void Journal::outside_call(int instance, const std::string& call, Instant from) {
  if (!replicas_) return;
  const auto conflict = replicas_->call(instance, call, from, clock_.now());
  if (conflict) violate(Oracle::one_worker, *conflict);
}

void Journal::compare_instances(std::function<bool(int instance)> lives, std::set<std::string> allowed) {
  if (!has_election_) return;
  replicas_.emplace(std::move(lives));
  replicas_->allow(std::move(allowed));
}

void Journal::freeze(int instance, Instant until) {
  if (replicas_) replicas_->freeze(instance, clock_.now(), until);
}

void Journal::check_dropped(const std::function<Object(const StoredKey&)>& stored) {
  if (const auto lost = dropped_writes_.first_lost(stored)) violate(Oracle::nothing_dropped, *lost);
}

void Journal::record_write(int instance, const RequestInfo& info, const http::Request& request,
                           const http::Response& response) {
  const std::string resource = resource_of(info);
  if (resource.starts_with("events")) {
    ++counts_.events;
    // A controller slows down such a dispute, so that the number of its writes does not show it.
    const auto event = Object::parse(request.body);
    if (event && (*event)["/reason"] == "FieldDisputed") {
      violate(Oracle::becomes_idle, "two writers disagree: " + std::string((*event)["/note"].text()));
    }
  }
  if (is_of_the_machinery(resource) || is_exempt(written_key(info, request))) return;

  const Object object = is_success(response.status) ? object_in(response) : Object();
  StoredKey key{.resource = resource, .key = {info.namespace_, info.name}};
  if (key.key.name.empty()) key.key.name = std::string(object.name());
  const std::string who = "operator " + std::to_string(instance);
  const std::string what =
      fmt::format("{} {}{} -> {}", info.verb, key.to_string(),
                  info.resource.find('/') == std::string::npos ? "" : info.resource.substr(info.resource.find('/')),
                  response.status);
  note(who, object.resource_version().empty() ? what : fmt::format("{}, version {}", what, object.resource_version()));
  const auto sent = sent_.extract(sent_write(instance, request));
  if (!is_success(response.status) || sent.empty() || has_changed(info, sent.mapped(), object)) ++counts_.writes;
  if (is_full()) violate(Oracle::becomes_idle, fmt::format("the operator writes more than {} times", max_writes_));
  written_.insert(resource);
  if (info.verb == "update") check_retry(instance, key, request, response.status);
  if (!is_success(response.status)) {
    ++counts_.refused;
    last_refused_ = what;
    return;
  }
  const bool is_new = response.status == 201 && info.resource.find('/') == std::string::npos;
  if (is_new && !own_.contains(key)) created_.insert(key);
  check_content(who, key, info, request, response, object);
}

void Journal::check_content(const std::string& who, const StoredKey& key, const RequestInfo& info,
                            const http::Request& request, const http::Response& response, const Object& object) {
  const std::string sends = fmt::format("{} sends {} for {}", who, info.verb, key.to_string());
  if (foreign_.contains(key)) violate(Oracle::nothing_foreign, sends + ", which it did not create");
  const std::size_t slash = info.resource.find('/');
  const bool has_metadata = slash == std::string::npos || info.resource.substr(slash) == "/status";
  if (has_metadata && (info.verb == "update" || info.verb == "patch")) {
    if (const auto removed = marks_.missing(key, object)) {
      violate(Oracle::nothing_foreign, sends + " without " + *removed + ", which another program has set");
    }
  }
  dropped_writes_.record(sends, key, info, request, object);
  if (const std::string unknown = unknown_fields_in(response); !unknown.empty()) {
    violate(Oracle::nothing_dropped, sends + ", of which the server drops " + unknown);
  }
}

std::string Journal::failures_since(const Counts& before) const {
  const std::uint64_t refused = counts_.refused - before.refused;
  if (refused == 0) return {};
  const bool all = refused == counts_.writes - before.writes;
  return fmt::format("; {} of these writes failed, the last one: {}", all ? "all" : std::to_string(refused),
                     last_refused_);
}

// Whether a successful write has changed something. The response to a deletion that is complete contains no object, and
// that to the deletion of a collection contains the objects as they were.
bool Journal::has_changed(const RequestInfo& info, std::uint64_t sent_at, const Object& written) const {
  if (info.verb == "deletecollection") return version_() > sent_at;
  const std::string_view text = written.resource_version();
  std::uint64_t version = 0;
  const bool is_number = std::from_chars(text.data(), text.data() + text.size(), version).ec == std::errc();
  return !is_number || version > sent_at;
}

void Journal::record_lease(int instance, const http::Request& request, const http::Response& response) {
  if (!is_success(response.status)) return;
  const auto sent = Object::parse(request.body);
  if (!sent) return;
  const Object stored = object_in(response);
  if ((*sent)["/spec/holderIdentity"].text().empty()) {
    if (holder_ && holder_->instance == instance) holder_.reset();
    return;
  }
  const auto seconds = (stored ? stored : *sent)["/spec/leaseDurationSeconds"].as_integer().value_or(0);
  if (!holder_ || holder_->instance != instance) {
    note("operator " + std::to_string(instance), "takes the Lease");
    if (replicas_) replicas_->hand_over(clock_.now());
  }
  const auto sent_at = lease_sent_.find(instance);
  const Instant began = sent_at == lease_sent_.end() ? clock_.now() : sent_at->second;
  holder_ = Holder{.instance = instance, .until = began + std::chrono::seconds(seconds)};
}

void Journal::check_retry(int instance, const StoredKey& key, const http::Request& request, int status) {
  const std::string content = content_of(request);
  const auto before = conflicts_.find({instance, key});
  if (before != conflicts_.end() && before->second == content && status != 409) {
    violate(Oracle::no_blind_retry,
            "operator " + std::to_string(instance) + " sends the same content for " + key.to_string() +
                " with a newer resourceVersion after a conflict, which undoes the change of another writer");
  }
  if (before != conflicts_.end()) conflicts_.erase(before);
  if (status == 409) conflicts_.emplace(std::pair(instance, key), content);
}

std::set<StoredKey> Journal::surroundings() const {
  std::set<StoredKey> all = own_;
  all.insert(foreign_.begin(), foreign_.end());
  all.insert(exempt_.begin(), exempt_.end());
  return all;
}

std::string Journal::timeline() const {
  std::string text;
  for (const Entry& entry : entries_) {
    const double seconds = std::chrono::duration<double>(entry.at).count();
    text += fmt::format("{:>10.3f} s  {:<12} {}\n", seconds, entry.who, entry.what);
  }
  if (dropped_ != 0) text += fmt::format("            … and {} more\n", dropped_);
  return text;
}

}  // namespace pintle::testkit
