// SPDX-License-Identifier: Apache-2.0
// Creates an object.
#include <utility>

#include <fmt/format.h>

#include <pintle/object/merge/managed_fields.hpp>
#include <pintle/object/names.hpp>

#include "apiserver/access/escalation.hpp"
#include "apiserver/admission/builtin/plugins.hpp"
#include "apiserver/registry/fit.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"
#include "apiserver/storage/uid.hpp"
#include "write.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr int generate_attempts = 8;

void place_in_namespace(const Resource& resource, std::string_view namespace_, json::object& metadata) {
  if (resource.namespaced) {
    metadata["namespace"] = namespace_;
  } else {
    metadata.erase("namespace");
  }
}

// Sets the metadata that only the server decides.
void set_system_fields(Service& service, const Resource& resource, std::string_view namespace_, Value& body) {
  json::object& metadata = metadata_in(body);
  for (const char* name : {"selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"}) metadata.erase(name);
  place_in_namespace(resource, namespace_, metadata);
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

// The creation of one object.
class Creation {
 public:
  Creation(Service& service, const Resource& resource, std::string_view namespace_, const WriteOptions& options)
      : service_(service),
        resource_(resource),
        space_(namespace_),
        options_(options),
        is_admitted_(options.user != nullptr && !options.skips_webhooks && service.admission.is_configured()),
        asks_plugins_(options.user != nullptr && has_plugins(resource)) {}

  // Fits a body to its kind. It may still contain what only the server decides.
  StatusOr<void> decode(Value& body) { return fit_body(body, {}, resource_, options_, warnings_); }

  // Brings a decoded body into the form in which it can be stored, apart from a generated name.
  StatusOr<void> prepare(Value& body, bool applies) {
    const std::string_view version = text_at(body, "/metadata/resourceVersion");
    names_version_ = !version.empty() && version != "0";
    set_system_fields(service_, resource_, space_, body);
    std::vector<std::string> unknown;
    if (auto ordered = fit_metadata(body, unknown); !ordered) return ordered;
    if (!applies) record_creation(service_, resource_, body, options_);
    if (auto mutated = mutate_by_plugins(body); !mutated) return mutated;
    if (is_admitted_) {
      if (auto mutated = mutate(body); !mutated) return mutated;
    }
    if (asks_plugins_) set_sender(attributes_for(body), body);
    return {};
  }

  // Those of webhooks and of field validation, so far.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  StatusOr<Written> store(Value body) {
    if (auto allowed = check_rights(body); !allowed) return refuse(std::move(allowed.error()));
    resource_.strategy->prepare_create(body);
    const std::string name(text_at(body, "/metadata/name"));
    std::vector<StatusCause> causes;
    validate_metadata(body, resource_, causes);
    resource_.strategy->validate_write(body, nullptr, causes, warnings_);
    if (!causes.empty()) return refuse(invalid(resource_.kind_named(name), std::move(causes)));
    if (names_version_ && !options_.dry_run)
      return refuse(internal_error("resourceVersion should not be set on objects to be created"));
    if (asks_plugins_) {
      const auto attributes = attributes_of(resource_, space_, name, "CREATE", options_);
      if (auto valid = validate_by_plugins(service_.storage, attributes, body, {}); !valid) {
        return refuse(std::move(valid.error()));
      }
    }
    if (is_admitted_) {
      if (auto valid = validate(body); !valid) return refuse(std::move(valid.error()));
    }
    auto charge = service_.quotas.charge(
        {.resource = resource_, .namespace_ = space_, .name = name, .object = body, .dry_run = options_.dry_run});
    if (!charge) return refuse(std::move(charge.error()));
    Written out{.created = true, .warnings = warnings_};

    const std::string key = storage_key(resource_.namespaced ? space_ : std::string_view{}, name);
    auto object = service_.converter.storable(resource_, std::move(body));
    if (!object) return refuse(std::move(object.error()));
    if (options_.dry_run) {
      if (service_.storage.get(resource_.collection, key)) return refuse(already_exists(resource_.named(name)));
      metadata_in(*object).erase("resourceVersion");
      out.object = Object(*object);
      return out;
    }
    auto put = service_.storage.put(resource_.collection, key, Object(), std::move(*object));
    if (!put) return refuse(not_kept(put.error()));
    if (!*put) return refuse(already_exists(resource_.named(name)));
    charge->keep();
    out.object = std::move(**put);
    if (options_.user != nullptr) service_.converter.prepare(resource_, out.object);
    service_.notices.add(resource_, out.object, out.warnings);
    return out;
  }

 private:
  StatusOr<void> check_rights(const Value& body) const {
    if (options_.user == nullptr || options_.skips_webhooks) return {};
    return check_escalation(
        service_.authorizer, *options_.user,
        {.resource = resource_, .namespace_ = space_, .path_name = options_.path_name, .next = body});
  }

  [[nodiscard]] Attributes attributes_for(const Value& body) const {
    return attributes_of(resource_, space_, text_at(body, "/metadata/name"), "CREATE", options_);
  }

  StatusOr<void> mutate_by_plugins(Value& body) {
    if (!asks_plugins_) return {};
    return apiserver::mutate_by_plugins(service_.storage, attributes_for(body), body, {});
  }

  // Mutating webhooks receive neither resourceVersion nor generation.
  StatusOr<void> mutate(Value& body) {
    json::object& metadata = metadata_in(body);
    metadata.erase("resourceVersion");
    metadata.erase("generation");
    const Attributes attributes = attributes_for(body);
    if (auto mutated = service_.admission.mutate(attributes, body, {}, warnings_); !mutated) return mutated;
    if (auto placed = check_namespace(body, space_); !placed) return placed;
    json::object& changed = metadata_in(body);
    place_in_namespace(resource_, space_, changed);
    if (text_at(body, "/metadata/uid").empty() || text_at(body, "/metadata/creationTimestamp").empty()) {
      return refuse(internal_failure("system metadata was not initialized"));
    }
    changed["resourceVersion"] = "0";
    changed["generation"] = resource_.has_generation ? 1 : 0;
    std::vector<std::string> unknown;
    return fit_metadata(body, unknown);
  }

  // A validating webhook receives unknown fields that a mutating one has added; they are removed afterwards.
  StatusOr<void> validate(Value& body) {
    Value seen = body;
    metadata_in(seen).erase("resourceVersion");
    if (auto valid = service_.admission.validate(attributes_for(body), seen, {}, warnings_); !valid) return valid;
    std::vector<std::string> unknown;
    return resource_.strategy->accept(body, {}, unknown);
  }

  Service& service_;
  const Resource& resource_;
  const std::string_view space_;
  const WriteOptions& options_;
  const bool is_admitted_;
  const bool asks_plugins_;
  bool names_version_ = false;
  std::vector<std::string> warnings_;
};

