// SPDX-License-Identifier: Apache-2.0
// list: many objects at one version, whole or in pages.
#include <utility>

#include "handlers.hpp"
#include "list_stream.hpp"
#include "selection.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t chunk = 500;  // minimum number of objects to read at once with a selector

struct Listing {
  Version version = 0;
  std::vector<Object> objects{};
  std::string last{};
  std::size_t left = 0;
  bool more = false;
};

// The version to read at; 0: the newest.
StatusOr<Version> version_to_read(Service& service, const Call& call, const ReadOptions& options) {
  const Version reached = call.version_read(service);
  const Version any = call.faults.lag == nullptr ? 0 : reached;
  if (options.version.empty()) return any;
  const auto version = parse_version(options.version);
  if (!version) return refuse(bad_request("invalid resource version: " + version_error(options.version)));
  if (*version == 0) return any;
  if (*version > reached) return refuse(version_too_large(*version, reached));
  const bool exact =
      options.match == ReadOptions::Match::exact || (options.match == ReadOptions::Match::unset && options.limit > 0);
  return exact ? *version : any;
}

// Reads ?continue. A client can write any token, so its key must be in the namespace for which the client is
// authorized.
StatusOr<PageToken> page_to_read(const Service& service, const Call& call, const std::string& text) {
  auto token = PageToken::decode(text);
  if (!token) return refuse(bad_request(token_error(text)));
  if (!call.namespace_.empty() && !token->after.starts_with(storage_key(call.namespace_, ""))) {
    return refuse(bad_request("invalid continue token: continue key is not valid: " + token->after));
  }
  const Version current = service.storage.version();
  if (token->version > current) return refuse(version_too_large(token->version, current));
  return std::move(*token);
}

StatusOr<Listing> read(Service& service, const Call& call, const Selection& selection, const PageToken& from,
                       std::size_t limit) {
  Listing out;
  std::string after = from.after;
  Version at = from.version;
  const std::size_t step = selection.everything() ? limit : (limit == 0 ? 0 : std::max(limit, chunk));
  while (true) {
    auto page = service.storage.list(call.resource->collection,
                                     {.namespace_ = call.namespace_, .after = after, .limit = step, .at = at});
    if (!page) return refuse(expired("The resourceVersion for the provided list is too old."));
    auto objects = service.converter.presentable(*call.resource, std::move(page->objects));
    if (!objects) return refuse(std::move(objects.error()));
    page->objects = std::move(*objects);
    out.version = at = page->version;
    if (selection.everything()) {
      out.left = page->total - std::min(page->total, from.seen + page->objects.size());
      out.last = std::move(page->last);
      out.more = page->more;
      out.objects = std::move(page->objects);
      return out;
    }
    for (Object& object : page->objects) {
      if (!selection.matches(object)) continue;
      if (limit != 0 && out.objects.size() == limit) {
        out.more = true;
        return out;
      }
      out.last = storage_key(call.resource->namespaced ? object.namespace_() : std::string_view{}, object.name());
      out.objects.push_back(std::move(object));
    }
    if (!page->more) return out;
    after = std::move(page->last);
  }
}

}  // namespace

StatusOr<http::Response> handle_list(Service& service, const Call& call) {
  auto options = ReadOptions::of(call, false);
  if (!options) return refuse(std::move(options.error()));
  auto selection = Selection::of(call);
  if (!selection) return refuse(std::move(selection.error()));

  PageToken from;
  if (!options->next.empty()) {
    if (!options->version.empty() && options->version != "0") {
      return refuse(bad_request("specifying resource version is not allowed when using continue"));
    }
    auto token = page_to_read(service, call, options->next);
    if (!token) return refuse(std::move(token.error()));
    from = std::move(*token);
  } else {
    auto version = version_to_read(service, call, *options);
    if (!version) return refuse(std::move(version.error()));
    from.version = *version;
  }

  auto listing = read(service, call, *selection, from, options->limit);
  if (!listing) {
    Refusal refusal = std::move(listing.error());
    if (!options->next.empty()) {
      // A client that continues with this token lists the remaining objects as they are now. They may be inconsistent
      // with the earlier pages.
      refusal.next_page = PageToken{.version = 0, .after = from.after, .seen = from.seen}.encode();
    }
    return refuse(std::move(refusal));
  }
  ListHead head{.version = std::to_string(listing->version)};
  if (listing->more) {
    head.next =
        PageToken{.version = listing->version, .after = listing->last, .seen = from.seen + listing->objects.size()}
            .encode();
    if (selection->everything()) head.remaining = static_cast<std::int64_t>(listing->left);
  }
  return respond(call, std::move(listing->objects), head, service.executor.wall_now());
}

}  // namespace pintle::apiserver
