// SPDX-License-Identifier: Apache-2.0
// evict: deletes a Pod unless a disruption budget forbids it; create of pods/NAME/eviction.
#include <utility>

#include "apiserver/objects/sent_kind.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "delete_options.hpp"
#include "disruption_budgets.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {
namespace {

constexpr SentKind eviction_kind{
    .api_version = "policy/v1", .kind = "Eviction", .type = "policy.v1.Eviction", .also_api_version = "policy/v1beta1"};

// True if disruption budgets apply to a Pod: it has started, and it is neither finished nor being deleted.
bool is_counted(const Object& pod) {
  const json::View phase = pod["/status/phase"];
  return !pod.is_deleting() && phase != "Pending" && phase != "Succeeded" && phase != "Failed";
}

}  // namespace

StatusOr<http::Response> handle_evict(Service& service, const Call& call) {
  auto options = call.write_options("CreateOptions");
  if (!options) return refuse(std::move(options.error()));
  auto body = call.body(eviction_kind.kind);
  if (!body) return refuse(std::move(body.error()));
  if (auto sound = check_sent_kind(*body, eviction_kind, call.namespace_); !sound) return refuse(sound.error());
  if (auto sound = check_sent_members(*body, eviction_kind); !sound) return refuse(sound.error());
  if (text_at(*body, "/metadata/name") != call.name) {
    return refuse(bad_request("name in URL does not match name in Eviction object"));
  }
  const json::Value* given = json::find(*body, "/deleteOptions");
  auto how =
      given == nullptr || given->is_null() ? StatusOr<DeleteOptions>(DeleteOptions{}) : delete_options_in(*given);
  if (!how) return refuse(std::move(how.error()));
  if (options->dry_run) how->dry_run = true;  // the deletion itself is not sent to webhooks
  const Object pod = service.storage.get(call.resource->collection, storage_key(call.namespace_, call.name));
  if (!pod) return refuse(not_found(call.resource->named(call.name)));
  Attributes attributes = attributes_of(*call.resource, call.namespace_, call.name, "CREATE", *options);
  attributes.subresource = "eviction";
  attributes.api_version = "policy/v1";
  attributes.kind = "Eviction";
  std::vector<std::string> warnings;
  if (auto admitted = admit(service, attributes, *body, warnings); !admitted) {
    return refuse(with_warnings(std::move(admitted.error()), warnings));
  }
  if (is_counted(pod)) {
    if (auto allowed = count_disruption(service, pod, how->dry_run); !allowed) {
      return refuse(with_warnings(std::move(allowed.error()), warnings));
    }
  }

  auto deleted = delete_object(service, *call.resource, call.namespace_, call.name, *how);
  if (!deleted) return refuse(with_warnings(std::move(deleted.error()), warnings));
  http::Response response = respond_done(call);
  add_warnings(response, warnings);
  return response;
}

}  // namespace pintle::apiserver