// Prepares and stores an object; generates its name if it has none.
StatusOr<Written> create_named(Creation& creation, Service& service, Value body, bool applies) {
  if (auto prepared = creation.prepare(body, applies); !prepared) return refuse(std::move(prepared.error()));
  if (!generates_name(body)) return creation.store(std::move(body));

  const std::string prefix(text_at(body, "/metadata/generateName"));
  for (int attempt = 1;; ++attempt) {
    Random random(service.executor.random());
    Value named = body;
    metadata_in(named)["name"] = names::generate(prefix, random);
    std::vector<std::string> unknown;
    if (auto fitted = fit_metadata(named, unknown); !fitted) return refuse(std::move(fitted.error()));
    auto made = creation.store(std::move(named));
    const bool taken = !made && made.error().reason == "AlreadyExists";
    if (!taken || attempt == generate_attempts) return made;
  }
}

}  // namespace

StatusOr<Written> create_object(Service& service, const Resource& resource, std::string_view namespace_, Value body,
                                const WriteOptions& options, bool applies) {
  if (auto typed = check_type(body, resource); !typed) return refuse(typed.error());
  Creation creation(service, resource, namespace_, options);
  auto fine = creation.decode(body);
  if (fine) fine = check_namespace(body, namespace_);
  if (fine) fine = check_namespace_accepts(service, resource, namespace_, text_at(body, "/metadata/name"));
  if (fine && resource.is_terminating) fine = refuse(method_not_allowed());
  auto made = fine ? create_named(creation, service, std::move(body), applies)
                   : StatusOr<Written>(refuse(std::move(fine.error())));
  if (!made) return refuse(with_warnings(std::move(made.error()), creation.warnings()));
  return made;
}

}  // namespace pintle::apiserver
