// SPDX-License-Identifier: Apache-2.0
// Builds the query and the body of a request and checks its key. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/client/client.hpp>

namespace pintle {

// A query string. The parameters keep the order in which they were added.
class Query {
 public:
  // Does nothing if `value` is empty.
  Query& add(std::string_view name, std::string_view value);
  // Returns "?a=1&b=2", or "" without parameters.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

[[nodiscard]] Query list_query(const ListOptions& options);
[[nodiscard]] Query watch_query(const WatchOptions& options);
// Accept headers of a read that needs only metadata. An API that does not support them sends whole objects.
constexpr std::string_view accept_metadata_list =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
constexpr std::string_view accept_metadata =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
constexpr std::string_view accept_table = "application/json;as=Table;g=meta.k8s.io;v=v1,application/json";
// Accept header of a list or watch that may be protobuf.
constexpr std::string_view accept_protobuf = "application/vnd.kubernetes.protobuf,application/json";
// `field_manager` is that of the client. It is used if the options contain none.
[[nodiscard]] Query write_query(const WriteOptions& options, const std::string& field_manager);

[[nodiscard]] Query selection_query(const Selection& selection);
[[nodiscard]] Query log_query(const LogOptions& options);

// Returns the body of a DELETE: DeleteOptions.
[[nodiscard]] json::object delete_options(const DeleteOptions& options);

// The resourceVersion that a write requires, or nothing if the write applies to any version.
[[nodiscard]] std::optional<std::string> version_named_in(const json::Value& body);
[[nodiscard]] std::optional<std::string> version_tested_by(const json::Patch& patch);

// Returns "get configmap default/a".
[[nodiscard]] std::string describe_call(std::string_view verb, const GroupVersionKind& kind, const ObjectKey& key);

// Error: unsupported, with the reason no_subresource.
[[nodiscard]] Error lacks_subresource(const Resource& resource, std::string_view name,
                                      std::string_view verb = "has no");

// Error: invalid unless `key` identifies one object of the resource. Without this check an empty name would address the
// whole collection, and "..", which HTTP clients resolve, another object.
[[nodiscard]] Result<void> check_object_key(const Resource& resource, const ObjectKey& key);
// The same for the collection of a create, which needs a namespace if the kind is namespaced.
[[nodiscard]] Result<void> check_collection_key(const Resource& resource, const ObjectKey& key);
// The same for a list, where an empty namespace means all namespaces.
[[nodiscard]] Result<void> check_list_key(const Resource& resource, const ObjectKey& key);

}  // namespace pintle
