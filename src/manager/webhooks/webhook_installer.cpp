// SPDX-License-Identifier: Apache-2.0
#include "webhook_installer.hpp"

#include <utility>

#include <pintle/json/pointer.hpp>

#include "controller/start_retry.hpp"
#include "manager/crd_installer.hpp"
#include "object/manager_mark.hpp"

namespace pintle {
namespace {

std::string describe(const json::Value& configuration) {
  const Object object(configuration);
  return std::string(object.kind()) + " " + std::string(object.name());
}

// Copies the authorities of webhooks to the webhooks with the same names. With `keeps_existing`, only to those without
// authorities: another program may have set them, so an upgrade must not remove them.
void copy_authorities(const json::Value& from, json::Value& to, bool keeps_existing) {
  const json::Value* sources = json::find(from, "/webhooks");
  json::Value* targets = json::find(to, "/webhooks");
  if (sources == nullptr || targets == nullptr) return;
  for (json::Value& target : targets->as_array()) {
    for (const json::Value& source : sources->as_array()) {
      if (source.at("name") != target.at("name")) continue;
      const json::Value* ca = json::find(source, "/clientConfig/caBundle");
      const bool exists = json::find(target, "/clientConfig/caBundle") != nullptr;
      if (ca != nullptr && !(exists && keeps_existing)) (void)!json::set(target, "/clientConfig/caBundle", *ca);
    }
  }
}

}  // namespace

Result<void> WebhookInstaller::ensure(const json::Value& configuration, const std::stop_token& stop) {
  if (policy_ == WebhookPolicy::never) return {};
  const StartRetry retry(client_.transport().executor(), log_, patience_);
  return retry.run(
      "install the " + describe(configuration), [&] { return try_to_ensure(configuration, stop); }, stop);
}

// A conflict with another instance that installs the same configuration is transient.
Result<void> WebhookInstaller::try_to_ensure(const json::Value& configuration, const std::stop_token& stop) {
  const Object wanted(configuration);
  const auto there = client_.get(wanted.group_version_kind(), wanted.key(), stop);
  if (there) return change(*there, configuration, stop);
  if (there.error().code != ErrorCode::not_found) return fail(there.error());
  auto created = create(configuration, stop);
  if (!created && created.error().code == ErrorCode::already_exists) created.error().code = ErrorCode::conflict;
  return created;
}

Result<void> WebhookInstaller::create(const json::Value& configuration, const std::stop_token& stop) {
  json::Value marked = configuration;
  mark_manager(marked, manager_, version_);
  if (const auto created = client_.create(marked, {}, stop); !created) return fail(created.error());
  log_.info("webhook configuration installed", {{"configuration", describe(configuration)}});
  return {};
}

Result<void> WebhookInstaller::change(const Object& there, const json::Value& wanted, const std::stop_token& stop) {
  const std::string_view owner = there.annotation(manager_annotation);
  if (owner != manager_) {
    const std::string installer =
        owner.empty() ? "was not installed by a manager" : "belongs to manager " + std::string(owner);
    return fail(
        make_error(ErrorCode::not_owned, "the installed " + describe(wanted) + " " + installer +
                                             ", and is not changed; delete it, or start with --webhook-install never")
            .terminal());
  }
  json::Value next = there.to_value();
  if (replaces(there)) {
    next.as_object()["webhooks"] = wanted.at("webhooks");
    copy_authorities(there.to_value(), next, true);
    mark_manager(next, manager_, version_);
  } else {
    copy_authorities(wanted, next, false);
  }
  if (Object(next) == there) return {};
  if (const auto replaced = client_.replace(next, {}, stop); !replaced) return fail(replaced.error());
  log_.info("webhook configuration changed", {{"configuration", describe(wanted)}});
  return {};
}

bool WebhookInstaller::replaces(const Object& there) const {
  return policy_ == WebhookPolicy::upgrade &&
         compare_semantic_versions(there.annotation(manager_version_annotation), version_) <= 0;
}

}  // namespace pintle
