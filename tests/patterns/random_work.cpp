// SPDX-License-Identifier: Apache-2.0
#include "random_work.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace pintle::every_pattern {

std::string object_named(const std::string& name, const std::string& text) {
  return name + "#" + text.substr(0, text.find('/'));
}

Job RandomWork::job() {
  return {.reconcile = [this](const ObjectKey& key, const std::string& text,
                              Context& ctx) { return reconcile(key, text, ctx); },
          .clean_up = [this](const ObjectKey& key, Context& ctx) { return clean_up(key, ctx); },
          .workers = 2,
          .reports = true,
          .owns_config_maps = true};
}

Outcome RandomWork::reconcile(const ObjectKey& key, const std::string& text, Context& ctx) {
  Work& work = begin(key, ctx, false);
  const std::string object = object_named(key.name, text);
  const auto thing = things.find(key.name);
  if (thing != things.end() && object_named(key.name, thing->second) != object) {
    const std::string lost = object_named(key.name, thing->second);
    if (!excused.contains(lost)) violated(key.name, "the clean-up of " + lost + " was lost");
    things.erase(thing);
  }
  const bool makes_early = random_.below(2) == 0;
  if (makes_early) keep(key.name, text);
  auto wrote = write(work, key, ctx, true);
  if (!wrote) return end(key.name, work, End::outage, ctx, wrote.error());
  const End chosen = choose(work);
  if (chosen == End::done) {
    keep(key.name, text);
    ctx.status().set("/seen", text);
    if (auto applied = apply_child(key, text, ctx); !applied)
      return end(key.name, work, End::outage, ctx, applied.error());
  }
  return end(key.name, work, chosen, ctx);
}

Outcome RandomWork::clean_up(const ObjectKey& key, Context& ctx) {
  Work& work = begin(key, ctx, true);
  auto wrote = write(work, key, ctx, false);
  if (!wrote) return end(key.name, work, End::outage, ctx, wrote.error());
  const End chosen = choose(work);
  const auto thing = things.find(key.name);
  if (chosen == End::done && thing != things.end()) {
    cleaned.insert(object_named(key.name, thing->second));
    things.erase(thing);
  }
  return end(key.name, work, chosen, ctx);
}

void RandomWork::keep(const std::string& name, const std::string& text) {
  things[name] = text;
  made.insert(object_named(name, text));
}

Work& RandomWork::begin(const ObjectKey& key, Context& ctx, bool is_clean_up) {
  Work& work = works[key.name];
  const Instant now = ctx.executor().now();
  ++work.attempts;
  if (work.attempts == max_attempts) {
    violated(key.name, "it spins");
    for (auto& [name, each] : works) each.weights = all_is_well;
  }
  const bool is_another_action = is_clean_up != work.is_clean_up && pattern_.has_back_off_of_each_action;
  if (is_checked && !is_another_action) check(key.name, work, now);
  // Work without retries left begins again with the first delay. The test cannot always determine whether retries are
  // left.
  if (work.changed && pattern_.gives_up_after != 0) work.failures = 0;
  if (work.changed && work.changed < now) work.changed.reset();
  work.begun = now;
  if (is_another_action) work.failures = 0;
  // If the work is repeated or follows a change, its success is written to the status.
  work.has_written = work.end != End::done || work.is_clean_up != is_clean_up || work.changed;
  work.is_clean_up = is_clean_up;
  return work;
}

// Each attempt must have a reason: a change by another client, or the time to which the previous attempt led.
void RandomWork::check(const std::string& name, const Work& work, Instant now) {
  if (work.attempts == 1 || work.changed) return;
  // Another object of the same name, which was created and deleted in between, may wait behind the deleted one.
  if (work.is_clean_up && (work.end == End::done || work.end == End::refusal)) return;
  const Duration gap = now - work.ended;
  const std::string after = format_duration(gap) + " after attempt " + std::to_string(work.attempts - 1);
  switch (work.end) {
    case End::done:
      if (!work.has_written) violated(name, "nothing has changed " + after + ", which was done");
      return;
    case End::refusal: violated(name, "tried again " + after + ", which failed for good"); return;
    case End::delay:
      if (gap < work.requested_delay)
        violated(name, "called " + after + ", which asked for " + format_duration(work.requested_delay));
      return;
    case End::exception:
    case End::outage:
    case End::again:
      if (is_final(work)) {
        if (work.is_clean_up && gap >= pattern_.between_owed_clean_ups) return;
        violated(name, "tried again " + after + ", which was the last");
      } else if (gap < wait_after(work.failures)) {
        violated(name, "tried again " + after + ", the failure " + std::to_string(work.failures) +
                           " in a row: " + format_duration(wait_after(work.failures)) + " is the time");
      }
  }
}

