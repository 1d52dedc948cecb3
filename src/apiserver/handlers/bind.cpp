// SPDX-License-Identifier: Apache-2.0
// bind: assigns a Pod to a node; create of bindings and of pods/NAME/binding.
#include <utility>

#include <fmt/format.h>

#include "apiserver/objects/sent_kind.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr SentKind binding_kind{.api_version = "v1", .kind = "Binding", .type = "core.v1.Binding"};

// Refuses a Pod that is not the one of the binding, or that cannot be assigned to a node.
StatusOr<void> check_unassigned(const Value& pod, const Value& binding) {
  const std::string_view name = text_at(pod, "/metadata/name");
  const std::pair<const char*, const char*> preconditions[] = {{"UID", "/metadata/uid"},
                                                               {"ResourceVersion", "/metadata/resourceVersion"}};
  for (const auto& [what, pointer] : preconditions) {
    const std::string_view wanted = text_at(binding, pointer);
    if (wanted.empty() || wanted == text_at(pod, pointer)) continue;
    return refuse(conflict({.kind = "pods", .name = name},
                           fmt::format("Precondition failed: {} in precondition: {}, {} in object meta: {}", what,
                                       wanted, what, text_at(pod, pointer))));
  }
  const auto not_bound = [&](const std::string& why) {
    return refuse(conflict({.kind = "pods/binding", .name = name}, fmt::format("pod {} {}", name, why)));
  };
  if (!text_at(pod, "/metadata/deletionTimestamp").empty()) {
    return not_bound("is being deleted, cannot be assigned to a host");
  }
  if (const std::string_view taken = text_at(pod, "/spec/nodeName"); !taken.empty()) {
    return not_bound(fmt::format("is already assigned to node \"{}\"", taken));
  }
  const Value* gates = json::find(pod, "/spec/schedulingGates");
  if (gates != nullptr && gates->is_array() && !gates->get_array().empty()) {
    return not_bound("has non-empty .spec.schedulingGates");
  }
  return {};
}

// Sets the condition PodScheduled. Its time remains if it was true.
void set_scheduled(Value& pod, WallTime now) {
  Value& conditions = object_in(pod, "status")["conditions"];
  if (!conditions.is_array()) conditions.emplace_array();
  Value* place = nullptr;
  for (Value& one : conditions.get_array()) {
    if (text_at(one, "/type") == "PodScheduled") place = &one;
  }
  if (place == nullptr) place = &conditions.get_array().emplace_back(json::object());
  if (text_at(*place, "/status") == "True") return;
  *place = json::object{{"type", "PodScheduled"}, {"status", "True"}, {"lastTransitionTime", format_time(now)}};
}

}  // namespace

StatusOr<http::Response> handle_bind(Service& service, const Call& call) {
  auto options = call.write_options("CreateOptions");
  if (!options) return refuse(std::move(options.error()));
  auto body = call.body(binding_kind.kind);
  if (!body) return refuse(std::move(body.error()));
  if (auto sound = check_sent_kind(*body, binding_kind, call.namespace_); !sound) return refuse(sound.error());
  if (auto sound = check_sent_members(*body, binding_kind); !sound) return refuse(sound.error());
  const std::string name(call.name.empty() ? text_at(*body, "/metadata/name") : std::string_view(call.name));
  if (text_at(*body, "/metadata/name") != name) {
    return refuse(bad_request("name in URL does not match name in Binding object"));
  }
  if (text_at(*body, "/target/name").empty())
    return refuse(invalid({.kind = "Binding", .name = name}, {required("target.name")}));

  if (text_at(*body, "/apiVersion").empty()) body->as_object()["apiVersion"] = "v1";
  if (text_at(*body, "/kind").empty()) body->as_object()["kind"] = "Binding";
  std::vector<std::string> warnings;
  const ResourcePtr pods = service.registry.catalog()->of_collection("pods");
  const Edit edit{.make = [&](const Value& current) -> StatusOr<Value> {
                    if (auto free = check_unassigned(current, *body); !free) return refuse(std::move(free.error()));
                    Value next = current;
                    object_in(next, "spec")["nodeName"] = text_at(*body, "/target/name");
                    set_scheduled(next, service.executor.wall_now());
                    return next;
                  },
                  .subresource = "binding"};
  Attributes attributes = attributes_of(*pods, call.namespace_, name, "CREATE", *options);
  attributes.subresource = "binding";
  attributes.api_version = "v1";
  attributes.kind = "Binding";
  if (auto admitted = admit(service, attributes, *body, warnings); !admitted) {
    return refuse(with_warnings(std::move(admitted.error()), warnings));
  }
  if (text_at(*body, "/target/name").empty()) {
    return refuse(with_warnings(invalid({.kind = "Binding", .name = name}, {required("target.name")}), warnings));
  }
  options->user = nullptr;  // webhooks receive the Binding, not the Pod
  auto written = edit_object(service, *pods, call.namespace_, name, edit, *options);
  if (!written) return refuse(with_warnings(std::move(written.error()), warnings));
  http::Response response = respond_done(call);
  add_warnings(response, warnings);
  return response;
}

}  // namespace pintle::apiserver
