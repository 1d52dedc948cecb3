// What is sent for a call: its path, query and body; pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/client/client.hpp>

namespace pintle {

// A query in the order it was added.
class Query {
 public:
  // Nothing for an empty value.
  Query& add(std::string_view name, std::string_view value);
  // "?a=1&b=2", or "".
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

[[nodiscard]] Query list_query(const ListOptions& options);
[[nodiscard]] Query watch_query(const WatchOptions& options);
// Of a read that wants metadata alone: an API that does not do it sends whole objects.
constexpr std::string_view accept_metadata_list =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
constexpr std::string_view accept_metadata =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
// `field_manager` is that of the client, used when the options name none.
[[nodiscard]] Query write_query(const WriteOptions& options, const std::string& field_manager);

// The body of a DELETE.
[[nodiscard]] std::string delete_body(const DeleteOptions& options);

// The version that a body names as the only one it is for; nothing when it is for any.
[[nodiscard]] std::optional<std::string> version_named_in(const json::Value& body);
[[nodiscard]] std::optional<std::string> version_tested_by(const json::Patch& patch);

// "get configmap default/a".
[[nodiscard]] std::string describe_call(std::string_view verb, const GroupVersionKind& kind, const ObjectKey& key);

// Error: invalid unless `key` is one object of the resource. Without this check an empty name would mean the whole
// collection, and "..", which HTTP clients fold away, another object.
[[nodiscard]] Result<void> check_object_key(const Resource& resource, const ObjectKey& key);
// The same for the collection a create goes to: a namespace if the kind has one.
[[nodiscard]] Result<void> check_collection_key(const Resource& resource, const ObjectKey& key);
// The same for a list, where no namespace means all.
[[nodiscard]] Result<void> check_list_key(const Resource& resource, const ObjectKey& key);

}  // namespace pintle
