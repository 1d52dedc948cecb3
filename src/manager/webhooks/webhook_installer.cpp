// SPDX-License-Identifier: Apache-2.0
#include "webhook_installer.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <pintle/http/transport.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>

#include "controller/start_retry.hpp"
#include "manager/crd_installer.hpp"
#include "object/manager_mark.hpp"

namespace pintle {
namespace {

std::string describe(const Object& configuration) {
  return std::string(configuration.kind()) + " " + std::string(configuration.name());
}
std::string describe(const json::Value& configuration) { return describe(Object(configuration)); }

// Returns the names of the webhooks of `there` that `wanted` does not have.
std::string undeclared_webhooks(const Object& there, const json::Value& wanted) {
  const Object after(wanted);
  std::set<std::string_view> declared;
  for (const json::View one : after["/webhooks"].elements()) declared.insert(one.member("name").text());
  std::string names;
  for (const json::View one : there["/webhooks"].elements()) {
    const std::string_view name = one.member("name").text();
    if (!declared.contains(name)) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

json::Value address_of(const json::Value& webhook) {
  const json::Value* config = json::find(webhook, "/clientConfig");
  json::Value address = config == nullptr ? json::Value(json::object()) : *config;
  if (json::object* members = address.if_object()) members->erase("caBundle");
  return address;
}

// Returns the names of the webhooks that `there` calls at another address than `wanted`.
std::string webhooks_elsewhere(const json::Value& there, const json::Value& wanted) {
  std::string names;
  const json::Value* installed = json::find(there, "/webhooks");
  if (installed == nullptr || !installed->is_array()) return names;
  for (const json::Value& one : installed->get_array()) {
    for (const json::Value& other : wanted.at("webhooks").as_array()) {
      if (one.at("name") != other.at("name") || json::equal(address_of(one), address_of(other))) continue;
      names += (names.empty() ? "" : ", ") + std::string(one.at("name").as_string());
    }
  }
  return names;
}

// Returns the first member of a webhook that is not installed as it is declared, or "". Its address is not compared,
// nor members that only the server sets.
std::string changed_member(const json::Value& there, const json::Value& wanted) {
  for (const auto& [name, value] : wanted.as_object()) {
    if (name == "clientConfig") continue;
    const json::Value* installed = there.as_object().if_contains(name);
    if (installed == nullptr || !json::equal(*installed, value)) return name;
  }
  // With conditions, the server calls a webhook for fewer requests.
  const char* conditions = "matchConditions";
  const bool has_more = json::find(there, "/matchConditions") != nullptr && !wanted.as_object().contains(conditions);
  return has_more ? conditions : "";
}

// Returns the names of the webhooks of `wanted` that `there` does not have, or not as they are declared.
std::string webhooks_that_differ(const json::Value& there, const json::Value& wanted) {
  std::string names;
  const json::Value* installed = json::find(there, "/webhooks");
  for (const json::Value& one : wanted.at("webhooks").as_array()) {
    std::string difference = "missing";
    for (const json::Value& other : installed == nullptr ? json::array() : installed->as_array()) {
      if (one.at("name") == other.at("name")) difference = changed_member(other, one);
    }
    if (difference.empty()) continue;
    names += (names.empty() ? "" : ", ") + std::string(one.at("name").as_string()) + " (" + difference + ")";
  }
  return names;
}

// Copies the authorities of installed webhooks to those of an upgrade that have none: another program may have set
// them, so an upgrade must not remove them. Otherwise copies the authorities of this process to the installed webhooks
// that have its address: a webhook at another address is served with a certificate of other authorities.
void copy_authorities(const json::Value& from, json::Value& to, bool is_upgrade) {
  const json::Value* sources = json::find(from, "/webhooks");
  json::Value* targets = json::find(to, "/webhooks");
  if (sources == nullptr || targets == nullptr) return;
  for (json::Value& target : targets->as_array()) {
    for (const json::Value& source : sources->as_array()) {
      if (source.at("name") != target.at("name")) continue;
      const json::Value* ca = json::find(source, "/clientConfig/caBundle");
      const bool exists = json::find(target, "/clientConfig/caBundle") != nullptr;
      const bool is_set = is_upgrade ? !exists : json::equal(address_of(source), address_of(target));
      if (ca != nullptr && is_set) (void)!json::set(target, "/clientConfig/caBundle", *ca);
    }
  }
}

}  // namespace

std::vector<GroupVersionKind> undeclared_configurations(WebhookPolicy policy,
                                                        const std::vector<AnyAdmission>& admissions) {
  if (policy == WebhookPolicy::never || (admissions.empty() && policy != WebhookPolicy::upgrade)) return {};
  const auto any = [&](auto has) { return std::any_of(admissions.begin(), admissions.end(), has); };
  const std::string version = "admissionregistration.k8s.io/v1";
  std::vector<GroupVersionKind> kinds;
  if (!any([](const AnyAdmission& one) { return one.mutate != nullptr; })) {
    kinds.emplace_back(version, "MutatingWebhookConfiguration");
  }
  if (!any([](const AnyAdmission& one) { return one.validate != nullptr; })) {
    kinds.emplace_back(version, "ValidatingWebhookConfiguration");
  }
  return kinds;
}

Result<void> WebhookInstaller::ensure(const std::function<json::Value()>& configuration, const std::stop_token& stop) {
  if (policy_ == WebhookPolicy::never) return {};
  const StartRetry retry(client_.transport().executor(), log_, patience_);
  return retry.run(
      "install the " + describe(configuration()), [&] { return try_to_ensure(configuration(), stop); }, stop);
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
    warn_of_undeclared(there, wanted);
    warn_of_differences(there, wanted);
    warn_of_other_address(there, wanted);
  }
  if (Object(next) == there) return {};
  if (const auto replaced = client_.replace(next, {}, stop); !replaced) return fail(replaced.error());
  log_.info("webhook configuration changed", {{"configuration", describe(wanted)}});
  return {};
}

Result<void> WebhookInstaller::remove_undeclared(const GroupVersionKind& kind, const std::stop_token& stop) {
  const StartRetry retry(client_.transport().executor(), log_, patience_);
  return retry.run(
      "remove the " + kind.kind + " " + manager_, [&] { return try_to_remove(kind, stop); }, stop);
}

// The version in the precondition: meanwhile a later version of the operator may have replaced the configuration.
Result<void> WebhookInstaller::try_to_remove(const GroupVersionKind& kind, const std::stop_token& stop) {
  const ObjectKey key{.name = manager_};
  const auto there = client_.get(kind, key, stop);
  if (!there && there.error().code == ErrorCode::not_found) return {};
  if (!there && there.error().code == ErrorCode::forbidden) {
    warn_of_missing_permission(kind, there.error());
    return {};
  }
  if (!there) return fail(there.error());
  if (there->annotation(manager_annotation) != manager_) return {};
  if (!replaces(*there)) {
    warn_of_undeclared(*there, json::Value(json::object()));
    return {};
  }
  const auto removed = client_.remove(
      kind, key, {.uid = std::string(there->uid()), .resource_version = std::string(there->resource_version())}, stop);
  if (removed) {
    log_.info("webhook configuration deleted, because the operator no longer declares it",
              {{"configuration", describe(*there)}});
    return {};
  }
  if (removed.error().code != ErrorCode::forbidden) return fail(removed.error());
  warn_of_missing_permission(kind, removed.error());
  return {};
}

void WebhookInstaller::warn_of_undeclared(const Object& there, const json::Value& wanted) const {
  const std::string webhooks = undeclared_webhooks(there, wanted);
  if (webhooks.empty()) return;
  const std::string remove = "delete them, or the configuration";
  log_.warning(
      "the installed webhook configuration has webhooks that this operator does not declare; calls of them fail",
      {{"configuration", describe(there)},
       {"webhooks", webhooks},
       {"next", policy_ == WebhookPolicy::upgrade
                    ? remove + ", unless a later version of the operator runs, which installed them"
                    : "start with --webhook-install upgrade, or " + remove}});
}

void WebhookInstaller::warn_of_differences(const Object& there, const json::Value& wanted) const {
  const std::string webhooks = webhooks_that_differ(there.to_value(), wanted);
  if (webhooks.empty()) return;
  log_.warning(
      "the installed webhook configuration differs from this operator, so some webhooks are not called as declared",
      {{"configuration", describe(there)},
       {"webhooks", webhooks},
       {"next", policy_ == WebhookPolicy::upgrade
                    ? "none, if a later version of the operator runs, which installed it; otherwise delete the "
                      "configuration and restart"
                    : "start with --webhook-install upgrade, or apply the output of --print-webhooks"}});
}

void WebhookInstaller::warn_of_other_address(const Object& there, const json::Value& wanted) const {
  const std::string webhooks = webhooks_elsewhere(there.to_value(), wanted);
  if (webhooks.empty()) return;
  log_.warning(
      "the installed webhook configuration calls webhooks of this operator at another address",
      {{"configuration", describe(there)},
       {"webhooks", webhooks},
       {"next", policy_ == WebhookPolicy::upgrade
                    ? "delete the configuration, unless a later version of the operator runs, which installed it"
                    : "start with --webhook-install upgrade, or correct the address of this operator"}});
}

void WebhookInstaller::warn_of_missing_permission(const GroupVersionKind& kind, const Error& error) const {
  log_.warning("cannot check for webhooks of an earlier version of the operator",
               {{"configuration", kind.kind + " " + manager_},
                {"error", error.to_string()},
                {"next", "apply the output of --print-rbac, or delete the configuration if it exists"}});
}

bool WebhookInstaller::replaces(const Object& there) const {
  return policy_ == WebhookPolicy::upgrade &&
         compare_semantic_versions(there.annotation(manager_version_annotation), version_) <= 0;
}

}  // namespace pintle
