// SPDX-License-Identifier: Apache-2.0
// LeaseElection: decides the next step of a candidate for a Lease, as a state machine without I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/election/leader_election.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

inline constexpr Type lease_type{"coordination.k8s.io/v1", "Lease"};

// Returns an error for each duration with which two instances could work at once or one failed renewal would lose the
// lease, and for each name that a server would refuse. The defaults of `options` must be filled in.
[[nodiscard]] std::vector<Error> check(const LeaderElectionOptions& options);

// Both clocks at one moment. The wall clock is only written into the Lease, as information for users, because the
// clocks of machines differ.
struct Times {
  Instant now{};
  WallTime wall{};
};

struct GetLease {};
struct CreateLease {
  json::Value lease;
};
struct ReplaceLease {
  json::Value lease;  // the whole object as it was read, with its resourceVersion and the changes
};
struct Pause {
  Instant until{};
};
struct LeaseIsLost {
  Error why{};
  bool is_taken = false;  // another instance may already work; false: there is time until Term::ends
};
struct LeaseIsGivenUp {};
using ElectionStep = std::variant<GetLease, CreateLease, ReplaceLease, Pause, LeaseIsLost, LeaseIsGivenUp>;

// The limits of a leader. Each renewal moves all three forward.
struct Term {
  Instant renewed{};      // when the request of the last renewal was sent
  Instant write_until{};  // from then on, no reconcile begins and no write is sent
  Instant ends{};         // all work must be over: a little before others can take the lease
};

// The annotation of a Lease with the URL of the pages of its holder.
inline constexpr std::string_view pages_annotation = "pintle.dev/pages";

// Decides one step at a time. The caller carries out the step that next() returns. After a get, create or replace, it
// passes the result to on_response() and calls next() again. After a pause, which may end early, it calls next() again.
// Thread-safety: none.
class LeaseElection {
 public:
  // `options` must be complete and checked. `random` returns numbers in [0, 1). `pages` is the URL of the pages of this
  // instance, which the Lease has in pages_annotation while this instance holds it; "": none.
  LeaseElection(LeaderElectionOptions options, std::function<double()> random, std::string pages = {});

  [[nodiscard]] ElectionStep next(const Times& times);
  void on_response(Result<Object> lease, const Times& times);
  // From now on the election releases the lease that it holds or may hold; then next() returns LeaseIsGivenUp. Must not
  // be called while a response is outstanding.
  void resign();

  [[nodiscard]] bool leads() const noexcept { return term_.has_value(); }
  // Requires leads().
  [[nodiscard]] const Term& term() const noexcept { return *term_; }
  // The last known holder of the lease; "" for none.
  [[nodiscard]] const std::string& holder() const noexcept { return record_.holder; }
  // The time of its last renewal, as it wrote it.
  [[nodiscard]] const std::string& renewed() const noexcept { return record_.renewed; }
  // The URL of the pages of the holder; "" if it is unknown.
  [[nodiscard]] std::string_view pages() const noexcept { return lease_.annotation(pages_annotation); }
  // The error of the last request, if it failed.
  [[nodiscard]] const std::optional<Error>& last_error() const noexcept { return last_error_; }
  // Renewals that had to read the lease again first.
  [[nodiscard]] int slow_renewals() const noexcept { return slow_renewals_; }

 private:
  // The fields that the holder writes. A change of them is a sign of life.
  struct Record {
    std::string holder{};
    std::int64_t seconds = 0;
    std::string acquired{};
    std::string renewed{};
    std::int64_t transitions = 0;
    friend bool operator==(const Record&, const Record&) = default;
  };
  enum class Request { none, get, create, replace };

  ElectionStep next_of_leader(const Times& times);
  ElectionStep next_of_candidate(const Times& times);
  ElectionStep next_of_resigned(const Times& times);
  ElectionStep start_request(Request request, ElectionStep step, const Times& times);
  void written(const Times& times);
  void on_failure(Error error, const Times& times);
  void lose(std::string why, bool is_taken);
  void observe(const Object& lease, Instant now);
  [[nodiscard]] bool is_ours() const;
  [[nodiscard]] bool is_free(Instant now) const;
  [[nodiscard]] Duration candidate_pause();
  [[nodiscard]] json::Value with_record(const Record& record) const;
  void add_labels(json::object& metadata) const;
  void set_pages(json::object& metadata) const;
  [[nodiscard]] Record acquiring(const Times& times);

  const LeaderElectionOptions options_;
  const std::function<double()> random_;
  const std::string own_pages_;
  std::optional<Term> term_;
  std::optional<LeaseIsLost> lost_;
  std::optional<Error> last_error_;
  bool resigned_ = false;
  bool given_up_ = false;

  Object lease_;  // as last read or written; empty: missing or not read yet
  Record record_;
  Instant record_changed_at_{};  // when record_ last changed, by the local clock
  bool has_record_ = false;
  bool must_read_ = true;  // lease_ may be outdated, so it must be read before a write
  bool is_missing_ = false;
  std::string acquiring_;  // the acquireTime that this process sent last; identifies its own record

  Request pending_ = Request::none;
  Instant sent_{};
  Instant not_before_{};
  int slow_renewals_ = 0;
};

}  // namespace pintle
