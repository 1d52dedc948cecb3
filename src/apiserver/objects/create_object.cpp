// Creates an object.
#include <utility>

#include <fmt/format.h>

#include <pintle/object/merge/managed_fields.hpp>
#include <pintle/object/names.hpp>

#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"
#include "write.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr int generate_attempts = 8;

// Sets the metadata that only the server decides.
void set_system_fields(Service& service, const Resource& resource, std::string_view namespace_, Value& body) {
  json::object& metadata = metadata_in(body);
  for (const char* name : {"selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"}) metadata.erase(name);
  if (resource.namespaced) {
    metadata["namespace"] = namespace_;
  } else {
    metadata.erase("namespace");
  }
  metadata["uid"] = make_uid(service.executor);
  metadata["creationTimestamp"] = format_time(service.executor.wall_now());
  metadata["resourceVersion"] = "0";
  metadata["generation"] = resource.has_generation ? 1 : 0;
}

Value empty_object(const Resource& resource) {
  Value zero = resource.strategy->zero();
  zero.as_object()["apiVersion"] = resource.api_version();
  zero.as_object()["kind"] = resource.kind;
  return zero;
}

// Records the creator as the owner of the fields that it set. The status has no owner if only its subresource writes
// it.
void record_creation(Service& service, const Resource& resource, Value& body, const WriteOptions& options) {
  Value from = empty_object(resource);
  if (resource.has_status) copy_member(from, body, "status");
  record_update(from, body, resource.strategy->schema(),
                {.name = options.manager, .api_version = resource.api_version()}, service.executor.wall_now());
}

bool generates_name(const Value& body) {
  return text_at(body, "/metadata/name").empty() && !text_at(body, "/metadata/generateName").empty();
}

StatusOr<Written> try_create(Service& service, const Resource& resource, std::string_view namespace_, Value body,
                             const WriteOptions& options, bool applies) {
  Written out{.created = true};
  const bool names_version =
      !text_at(body, "/metadata/resourceVersion").empty() && text_at(body, "/metadata/resourceVersion") != "0";
  set_system_fields(service, resource, namespace_, body);
  if (auto fitted = fit_body(body, {}, resource, options.validation, out.warnings); !fitted) {
    return refuse(fitted.error());
  }
  resource.strategy->prepare_create(body);
  if (!applies) record_creation(service, resource, body, options);

  const std::string name(text_at(body, "/metadata/name"));
  std::vector<StatusCause> causes;
  validate_metadata(body, resource, causes);
  resource.strategy->validate(body, nullptr, causes);
  if (!causes.empty()) return refuse(invalid(resource.kind_named(name), std::move(causes)));
  if (names_version) return refuse(internal_error("resourceVersion should not be set on objects to be created"));

  const std::string key = storage_key(resource.namespaced ? namespace_ : std::string_view{}, name);
  Value object = stored(resource, std::move(body));
  if (options.dry_run) {
    if (service.storage.get(resource.collection, key)) return refuse(already_exists(resource.named(name)));
    metadata_in(object).erase("resourceVersion");
    out.object = Object(object);
    return out;
  }
  auto put = service.storage.put(resource.collection, key, Object(), std::move(object));
  if (!put) return refuse(already_exists(resource.named(name)));
  out.object = std::move(*put);
  service.notices.add(resource, out.object, out.warnings);
  return out;
}

}  // namespace

StatusOr<Written> create_object(Service& service, const Resource& resource, std::string_view namespace_, Value body,
                                const WriteOptions& options, bool applies) {
  if (auto typed = check_type(body, resource); !typed) return refuse(typed.error());
  if (auto placed = check_namespace(body, namespace_); !placed) return refuse(placed.error());
  if (auto accepts = check_namespace_accepts(service, resource, namespace_, text_at(body, "/metadata/name"));
      !accepts) {
    return refuse(accepts.error());
  }
  if (resource.is_terminating) return refuse(method_not_allowed());
  if (!generates_name(body)) return try_create(service, resource, namespace_, std::move(body), options, applies);

  const std::string prefix(text_at(body, "/metadata/generateName"));
  for (int attempt = 1;; ++attempt) {
    Random random(service.executor.random());
    metadata_in(body)["name"] = names::generate(prefix, random);
    auto made = try_create(service, resource, namespace_, body, options, applies);
    const bool taken = !made && made.error().reason == "AlreadyExists";
    if (!taken || attempt == generate_attempts) return made;
  }
}

}  // namespace pintle::apiserver