// Only a change by another client causes another attempt.
bool RandomWork::is_final(const Work& work) const {
  if (work.end == End::refusal) return true;
  if (work.end == End::exception && pattern_.has_final_phase && !work.is_clean_up) return true;
  return work.failures != 0 && pattern_.gives_up_after != 0 && work.failures >= pattern_.gives_up_after;
}

Duration RandomWork::wait_after(unsigned failures) const {
  const Duration first = pattern_.first_waits.front();
  return Backoff{.base = first}.delay(std::max(failures, 1U) - 1);
}

End RandomWork::choose(const Work& work) {
  unsigned sum = 0;
  for (const unsigned weight : work.weights) sum += weight;
  std::uint64_t at = random_.below(sum);
  for (std::size_t i = 0; i < work.weights.size(); ++i) {
    if (at < work.weights[i]) return static_cast<End>(i);
    at -= work.weights[i];
  }
  return End::done;
}

Outcome RandomWork::end(const std::string& name, Work& work, End chosen, Context& ctx, std::optional<Error> met) {
  const std::string text = "attempt " + std::to_string(work.attempts) + ".";
  work.end = chosen;
  work.ended = ctx.executor().now();
  const bool fails = chosen != End::done && chosen != End::delay && chosen != End::refusal;
  // The clean-up for an object that is gone: no client can change that object any more.
  if (work.is_clean_up && chosen == End::refusal && !pattern_.is_held_at_once) {
    const auto thing = things.find(name);
    if (thing != things.end()) excused.insert(object_named(name, thing->second));
  }
  work.successes += chosen == End::done ? 1 : 0;
  work.delays += chosen == End::delay ? 1 : 0;
  work.failures = fails ? work.failures + 1 : 0;
  work.failure = chosen == End::done || chosen == End::delay || chosen == End::again ? "" : text;
  switch (chosen) {
    case End::done: return done;
    case End::again: return requeue;
    case End::delay:
      work.requested_delay = std::chrono::minutes(5 + random_.below(15));
      return requeue_after(work.requested_delay);
    case End::refusal: return failed(make_error(ErrorCode::invalid, "refused: " + text).terminal());
    case End::exception: throw std::runtime_error("thrown: " + text);
    case End::outage: break;
  }
  return failed(make_error(ErrorCode::unavailable, "failed: " + text + (met ? " " + met->to_string() : "")));
}

// Writes a value that differs for each attempt.
Result<void> RandomWork::write(Work& work, const ObjectKey& key, Context& ctx, bool is_alive) {
  if (work.weights == all_is_well) return {};
  if (!work.writes_always && random_.below(10) == 0) return {};
  const std::string text = "attempt " + std::to_string(work.attempts);
  if (work.writes.status) ctx.status().set("/seen", text);
  if (work.writes.event) ctx.event(EventType::normal, "Tried", text);
  work.has_written = work.has_written || work.writes.status;
  if (work.writes.annotation) {
    work.has_written = true;
    const json::Value noted{{"metadata", {{"annotations", {{"patterns.dev/attempt", text}}}}}};
    auto written = ctx.client().patch(widget_kind, key, noted, {}, ctx.stop_token());
    if (!written && written.error().code != ErrorCode::not_found) return fail(written.error());
  }
  if (work.writes.child && is_alive) {
    work.has_written = true;
    return apply_child(key, text, ctx);
  }
  return {};
}

Result<void> RandomWork::apply_child(const ObjectKey& key, const std::string& text, Context& ctx) {
  auto owner = ctx.get(widget_kind, key);
  if (!owner && owner.error().code == ErrorCode::not_found) return {};
  if (!owner) return fail(owner.error());
  ConfigMap child{.metadata = owned_by(*owner), .data = {{"text", text}}};
  auto applied = ctx.apply(child);
  if (applied || applied.error().code == ErrorCode::not_found) return {};
  return fail(applied.error());
}

void RandomWork::violated(const std::string& name, const std::string& what) {
  if (violations.size() < 20) violations.push_back(name + ": " + what);
}

}  // namespace pintle::every_pattern
