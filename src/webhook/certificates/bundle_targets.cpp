// SPDX-License-Identifier: Apache-2.0
#include "bundle_targets.hpp"

#include <algorithm>
#include <utility>

#include "client/errors.hpp"

namespace pintle {
namespace {

bool do_all_trust(const std::vector<ClientConfig>& configs, std::string_view authority) {
  return std::all_of(configs.begin(), configs.end(),
                     [&](const ClientConfig& one) { return has_authority(one.trusted, authority); });
}

}  // namespace

BundleTargets::BundleTargets(Client& client, std::vector<BundleTarget> targets, WebhookAddress address, Log log)
    : client_(client), address_(std::move(address)), log_(std::move(log)) {
  for (BundleTarget& one : targets) entries_.push_back({.target = std::move(one)});
}

void BundleTargets::read(const std::stop_token& stop) {
  error_.reset();
  for (Entry& entry : entries_) {
    entry.error.reset();
    auto found = client_.get(entry.target.kind, {.name = entry.target.name}, stop);
    if (found) {
      take(entry, std::move(*found));
      continue;
    }
    entry.object = {};
    entry.configs.clear();
    if (found.error().code != ErrorCode::not_found) note(entry, std::move(found.error()));
  }
}

void BundleTargets::write(const Authorities& wanted, bool removes, const std::stop_token& stop) {
  for (Entry& entry : entries_) {
    if (entry.error || entry.configs.empty()) continue;
    const json::Patch patch = bundle_patch(entry.object, entry.configs, wanted, removes);
    if (patch.empty()) continue;
    auto patched = client_.patch(entry.target.kind, {.name = entry.target.name}, patch, {}, stop);
    if (!patched) {
      if (is_failed_patch_test(patched.error())) patched.error().code = ErrorCode::conflict;
      note(entry, std::move(patched.error()));
      continue;
    }
    log_.info("changed the authorities that clients of the webhooks trust",
              {{"object", entry.target.kind.kind + " " + entry.target.name}});
    take(entry, std::move(*patched));
  }
}

bool BundleTargets::all_trust(std::string_view authority, bool is_lenient) const {
  return std::all_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
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
  return std::all_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return !entry.error || entry.error->code == ErrorCode::forbidden; });
}

void BundleTargets::note(Entry& entry, Error error) {
  if (!error_) error_ = error;
  entry.error = std::move(error);
}

void BundleTargets::take(Entry& entry, Object object) {
  if (entry.object && entry.object == object) return;
  entry.configs = client_configs(object, address_);
  entry.object = std::move(object);
}

}  // namespace pintle
