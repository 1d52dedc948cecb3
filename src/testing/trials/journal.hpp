// SPDX-License-Identifier: Apache-2.0
// Journal: what happened in one run of an operator, and which rules its requests broke.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <pintle/apiserver/request_info.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/object/object.hpp>
#include <pintle/testing/simulate.hpp>

#include "dropped_writes.hpp"
#include "marks.hpp"
#include "replicas.hpp"
#include "stored_key.hpp"

namespace pintle::testkit {

[[nodiscard]] std::string resource_of(const RequestInfo& info);  // without the subresource
// Whether objects of a resource are part of how an operator runs, and not of what it manages: Leases, Events, CRDs,
// webhook configurations.
[[nodiscard]] bool is_of_the_machinery(std::string_view resource);

// Whether a request is a write that counts for the crashes of a Fleet.
[[nodiscard]] bool is_write_of_work(const http::Request& request);

// A resource, with its subresource if there is one, as in RequestMatcher::resource, that an operator reads or writes.
struct UsedResource {
  std::string resource{};
  bool is_written = false;

  friend auto operator<=>(const UsedResource&, const UsedResource&) = default;
};

// Not thread-safe: in a simulation, one thread runs at a time.
class Journal {
 public:
  struct Counts {
    std::uint64_t requests = 0;  // of all instances
    // Writes of objects that are not of the machinery, except those that succeed and change nothing.
    std::uint64_t writes = 0;
    std::uint64_t failed = 0;      // of `requests`: with a status of 400 or more, except 404, 409 and 410
    std::uint64_t refused = 0;     // of `writes`: those that failed
    std::uint64_t events = 0;      // written
    std::uint64_t reconciles = 0;  // begun
    std::uint64_t sent = 0;        // that Fleet counts for crashes: see is_write_of_work()
  };

  // A reconcile that has failed, and that no other one of the controller and the object has followed.
  struct Failing {
    Instant at{};
    std::string message{};
  };

  // `version` returns the last resourceVersion of the server. Without it, every successful write counts.
  Journal(const pintle::Clock& clock, bool has_election, std::function<std::uint64_t()> version = {})
      : clock_(clock), began_(clock.now()), has_election_(has_election), version_(std::move(version)) {}

  // Times of the timeline count from now on.
  void begin();
  void note(std::string who, std::string what);
  // At the moment at which a request leaves the process: a write needs the Lease then, and changes something if it
  // raises the resourceVersion from then on.
  void send(int instance, const http::Request& request);
  // With the response of the server. Without send(), the request left now.
  void record(int instance, const http::Request& request, const http::Response& response);
  // Whether the operator sends so many requests at once that virtual time may never pass.
  [[nodiscard]] bool is_in_a_loop() const noexcept { return at_once_ > max_at_once; }
  // Whether the operator has written so much that the rest of the run would take too long.
  [[nodiscard]] bool is_full() const noexcept { return counts_.writes > max_writes_; }
  // More writes violate Oracle::becomes_idle.
  void limit_writes(std::uint64_t most) noexcept { max_writes_ = most; }
  // A reconcile begins or ends.
  void reconcile(int instance, std::string_view controller, const ObjectKey& key, bool begins);
  // The result of a reconcile. One that was cancelled has none.
  void conclude(std::string_view controller, const GroupVersionKind& kind, const ObjectKey& key,
                const Outcome& outcome);
  // A reconcile of the object that failed after a time, if the last one of a controller did.
  [[nodiscard]] std::optional<Failing> failing(const GroupVersionKind& kind, const ObjectKey& key, Instant since) const;
  // A call of an outside system ends, which began at `from`. `call` contains what it does to what.
  void outside_call(int instance, const std::string& call, Instant from);
  // The controllers that have begun a reconcile in an instance without the Lease.
  [[nodiscard]] const std::set<std::string>& without_lease() const noexcept { return without_lease_; }
  // With leader election, judges what several instances do at the same time. `lives`: see Replicas. `allowed`: the
  // controllers that work in every instance.
  void compare_instances(std::function<bool(int instance)> lives, std::set<std::string> allowed);
  void freeze(int instance, Instant until);
  // The first violation of each oracle counts.
  void violate(Oracle oracle, std::string message);
  // An object that instances write without the Lease, and that is neither their work nor its result: the Secret with
  // the certificates of their webhooks, which they need before they can hold the Lease.
  void exempt(StoredKey key) { exempt_.insert(std::move(key)); }
  [[nodiscard]] bool is_exempt(const StoredKey& key) const { return exempt_.contains(key); }
  // Objects that the operator must not write.
  void protect(StoredKey key) { foreign_.insert(std::move(key)); }
  void unprotect(const StoredKey& key) { foreign_.erase(key); }
  // The metadata that another program has set on objects.
  [[nodiscard]] Marks& marks() noexcept { return marks_; }
  // Judges the writes that the server has dropped. `stored` returns an object as it is now, or an empty one.
  void check_dropped(const std::function<Object(const StoredKey&)>& stored);

  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
  [[nodiscard]] const std::map<Oracle, std::string>& violations() const noexcept { return violations_; }
  // Describes the writes since `before`: how many failed, and the last of these.
  [[nodiscard]] std::string failures_since(const Counts& before) const;
  // Objects that instances created, including those that were deleted since.
  [[nodiscard]] const std::set<StoredKey>& created() const noexcept { return created_; }
  // Objects that are no result of the work: those that instances created before begin(), the protected and the exempt
  // ones.
  [[nodiscard]] std::set<StoredKey> surroundings() const;
  // The resources that instances have read or written, except those of the machinery.
  [[nodiscard]] const std::set<UsedResource>& used() const noexcept { return used_; }
  // Resources that instances wrote, except those of the machinery.
  [[nodiscard]] const std::set<std::string>& written() const noexcept { return written_; }
  [[nodiscard]] std::string timeline() const;

