// SPDX-License-Identifier: Apache-2.0
#include "paged_list.hpp"

#include <utility>

namespace pintle {
namespace {

constexpr std::uint64_t default_page_size = 500;  // objects

// Without a match, a limit would turn a version into "exactly this version", which may have expired.
ListOptions paged(ListOptions options) {
  const bool is_any_version = options.resource_version.empty() || options.resource_version == "0";
  if (options.limit == 0 && (is_any_version || !options.resource_version_match.empty())) {
    options.limit = default_page_size;
  }
  return options;
}

// List items have no apiVersion and kind; items with metadata alone have those of PartialObjectMetadata.
json::ReaderOptions reader_options(const GroupVersionKind& kind, const ListOptions& options,
                                   std::function<void(json::Document)> on_item) {
  json::ReaderOptions made{.parts = "items", .on_part = std::move(on_item)};
  auto& identity = options.metadata_only ? made.overrides : made.defaults;
  identity = {{"apiVersion", kind.api_version()}, {"kind", kind.kind}};
  return made;
}

bool is_expired(const Error& error) { return error.code == ErrorCode::expired || error.http_status == 410; }

Error not_a_list(const std::string& why) { return make_error(ErrorCode::unavailable, "the response " + why); }

}  // namespace

PagedList::PagedList(const GroupVersionKind& kind, ListOptions options,
                     const std::function<bool(const Object&)>& on_object)
    : on_object_(on_object),
      first_(std::move(options)),
      next_(paged(first_)),
      reader_(reader_options(kind, first_, [this](json::Document item) { pass(std::move(item)); })) {}

bool PagedList::take(std::string_view bytes) {
  if (read_) read_ = reader_.add(bytes);
  return read_ && !is_ended_;
}

// Servers sort objects by this key, in the order of bytes.
void PagedList::pass(json::Document item) {
  if (is_ended_ || !item.root().is_object()) return;
  const Object object(std::move(item));
  key_.assign(object.namespace_()).append("/").append(object.name());
  if (is_restarted_) {
    if (key_ <= last_) return;
  } else {
    is_ascending_ = is_ascending_ && (last_.empty() || last_ < key_);
    last_ = key_;
  }
  is_ended_ = !on_object_(object);
}

Result<bool> PagedList::end_page(Result<void> end) {
  auto root = reader_.finish();
  const Result<void> read = std::exchange(read_, {});
  if (is_ended_) return false;
  if (!end && is_expired(end.error()) && restart()) return true;
  if (!end) return fail(std::move(end.error()));
  if (!read || !root) {
    return fail(not_a_list("cannot be parsed: " + (read ? root.error() : read.error()).message));
  }
  if (!root->root().member("items").exists()) return fail(not_a_list("is not a list"));
  const json::View metadata = root->root().member("metadata");
  if (version_.empty()) version_ = metadata.member("resourceVersion").text();
  next_.continue_ = metadata.member("continue").text();
  // The token contains the version, and a server rejects both together.
  next_.resource_version.clear();
  next_.resource_version_match.clear();
  return !next_.continue_.empty();
}

// Returns whether the list can be read again, whole, without passing an object twice.
bool PagedList::restart() {
  if (next_.continue_.empty() || is_restarted_ || !is_ascending_) return false;
  is_restarted_ = true;
  next_ = first_;
  next_.limit = 0;
  next_.continue_.clear();
  return true;
}

}  // namespace pintle
