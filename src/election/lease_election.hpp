// LeaseElection: what a candidate for a Lease does next, as a state machine that does no I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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

// Durations with which two instances could work at once, or one failed renewal would lose the lease, and names that a
// server would refuse. `options` with its defaults filled in.
[[nodiscard]] std::vector<Error> check(const LeaderElectionOptions& options);

// Both clocks at one moment. The second is only written into the Lease for people to read, since clocks of machines
// differ.
struct Times {
  Instant now{};
  WallTime wall{};
};

struct GetLease {};
struct CreateLease {
  json::Value lease;
};
struct ReplaceLease {
  json::Value lease;  // the whole object as it was read, with its resourceVersion, and what changes
};
struct Pause {
  Instant until{};
};
struct LeaseIsLost {
  Error why{};
  bool is_taken = false;  // somebody may work already; otherwise there is time until Term::ends
};
struct LeaseIsGivenUp {};
using ElectionStep = std::variant<GetLease, CreateLease, ReplaceLease, Pause, LeaseIsLost, LeaseIsGivenUp>;

// What a leader may do until when. All three move on with each renewal.
struct Term {
  Instant renewed{};      // when the request that renewed the lease last was sent
  Instant write_until{};  // no pass begins and no write leaves from then on
  Instant ends{};         // everything has to be over: a little before others can take the lease
};

// Asks for one step at a time: next() says what to do; after a get, create or replace, answered() takes what came of
// it; after a pause, or when something else happened meanwhile, next() again. Not thread-safe.
class LeaseElection {
 public:
  // `options` complete and checked; `random` gives numbers in [0, 1).
  LeaseElection(LeaderElectionOptions options, std::function<double()> random);

  [[nodiscard]] ElectionStep next(const Times& times);
  void answered(Result<Object> lease, const Times& times);
  // From now on it gives back what it has, or may have: next() ends with LeaseIsGivenUp. Not while an answer is due.
  void resign();

  [[nodiscard]] bool leads() const noexcept { return term_.has_value(); }
  // Of the leader.
  [[nodiscard]] const Term& term() const noexcept { return *term_; }
  // Who has the lease as far as is known; empty: nobody.
  [[nodiscard]] const std::string& holder() const noexcept { return seen_.holder; }
  // The last answer that was an error, until one is not.
  [[nodiscard]] const std::optional<Error>& trouble() const noexcept { return trouble_; }
  // Renewals that had to read the lease again first.
  [[nodiscard]] int slow_renewals() const noexcept { return slow_renewals_; }

 private:
  // What the holder writes; a change of it is a sign of life.
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
  ElectionStep ask(Request request, ElectionStep step, const Times& times);
  void written(const Times& times);
  void refused(Error error, const Times& times);
  void lose(std::string why, bool is_taken);
  void see(const Object& lease, Instant now);
  [[nodiscard]] bool is_ours() const;
  [[nodiscard]] bool is_free(Instant now) const;
  [[nodiscard]] Duration look_again_after();
  [[nodiscard]] json::Value with_record(const Record& record) const;
  [[nodiscard]] Record acquiring(const Times& times);

  const LeaderElectionOptions options_;
  const std::function<double()> random_;
  std::optional<Term> term_;
  std::optional<LeaseIsLost> lost_;
  std::optional<Error> trouble_;
  bool resigned_ = false;
  bool given_up_ = false;

  Object lease_;  // as last read or written; none: there is none, or we do not know
  Record seen_;
  Instant seen_changed_{};  // by our clock, when it last changed
  bool has_seen_ = false;
  bool must_read_ = true;  // what we know is not good enough to write on it
  bool is_missing_ = false;
  std::string acquiring_;  // the acquireTime we sent last, by which we know our own record again

  Request asked_ = Request::none;
  Instant sent_{};
  Instant not_before_{};
  int slow_renewals_ = 0;
};

}  // namespace pintle
