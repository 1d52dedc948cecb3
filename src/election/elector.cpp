// SPDX-License-Identifier: Apache-2.0
#include "elector.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/random.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {
namespace {

constexpr Duration tolerance = std::chrono::seconds(20);  // of the health check, as in kube-controller-manager

}  // namespace

Elector::Elector(std::unique_ptr<Client> client, LeaderElectionOptions options, Fence& fence, Log log,
                 MetricsRegistry& metrics, LeadershipCallbacks leadership, std::string pages)
    : client_(std::move(client)),
      executor_(client_->transport().executor()),
      options_(std::move(options)),
      fence_(fence),
      log_(log.with({{"lease", fence.lease()}, {"identity", options_.identity}})),
      leads_gauge_(metrics.gauge("leader_election_master_status", "1 while this instance holds the lease, else 0.",
                                 {{"name", options_.name}})),
      slow_renewals_(metrics.counter("leader_election_slowpath_total",
                                     "Renewals that had to read the lease again first.", {{"name", options_.name}})),
      leadership_(std::move(leadership)),
      election_(
          options_, [this] { return Random::to_unit(executor_.random()); }, std::move(pages)),
      mutex_(executor_),
      changed_(executor_) {
  leads_gauge_.set(0);
}

Elector::~Elector() { resign(); }

void Elector::start() {
  thread_ = executor_.spawn({.name = "election"}, [this] { run(); });
}

void Elector::withdraw() {
  bool stands_by = false;
  {
    const MutexLock lock(mutex_);
    withdrawn_ = true;
    while (beginning_) changed_.wait(mutex_);
    stands_by = !leads_;
    changed_.notify_all();
  }
  if (stands_by) interrupt();
}

void Elector::resign() {
  {
    const MutexLock lock(mutex_);
    withdrawn_ = true;
    while (beginning_) changed_.wait(mutex_);
    resigned_ = true;
    working_ = false;
    changed_.notify_all();
  }
  interrupt();
  thread_.join();
}

bool Elector::leads() const {
  const MutexLock lock(mutex_);
  return leads_;
}

ElectionStanding Elector::standing() const {
  const MutexLock lock(mutex_);
  return {.identity = options_.identity,
          .lease = options_.namespace_ + "/" + options_.name,
          .pages = pages_,
          .holder = holder_,
          .renewed = renewed_};
}

Result<void> Elector::check_health() const {
  bool working = false;
  {
    const MutexLock lock(mutex_);
    working = working_;
  }
  const Instant limit = after(fence_.ends(), tolerance);
  const Instant now = executor_.now();
  if (!working || now <= limit) return {};
  return fail(ErrorCode::unavailable, "work still runs although the lease " + fence_.lease() +
                                          " has not been renewed; it ended " + format_duration(now - fence_.ends()) +
                                          " ago");
}

void Elector::run() {
  while (turn()) {}
  leads_gauge_.set(0);
}

// Carries out the next step of the election. Returns false when the election is over.
bool Elector::turn() {
  bool resigns = false;
  {
    const MutexLock lock(mutex_);
    resigns = is_called_off();
  }
  if (resigns && !std::exchange(resigning_, true)) {
    election_.resign();
    fence_.close(false);
    resign_by_ = after(executor_.now(), options_.renew_deadline);
    if (election_.leads()) resign_by_ = std::min(resign_by_, election_.term().ends);
  }
  const ElectionStep step = election_.next(times());
  if (const auto* lost = std::get_if<LeaseIsLost>(&step)) {
    lose(*lost);
    return false;
  }
  if (std::holds_alternative<LeaseIsGivenUp>(step)) {
    if (election_.last_error()) {
      log_.warning("the lease cannot be released; it expires by itself",
                   {{"error", election_.last_error()->to_string()}});
    } else if (began_) {
      log_.info("released the lease");
    }
    return false;
  }
  if (const auto* pause = std::get_if<Pause>(&step)) {
    wait_until(pause->until);
  } else {
    perform(step);
  }
  return true;
}

