// SPDX-License-Identifier: Apache-2.0
// bind: assigns a Pod to a node; create of bindings and of pods/NAME/binding.
#include <utility>

#include <fmt/format.h>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {

StatusOr<http::Response> handle_bind(Service& service, const Call& call) {
  auto options = call.write_options("CreateOptions");
  if (!options) return refuse(std::move(options.error()));
  auto body = call.body();
  if (!body) return refuse(std::move(body.error()));
  const std::string name(call.name.empty() ? text_at(*body, "/metadata/name") : std::string_view(call.name));
  if (text_at(*body, "/target/name").empty())
    return refuse(invalid({.kind = "Binding", .name = name}, {required("target.name")}));

  if (text_at(*body, "/apiVersion").empty()) body->as_object()["apiVersion"] = "v1";
  if (text_at(*body, "/kind").empty()) body->as_object()["kind"] = "Binding";
  std::vector<std::string> warnings;
  const ResourcePtr pods = service.registry.catalog()->of_collection("pods");
  const Edit edit{.make = [&](const json::Value& current) -> StatusOr<json::Value> {
                    const std::string_view taken = text_at(current, "/spec/nodeName");
                    if (!taken.empty()) {
                      return refuse(conflict({.kind = "pods/binding", .name = name},
                                             fmt::format("pod {} is already assigned to node \"{}\"", name, taken)));
                    }
                    json::Value next = current;
                    object_in(next, "spec")["nodeName"] = text_at(*body, "/target/name");
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
