// SPDX-License-Identifier: Apache-2.0
// The conversions of a manager: checks, and the CRDs with the address of their webhook.
#include <algorithm>
#include <set>
#include <utility>

#include <pintle/object/schema/crd.hpp>
#include <pintle/object/versions.hpp>

#include "client/errors.hpp"
#include "controller/start_retry.hpp"
#include "manager/manager_state.hpp"
#include "manager/rbac.hpp"
#include "object/manager_mark.hpp"
#include "webhook/certificates/certificate_place.hpp"

namespace pintle {

void Manager::add(AnyConversion conversion) { state_->conversions.push_back(std::move(conversion)); }

std::vector<AnyConversion> Manager::State::own_conversions() const {
  std::vector<AnyConversion> declared = declared_conversions(specs, conversions);
  const bool only_added =
      options.webhooks.listen.empty() && (executor.scheduler() != nullptr || options.crds == CrdPolicy::never);
  if (!only_added) return declared;
  std::erase_if(declared, [&](const AnyConversion& one) { return find_conversion(conversions, one.kind) == nullptr; });
  return declared;
}

std::vector<Error> Manager::State::conversion_errors() const {
  std::vector<Error> errors = validate_conversions(specs, conversions);
  const bool is_reachable = !options.webhooks.url.empty() && !is_certificate_in_secret(options.webhooks);
  for (const DeclaredCrd& one : declared_crds(specs, own_conversions())) {
    if (!one.is_converted || one.cluster == home_cluster || is_reachable) continue;
    errors.push_back(make_error(ErrorCode::invalid,
                                "the API server of cluster " + one.cluster + " must convert " + one.kind.to_string() +
                                    ", but cannot reach the service of the webhooks; set --webhook-url, with "
                                    "--webhook-cert-file or without a certificate"));
  }
  return errors;
}

// Without webhooks, as in a simulation without WebhookOptions::listen, objects keep their fields and only their
// apiVersion is changed.
json::Value Manager::State::with_conversion(json::Value crd) const {
  if (webhook_server_ == nullptr) {
    crd.at("spec").as_object().erase("conversion");
    return crd;
  }
  const ConversionWebhook webhook =
      conversion_webhook(webhook_address(home().client().cluster().namespace_, webhook_authorities()));
  internal::add_conversion(crd, &webhook);
  return crd;
}

// Checks that the installed CRD refers to the webhook, and sets the authority unless it is kept right while the
// operator runs: an earlier process may have installed the CRD with another one.
Result<void> Manager::State::use_conversion(Client& client, const std::string& crd) {
  if (webhook_server_ == nullptr) return {};
  const StartRetry retry(executor, log_, options.sync_timeout);
  return retry.run(
      "set the authority of CRD " + crd, [&] { return try_to_use_conversion(client, crd); }, stop_.get_token());
}

Result<void> Manager::State::try_to_use_conversion(Client& client, const std::string& crd) {
  const auto there = client.get(crd_type, {.name = crd}, stop_.get_token());
  if (!there) {
    const bool is_unknown = there.error().code == ErrorCode::forbidden || there.error().code == ErrorCode::not_found;
    return is_unknown ? Result<void>() : fail(there.error());
  }
  const std::vector<ClientConfig> configs =
      client_configs(*there, webhook_address(home().client().cluster().namespace_, ""));
  if (configs.empty()) {
    const std::string flag = there->annotation(manager_annotation).empty() ? "--crds adopt" : "--crds upgrade";
    log_.warning("the installed CRD does not refer to the conversion webhook of this operator",
                 {{"crd", crd}, {"next", "start with " + flag + ", or apply the output of --print-crds"}});
    return {};
  }
  // ServingCertificates keeps the CRDs right, and does not wait for other clusters at the start.
  const bool is_kept = certificates_ != nullptr && &client == &home().client();
  if (is_kept || options.crds == CrdPolicy::never) return {};
  const Authorities wanted = authorities_in(webhook_authorities());
  const json::Patch patch = bundle_patch(*there, configs, wanted, true);
  if (wanted.empty() || patch.empty()) return {};
  auto patched = client.patch(crd_type, {.name = crd}, patch, {}, stop_.get_token());
  if (patched) return {};
  if (is_failed_patch_test(patched.error())) patched.error().code = ErrorCode::conflict;
  return fail(std::move(patched.error()));
}

Result<std::vector<json::Value>> Manager::State::printed_crds() const {
  std::vector<json::Value> all;
  for (DeclaredCrd& one : declared_crds(specs, own_conversions())) {
    if (CrdView(json::Document(one.crd).root()).is_foreign()) continue;
    if (one.is_converted) {
      const auto address = printed_address();
      if (!address)
        return fail(Error(address.error()).with_operation("print the conversion of " + one.kind.to_string()));
      const ConversionWebhook webhook = conversion_webhook(*address);
      internal::add_conversion(one.crd, &webhook);
    }
    if (std::find(all.begin(), all.end(), one.crd) == all.end()) all.push_back(std::move(one.crd));
  }
  return all;
}

Result<std::string> Manager::State::print_crds() const {
  const auto crds = printed_crds();
  if (!crds) return fail(crds.error());
  std::string text;
  for (const json::Value& crd : *crds) text += "---\n" + json::print_yaml(crd);
  return text;
}

std::vector<RbacRole> Manager::State::roles() const {
  return rbac_roles(options, specs, admissions, own_conversions());
}

}  // namespace pintle