 private:
  static constexpr std::uint64_t max_at_once = 2'000;

  struct Entry {
    Duration at{};
    std::string who;
    std::string what;
  };
  struct Holder {
    int instance = 0;
    Instant until{};
  };

  // The instance, and the method, target and body of a request.
  using SentWrite = std::tuple<int, std::string, std::string, std::string>;

  [[nodiscard]] static SentWrite sent_write(int instance, const http::Request& request) {
    return {instance, request.method, request.target, request.body};
  }
  void record_write(int instance, const RequestInfo& info, const http::Request& request,
                    const http::Response& response);
  void record_lease(int instance, const http::Request& request, const http::Response& response);
  void check_lease(int instance, const RequestInfo& info);
  [[nodiscard]] bool holds_lease(int instance) const;
  // Judges a successful write, from the object in the response.
  void check_content(const std::string& who, const StoredKey& key, const RequestInfo& info,
                     const http::Request& request, const http::Response& response, const Object& object);
  [[nodiscard]] bool has_changed(const RequestInfo& info, std::uint64_t sent_at, const Object& written) const;
  void check_retry(int instance, const StoredKey& key, const http::Request& request, int status);

  const pintle::Clock& clock_;
  Instant began_;
  const bool has_election_;
  const std::function<std::uint64_t()> version_;
  std::vector<Entry> entries_;
  std::uint64_t dropped_ = 0;  // entries beyond the limit
  Counts counts_;
  std::string last_refused_;  // the last write that failed
  std::uint64_t max_writes_ = std::numeric_limits<std::uint64_t>::max();
  Instant last_{};             // the time of the last request
  std::uint64_t at_once_ = 0;  // number of requests at that time
  std::map<Oracle, std::string> violations_;
  std::set<StoredKey> created_;
  std::set<StoredKey> own_;
  std::set<StoredKey> foreign_;
  Marks marks_;
  DroppedWrites dropped_writes_;
  std::set<StoredKey> exempt_;
  std::set<std::string> written_;
  std::map<std::pair<int, StoredKey>, std::string> conflicts_;  // the last content that got a conflict
  std::optional<Holder> holder_;                                // of the Lease
  std::map<std::string, int> reconciles_;                       // in progress, by instance, controller and key
  std::map<std::tuple<std::string, std::string, ObjectKey, std::string>, Failing> failing_;  // by kind, key, controller
  std::set<UsedResource> used_;
  std::set<std::string> without_lease_;
  std::optional<Replicas> replicas_;         // with leader election
  std::map<int, Instant> lease_sent_;        // the last write of the Lease by each instance
  std::map<SentWrite, std::uint64_t> sent_;  // the version when a write without a response was sent
};

}  // namespace pintle::testkit
