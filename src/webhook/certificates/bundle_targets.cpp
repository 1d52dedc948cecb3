// SPDX-License-Identifier: Apache-2.0
#include "bundle_targets.hpp"

#include <algorithm>
#include <utility>

#include <pintle/http/transport.hpp>

#include "client/errors.hpp"

namespace pintle {
namespace {

// For targets of other clusters.
constexpr Duration request_timeout_elsewhere = std::chrono::seconds(5);
constexpr Duration pause_elsewhere = std::chrono::seconds(30);
constexpr Duration max_delay_elsewhere = std::chrono::minutes(10);

std::string describe_target(const BundleTarget& target) {
  return target.kind.kind + " " + target.name + (target.cluster.empty() ? "" : " in cluster " + target.cluster);
}

bool do_all_trust(const std::vector<ClientConfig>& configs, std::string_view authority) {
  return std::all_of(configs.begin(), configs.end(),
                     [&](const ClientConfig& one) { return has_authority(one.trusted, authority); });
}

}  // namespace

BundleTargets::BundleTargets(Client& client, std::vector<BundleTarget> targets, WebhookAddress address, Log log)
    : client_(client), executor_(client.transport().executor()), address_(std::move(address)), log_(std::move(log)) {
  for (BundleTarget& one : targets) entries_.push_back({.target = std::move(one)});
}

Client& BundleTargets::client_of(const Entry& entry) const {
  return entry.is_elsewhere() ? *entry.target.client : client_;
}

void BundleTargets::read(const std::stop_token& stop) {
  error_.reset();
  for (Entry& entry : entries_) {
    if (entry.error && executor_.now() < entry.next_attempt) continue;
    if (!entry.error) {
      entry.failed_since.reset();
      entry.logged_error.clear();
    }
    entry.error.reset();
    GetOptions options;
    if (entry.is_elsewhere()) options.timeout = request_timeout_elsewhere;
    auto found = client_of(entry).get(entry.target.kind, {.name = entry.target.name}, options, stop);
    if (found) {
      take(entry, std::move(*found));
      continue;
    }
    entry.object = {};
    entry.configs.clear();
    if (found.error().code != ErrorCode::not_found) note(entry, std::move(found.error()), stop);
  }
}

void BundleTargets::write(const Authorities& wanted, bool removes, const std::stop_token& stop) {
  for (Entry& entry : entries_) {
    if (entry.error || entry.configs.empty()) continue;
    const json::Patch patch = bundle_patch(entry.object, entry.configs, wanted, removes);
    if (patch.empty()) continue;
    WriteOptions options;
    if (entry.is_elsewhere()) options.timeout = request_timeout_elsewhere;
    auto patched = client_of(entry).patch(entry.target.kind, {.name = entry.target.name}, patch, options, stop);
    if (!patched) {
      if (is_failed_patch_test(patched.error())) patched.error().code = ErrorCode::conflict;
      note(entry, std::move(patched.error()), stop);
      continue;
    }
    log_.info("changed the authorities that clients of the webhooks trust",
              {{"object", describe_target(entry.target)}});
    take(entry, std::move(*patched));
  }
}

bool BundleTargets::all_trust(std::string_view authority, bool is_lenient) const {
  return std::all_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    if (entry.error && entry.is_elsewhere()) {
      return is_lenient || executor_.now() - entry.failed_since.value_or(executor_.now()) >= max_delay_elsewhere;
    }
    if (entry.error) return is_lenient && entry.error->code == ErrorCode::forbidden;
    return do_all_trust(entry.configs, authority);
  });
}

Authorities BundleTargets::trusted() const {
  Authorities all;
  for (const Entry& entry : entries_) {
    for (const ClientConfig& config : entry.configs) {
      for (const std::string& one : config.trusted) {
        if (!has_authority(all, one)) all.push_back(one);
      }
    }
  }
  return all;
}

bool BundleTargets::are_known() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return !entry.error || entry.is_elsewhere() || entry.error->code == ErrorCode::forbidden;
  });
}

void BundleTargets::note(Entry& entry, Error error, const std::stop_token& stop) {
  if (entry.is_elsewhere()) {
    note_elsewhere(entry, error, stop);
  } else if (!error_) {
    error_ = error;
  }
  entry.error = std::move(error);
}

// A conflict with another instance is normal, and is repeated in the next round.
void BundleTargets::note_elsewhere(Entry& entry, const Error& error, const std::stop_token& stop) const {
  const Instant now = executor_.now();
  if (!entry.failed_since) entry.failed_since = now;
  if (error.code == ErrorCode::conflict) return;
  entry.next_attempt = after(now, pause_elsewhere);
  const std::string text = error.to_string();
  if (stop.stop_requested() || text == entry.logged_error) return;
  entry.logged_error = text;
  log_.warning("cannot check the authorities of the webhooks in another cluster; trying again",
               {{"object", describe_target(entry.target)}, {"error", text}});
}

void BundleTargets::take(Entry& entry, Object object) {
  if (entry.object && entry.object == object) return;
  entry.configs = client_configs(object, address_);
  entry.object = std::move(object);
}

}  // namespace pintle
