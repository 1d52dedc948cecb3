// SPDX-License-Identifier: Apache-2.0
// delete collection: every object that a selection matches.
#include <utility>

#include "apiserver/objects/write.hpp"
#include "delete_options.hpp"
#include "handlers.hpp"
#include "list_stream.hpp"
#include "selection.hpp"

namespace pintle::apiserver {

StatusOr<http::Response> handle_delete_collection(Service& service, const Call& call) {
  if (auto listed = ReadOptions::of(call, false); !listed) return refuse(std::move(listed.error()));
  auto selection = Selection::of(call);
  if (!selection) return refuse(std::move(selection.error()));
  auto options = delete_options(call);
  if (!options) return refuse(std::move(options.error()));
  options->of_collection = true;
  const auto page = service.storage.list(call.resource->collection, {.namespace_ = call.namespace_});

  std::vector<Object> deleted;
  std::vector<std::string> warnings;
  for (const Object& object : page->objects) {
    if (!selection->matches(object)) continue;
    auto gone = delete_object(service, *call.resource, object.namespace_(), object.name(), *options);
    if (gone) {
      deleted.push_back(object);
      warnings.insert(warnings.end(), gone->warnings.begin(), gone->warnings.end());
    } else if (gone.error().code != 404) {
      return refuse(with_warnings(std::move(gone.error()), warnings));
    }
  }
  auto shown = service.converter.presentable(*call.resource, std::move(deleted));
  if (!shown) return refuse(std::move(shown.error()));
  const ListHead head{.version = std::to_string(page->version)};
  http::Response response = respond(call, std::move(*shown), head, service.executor.wall_now());
  add_warnings(response, warnings);
  return response;
}

}  // namespace pintle::apiserver
