// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "connection.hpp"
#include "on_threads.hpp"
#include "sequence.hpp"

namespace pintle::benchmarks {
namespace {

constexpr Duration patience_at_end = std::chrono::seconds(10);  // for values that arrive after the last write

struct Sent {
  std::int64_t at = 0;
  std::int64_t received_at = 0;
};

// Returns the time in milliseconds that this share of the times does not exceed. Sorts the times. Requires at least
// one.
double percentile(std::vector<double>& times, double share) {
  std::ranges::sort(times);
  return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

void add_percentiles(json::object& to, const std::string& prefix, std::vector<double> times) {
  if (times.empty()) return;
  to[prefix + "p50_ms"] = percentile(times, 0.5);
  to[prefix + "p99_ms"] = percentile(times, 0.99);
  to[prefix + "max_ms"] = times.back();
}

double milliseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

// Sends the writes at a steady rate: each one at its time, even if previous ones have no response yet.
Result<std::vector<Sent>> send(const Connection& connection, const GroupVersionKind& kind,
                               const std::vector<ObjectKey>& gadgets, const BenchOptions& options) {
  Executor& executor = *connection.executor;
  std::vector<Sent> sent(options.count);
  const Instant begun = executor.now();
  const auto send_one = [&](std::size_t n) -> Result<void> {
    executor.sleep_until(begun + std::chrono::nanoseconds(std::chrono::seconds(1)) * n / options.rate, options.stop);
    sent[n].at = unix_ns(executor.wall_now());
    const SequenceValue value{.sequence = n, .sent = sent[n].at};
    const json::Value patch{{"metadata", {{"annotations", {{sequence_annotation, value.to_string()}}}}}};
    const auto response = connection.client->patch(kind, gadgets[n % gadgets.size()], patch, {}, options.stop);
    sent[n].received_at = unix_ns(executor.wall_now());
    return response ? Result<void>() : Result<void>(fail(response.error()));
  };
  auto done = on_threads(executor, options.concurrency, options.count, options.stop, send_one);
  if (!done) return fail(std::move(done.error()));
  if (options.stop.stop_requested()) return fail(ErrorCode::cancelled, "not all has been sent");
  return sent;
}

// Returns the values that have arrived. Waits for the missing ones.
std::map<std::uint64_t, std::int64_t> arrivals(Executor& executor, std::size_t count, const BenchOptions& options) {
  auto arrived = TimesFile::read(options.out);
  const Instant deadline = executor.now() + patience_at_end;
  while (arrived.size() < count && executor.now() < deadline) {
    if (!executor.sleep_for(std::chrono::milliseconds(100), options.stop)) break;
    arrived = TimesFile::read(options.out);
  }
  return arrived;
}

// Ignores a value that arrived before it was sent: it is left from an earlier run.
void join(json::object& to, const std::vector<Sent>& sent, const std::map<std::uint64_t, std::int64_t>& arrived) {
  std::vector<double> after_sending;
  std::vector<double> after_response;
  for (const auto& [sequence, at] : arrived) {
    if (sequence >= sent.size() || at < sent[sequence].at) continue;
    after_sending.push_back(milliseconds(at - sent[sequence].at));
    after_response.push_back(milliseconds(at - sent[sequence].received_at));
  }
  to["missing"] = sent.size() - after_sending.size();
  add_percentiles(to, "", std::move(after_sending));
  add_percentiles(to, "after_answer_", std::move(after_response));
}

}  // namespace

Measured write(const BenchOptions& options) {
  const GroupVersionKind kind = kind_named("gadgets");
  auto connection = connect(options, kind);
  if (!connection) return fail(std::move(connection.error()));
  const auto gadgets = some_gadgets(*connection->client, kind, options);
  if (!gadgets) return fail(gadgets.error());
  auto sent_file = TimesFile::open(options.out + ".sent");
  if (!sent_file) return fail(std::move(sent_file.error()));

  Executor& executor = *connection->executor;
  const Instant begun = executor.now();
  const auto sent = send(*connection, kind, *gadgets, options);
  if (!sent) return fail(sent.error());
  const double total_s = std::chrono::duration<double>(executor.now() - begun).count();
  for (std::size_t n = 0; n < sent->size(); ++n) sent_file->add(n, (*sent)[n].at);

  json::object result{{"mode", "write"},
                      {"count", options.count},
                      {"rate", options.rate},
                      {"per_s", static_cast<double>(options.count) / total_s}};
  join(result, *sent, arrivals(executor, sent->size(), options));
  return result;
}

}  // namespace pintle::benchmarks
