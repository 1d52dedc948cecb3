// SPDX-License-Identifier: Apache-2.0
// The calls of Client for scale, eviction, logs, tables and collections.
#include <pintle/client/client.hpp>
#include <pintle/client/scale.hpp>
#include <pintle/client/table.hpp>

#include <utility>

#include "requests.hpp"
#include "state.hpp"

namespace pintle {
namespace {

using Target = ObjectCall::Target;

constexpr std::string_view scale_name = "scale";

WriteOptions of_scale(WriteOptions options) {
  options.subresource = scale_name;
  return options;
}

Result<Scale> scale_in(const Result<Object>& object) {
  if (!object) return fail(object.error());
  return decode<Scale>(*object);
}

TableColumn column_in(json::View column) {
  return {.name = std::string(column.member("name").text()),
          .type = std::string(column.member("type").text()),
          .format = std::string(column.member("format").text()),
          .description = std::string(column.member("description").text()),
          .priority = column.member("priority").as_integer().value_or(0)};
}

Result<Table> table_in(std::string_view body) {
  const auto document = json::Document::parse(body);
  if (!document) return fail(ErrorCode::unavailable, "the response cannot be parsed: " + document.error().message);
  const json::View root = document->root();
  if (root.member("kind") != "Table") {
    return fail(ErrorCode::unsupported, "the server offers no table for this kind; list its objects");
  }
  Table table{.resource_version = std::string(root["/metadata/resourceVersion"].text()),
              .continue_ = std::string(root["/metadata/continue"].text())};
  for (const json::View column : root.member("columnDefinitions").elements()) {
    table.columns.push_back(column_in(column));
  }
  for (const json::View row : root.member("rows").elements()) {
    TableRow& made = table.rows.emplace_back();
    for (const json::View cell : row.member("cells").elements()) made.cells.push_back(cell.to_value());
    if (row.member("object").is_object()) made.object = Object(row.member("object").to_value());
  }
  return table;
}

}  // namespace

Result<Table> Client::table(const GroupVersionKind& kind, const ListOptions& options, std::stop_token stop) {
  const ObjectKey key{.namespace_ = options.namespace_};
  const auto response = state_->perform({.verb = "list",
                                         .method = "GET",
                                         .kind = kind,
                                         .key = key,
                                         .target = Target::list,
                                         .query = list_query(options),
                                         .accept = accept_table,
                                         .timeout = options.timeout},
                                        std::move(stop));
  if (!response) return fail(response.error());
  return table_in(response->body).with_operation(describe_call("list", kind, key));
}

// A repetition after a lost response could delete objects that were created meanwhile.
Result<void> Client::remove_all(const GroupVersionKind& kind, const Selection& selection, const DeleteOptions& options,
                                std::stop_token stop) {
  const auto response = state_->perform({.verb = "delete all",
                                         .method = "DELETE",
                                         .kind = kind,
                                         .key = {.namespace_ = selection.namespace_},
                                         .target = Target::collection,
                                         .query = selection_query(selection),
                                         .content_type = "application/json",
                                         .body = json::print(delete_options(options)),
                                         .repeatable = Repeatable::no,
                                         .timeout = options.timeout},
                                        std::move(stop));
  if (!response) return fail(response.error());
  if (!options.dry_run) state_->changed(kind);
  return {};
}

Result<Scale> Client::get_scale(const GroupVersionKind& kind, const ObjectKey& key, std::stop_token stop) {
  return scale_in(get(kind, key, {.subresource = std::string(scale_name)}, std::move(stop)));
}

Result<Scale> Client::replace_scale(const GroupVersionKind& kind, const Scale& scale, const WriteOptions& options,
                                    std::stop_token stop) {
  json::object metadata{{"name", scale.metadata.name}, {"namespace", scale.metadata.namespace_}};
  if (!scale.metadata.resource_version.empty()) metadata["resourceVersion"] = scale.metadata.resource_version;
  const json::Value body{{"apiVersion", Scale::type.api_version},
                         {"kind", Scale::type.kind},
                         {"metadata", std::move(metadata)},
                         {"spec", {{"replicas", scale.spec.replicas}}}};
  return scale_in(replace(kind, scale.metadata.key(), body, of_scale(options), std::move(stop)));
}

Result<Scale> Client::set_replicas(const GroupVersionKind& kind, const ObjectKey& key, std::int32_t replicas,
                                   const WriteOptions& options, std::stop_token stop) {
  const json::Value changed{{"spec", {{"replicas", replicas}}}};
  return scale_in(patch(kind, key, changed, of_scale(options), std::move(stop)));
}

Result<bool> Client::evict(const ObjectKey& pod, const DeleteOptions& options, std::stop_token stop) {
  constexpr auto budget_pause = std::chrono::seconds(5);
  const json::Value body{{"apiVersion", "policy/v1"},
                         {"kind", "Eviction"},
                         {"metadata", {{"name", pod.name}, {"namespace", pod.namespace_}}},
                         {"deleteOptions", delete_options(options)}};
  auto response = state_->perform({.verb = "evict",
                                   .method = "POST",
                                   .kind = pod_kind,
                                   .key = pod,
                                   .subresource = "eviction",
                                   .content_type = "application/json",
                                   .body = json::print(body),
                                   .repeatable = options.uid.empty() ? Repeatable::no : Repeatable::yes,
                                   .timeout = options.timeout},
                                  std::move(stop));
  if (response) return true;
  Error& error = response.error();
  if (error.code == ErrorCode::not_found) return false;
  if (error.code == ErrorCode::too_many_requests && !error.retry_after) error.retry_after = budget_pause;
  return fail(std::move(error));
}

Result<void> Client::read_log(const ObjectKey& pod, const LogOptions& options,
                              const std::function<bool(std::string_view)>& on_line, std::stop_token stop) {
  return state_->read_log(pod, options, on_line, std::move(stop))
      .with_operation(describe_call("read log of", pod_kind, pod));
}

}  // namespace pintle