// Returns until when the response to a request that is sent now is awaited: half the renew_deadline, so that two
// requests fit into it, and at most until a leader must stop writing.
Instant Elector::response_deadline() const {
  if (resigning_) return resign_by_;
  const Instant half = after(executor_.now(), options_.renew_deadline / 2);
  return election_.leads() ? std::min(half, election_.term().write_until) : half;
}

// The client may repeat the request after a pause, so a timer limits the whole call.
void Elector::perform(const ElectionStep& step) {
  std::stop_source call;
  bool interrupted = false;
  {
    const MutexLock lock(mutex_);
    interrupted = !resigning_ && is_called_off();
    if (!resigning_) call_ = call;
  }
  if (interrupted) call.request_stop();
  const Instant sent_at = executor_.now();
  const Instant until = response_deadline();
  const auto timer = client_->transport().start_timer(until, [call]() mutable { call.request_stop(); });
  Result<Object> response = send(step, call.get_token());
  client_->transport().cancel_timer(timer);
  {
    const MutexLock lock(mutex_);
    call_.reset();
  }
  if (!response && response.error().code == ErrorCode::cancelled && executor_.now() >= until) {
    response = fail(ErrorCode::timeout, "no response within " + format_duration(until - sent_at));
  }
  election_.on_response(std::move(response), times());
  notice();
}

Result<Object> Elector::send(const ElectionStep& step, const std::stop_token& stop) {
  if (const auto* create = std::get_if<CreateLease>(&step)) return client_->create(create->lease, {}, stop);
  if (const auto* replace = std::get_if<ReplaceLease>(&step)) return client_->replace(replace->lease, {}, stop);
  return client_->get(lease_type, {.namespace_ = options_.namespace_, .name = options_.name}, stop);
}

// Handles the changes that a response caused.
void Elector::notice() {
  {
    const MutexLock lock(mutex_);
    holder_ = election_.holder();
    pages_ = election_.pages();
    renewed_ = election_.renewed();
  }
  if (resigning_) return;
  slow_renewals_.add(election_.slow_renewals() - std::exchange(counted_slow_renewals_, election_.slow_renewals()));
  const std::string last_error = election_.last_error() ? election_.last_error()->to_string() : std::string();
  const bool is_cancelled = election_.last_error() && election_.last_error()->code == ErrorCode::cancelled;
  if (last_error != std::exchange(logged_error_, last_error) && !last_error.empty() && !is_cancelled) {
    log_.warning(
        election_.leads() ? "the lease cannot be renewed; trying again" : "the lease cannot be taken; trying again",
        {{"error", last_error}});
  }
  if (!election_.leads()) {
    if (election_.holder() != std::exchange(logged_holder_, election_.holder()) && !logged_holder_.empty()) {
      log_.info("standing by while another instance leads", {{"holder", logged_holder_}});
    }
    return;
  }
  fence_.open_for(election_.term());
  if (!began_) begin();
}

void Elector::begin() {
  {
    const MutexLock lock(mutex_);
    if (withdrawn_) return;
    began_ = true;
    beginning_ = true;
    working_ = true;
    leads_ = true;
  }
  leads_gauge_.set(1);
  log_.info("leading");
  leadership_.begin();
  const MutexLock lock(mutex_);
  beginning_ = false;
  changed_.notify_all();
}

// Closes the fence first, so that no further write is sent.
void Elector::lose(const LeaseIsLost& lost) {
  fence_.close(lost.is_taken);
  leads_gauge_.set(0);
  {
    const MutexLock lock(mutex_);
    leads_ = false;
  }
  if (began_) leadership_.lost(lost.why);
}

void Elector::wait_until(Instant until) {
  const MutexLock lock(mutex_);
  while (!is_called_off()) {
    if (!changed_.wait_until(mutex_, until)) return;
  }
}

void Elector::interrupt() {
  std::optional<std::stop_source> call;
  {
    const MutexLock lock(mutex_);
    call = call_;
  }
  if (call) call->request_stop();
}

}  // namespace pintle
