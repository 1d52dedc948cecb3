// SPDX-License-Identifier: Apache-2.0
// Changes an existing object.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/merge/managed_fields.hpp>

#include "apiserver/access/escalation.hpp"
#include "apiserver/access/signers.hpp"
#include "apiserver/admission/builtin/plugins.hpp"
#include "apiserver/conversion/read_form.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"
#include "write.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr int attempts = 50;

// Compares two objects. `same` compares the member `name`; it receives null for a missing member.
template <class Same>
bool equal_but(const json::object& a, const json::object& b, std::string_view name, Same same) {
  const auto others = [&](const json::object& object) { return object.size() - (object.contains(name) ? 1 : 0); };
  if (others(a) != others(b)) return false;
  for (const auto& [key, value] : a) {
    if (key == name) continue;
    const Value* other = b.if_contains(key);
    if (other == nullptr || !json::equal(*other, value)) return false;
  }
  return same(a.if_contains(name), b.if_contains(name));
}

// The same for values that may be missing or no objects.
template <class Same>
bool equal_but(const Value* a, const Value* b, std::string_view name, Same same) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->is_object() && b->is_object() ? equal_but(a->get_object(), b->get_object(), name, same)
                                          : json::equal(*a, *b);
}

bool same_entries(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr || !a->is_array() || !b->is_array())
    return a == b || (a && b && json::equal(*a, *b));
  const json::array& left = a->get_array();
  const json::array& right = b->get_array();
  constexpr auto any_time = [](const Value*, const Value*) { return true; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](const Value& one, const Value& other) { return equal_but(&one, &other, "time", any_time); });
}

// True if two objects differ only in the times of managedFields.
bool same_but_times(const Value& a, const Value& b) {
  return equal_but(&a, &b, "metadata", [](const Value* left, const Value* right) {
    return equal_but(left, right, "managedFields", same_entries);
  });
}

// One attempt to store the result of an edit.
class Attempt {
 public:
  Attempt(Service& service, const Resource& resource, std::string_view namespace_, std::string_view name,
          const Edit& edit, const WriteOptions& options)
      : service_(service),
        resource_(resource),
        space_(namespace_),
        name_(name),
        edit_(edit),
        options_(options),
        is_admitted_(options.user != nullptr && service.admission.is_configured()),
        asks_plugins_(options.user != nullptr && edit.subresource.empty() && has_plugins(resource)) {}

  // Those of webhooks and of field validation, so far.
  [[nodiscard]] std::vector<std::string> warnings() const { return warnings_; }

  // Returns nothing if another write came first.
  StatusOr<std::optional<Written>> run(const Object& current) {
    auto form = service_.converter.editable(resource_, current, memory_);
    if (!form) return refuse(std::move(form.error()));
    current_ = std::move(*form);
    auto made = edit_.make(current_);
    if (!made) return refuse(std::move(made.error()));
    next_ = std::move(*made);
    if (auto typed = check_type(next_, resource_); !typed) return refuse(std::move(typed.error()));
    // An object converted from another version may not have the form that fit_body() produces.
    const Value none;
    const Value& proper = resource_.shares_storage ? none : current_;
    if (auto fitted = fit_body(next_, proper, resource_, options_, warnings_, edit_.unfit); !fitted) {
      return refuse(fitted.error());
    }
    if (auto checked = check_identity(); !checked) return refuse(checked.error());
    given_version_ = text_at(next_, "/metadata/resourceVersion");
    if (!is_admitted_) {
      if (auto checked = check_version(); !checked) return refuse(checked.error());
    }
    keep_what_is_not_edited();
    if (asks_plugins_) {
      if (auto mutated = mutate_by_plugins(service_.storage, attributes(), next_, current_); !mutated) {
        return refuse(std::move(mutated.error()));
      }
    }
    if (is_admitted_) {
      if (auto mutated = mutate(); !mutated) return refuse(std::move(mutated.error()));
    }
    if (auto allowed = check_rights(); !allowed) return refuse(std::move(allowed.error()));
    finish();
    if (auto valid = validate(); !valid) return refuse(valid.error());
    if (auto allowed = check_signing(); !allowed) return refuse(std::move(allowed.error()));
    if (asks_plugins_) {
      if (auto valid = validate_by_plugins(service_.storage, attributes(), next_, current_); !valid) {
        return refuse(std::move(valid.error()));
      }
    }
    if (is_admitted_) {
      if (auto valid = ask_validating(); !valid) return refuse(std::move(valid.error()));
    }
    return store(current);
  }

 private:
  StatusOr<void> check_identity() const {
    if (auto typed = check_type(next_, resource_); !typed) return typed;
    if (auto placed = check_namespace(next_, space_); !placed) return placed;
    if (auto named = check_name(next_, name_); !named) return named;

    const std::string_view uid = text_at(next_, "/metadata/uid");
    if (edit_.replaces && !uid.empty() && uid != text_at(current_, "/metadata/uid")) {
      return refuse(
          conflict(resource_.named(name_), fmt::format("Precondition failed: UID in precondition: {}, UID in object "
                                                       "meta: {}",
                                                       uid, text_at(current_, "/metadata/uid"))));
    }
    return {};
  }

  StatusOr<void> check_version() const {
    const std::string_view version = given_version_;
    if (version.empty() || version == "0") {
      if (resource_.takes_unconditional_update || !edit_.replaces) return {};
      return refuse(invalid(resource_.named(name_),
                            {invalid_value("metadata.resourceVersion", Value(0), "must be specified for an update")}));
    }
    if (version != text_at(current_, "/metadata/resourceVersion")) return refuse(stale(resource_.named(name_)));
    return {};
  }

  // `takes_managed_fields`: those of the edit are final.
  void keep_other_part(bool takes_managed_fields) {
    // The approval of a CertificateSigningRequest is a condition of its status.
    if (edit_.subresource == "status" || edit_.subresource == "approval") {
      Value whole(current_, memory_.storage());
      copy_member(whole, next_, "status");
      for (const std::string& name : resource_.status_metadata) {
        copy_member(whole.as_object()["metadata"], next_.as_object()["metadata"], name);
      }
      if (takes_managed_fields) take_managed_fields(whole, next_);
      next_ = std::move(whole);
    } else if (resource_.has_status && edit_.subresource != "binding") {  // a binding sets a condition
      copy_member(next_, current_, "status");
    }
    if (!edit_.subresource.empty()) resource_.strategy->keep_other_parts(edit_.subresource, next_, current_);
  }

  void keep_what_is_not_edited() {
    keep_other_part(edit_.applies);
    changes_metadata_ = !identical(member(next_, "metadata"), member(current_, "metadata"));
    if (changes_metadata_) keep_system_fields();
    if (!edit_.applies) {
      const std::string subresource = edit_.subresource == "finalize" ? "" : edit_.subresource;
      record_update(current_, next_, resource_.strategy->schema(),
                    {.name = options_.manager, .api_version = resource_.api_version(), .subresource = subresource},
                    service_.executor.wall_now(), service_.converter.managed_versions(resource_));
    }
  }

  [[nodiscard]] StatusOr<void> check_rights() const {
    if (options_.user == nullptr) return {};
    return check_escalation(service_.authorizer, *options_.user,
                            {.resource = resource_,
                             .namespace_ = space_,
                             .path_name = options_.path_name,
                             .next = next_,
                             .old = &current_});
  }

  [[nodiscard]] StatusOr<void> check_signing() const {
    if (options_.user == nullptr) return {};
    return check_signer(
        service_.authorizer, *options_.user,
        {.resource = resource_, .subresource = edit_.subresource, .name = name_, .next = next_, .old = current_});
  }

  // The last changes of the server itself.
  void finish() {
    if (edit_.subresource != "finalize") resource_.strategy->prepare_update(next_, current_);
    const bool counts = resource_.has_generation && edit_.subresource != "binding";
    if (counts && !resource_.strategy->same_intent(next_, current_)) count_generation();
  }

  [[nodiscard]] Attributes attributes() const {
    Attributes out = attributes_of(resource_, space_, name_, "UPDATE", options_);
    out.subresource = edit_.subresource;
    out.api_version = edit_.view.api_version;
    out.kind = edit_.view.kind;
    return out;
  }

  // A write with an old resourceVersion is refused only after the mutating webhooks.
  StatusOr<void> mutate() {
    if (!edit_.view.of) {
      const Value before(current_, {});
      Value object(next_, {});  // in heap memory
      if (auto mutated = service_.admission.mutate(attributes(), object, before, warnings_); !mutated) return mutated;
      if (!json::equal(object, next_)) {
        next_ = Value(object, memory_.storage());
        if (auto checked = check_identity(); !checked) return checked;
        keep_other_part(true);
        changes_metadata_ = !identical(member(next_, "metadata"), member(current_, "metadata"));
        if (changes_metadata_) keep_system_fields();
      }
    }
    return check_version();
  }

  // A validating webhook receives unknown fields that a mutating one has added; they are removed afterwards.
  StatusOr<void> ask_validating() {
    const Value object = edit_.view.of ? edit_.view.of(next_) : Value(next_, {});
    const Value before = edit_.view.of ? edit_.view.of(current_) : Value(current_, {});
    if (auto valid = service_.admission.validate(attributes(), object, before, warnings_); !valid) return valid;
    std::vector<std::string> unknown;
    return resource_.strategy->accept(next_, {}, unknown);
  }

  void keep_system_fields() {
    json::object& metadata = metadata_in(next_);
    const json::object& was = metadata_in(current_);
    const auto keep = [&](std::string_view name) {
      if (const Value* value = was.if_contains(name)) {
        metadata[name] = *value;
      } else {
        metadata.erase(name);
      }
    };
    for (const char* name : {"resourceVersion", "creationTimestamp", "generation"}) keep(name);
    if (!metadata.contains("uid")) keep("uid");
    keep("namespace");
    for (const char* name : {"deletionTimestamp", "deletionGracePeriodSeconds"}) {
      if (was.contains(name)) keep(name);
    }
  }

  void count_generation() {
    const Value* generation = metadata_in(current_).if_contains("generation");
    metadata_in(next_)["generation"] = generation == nullptr ? 1 : generation->as_int64() + 1;
  }

  static void take_managed_fields(Value& to, const Value& from) {
    if (const Value* fields = json::find(from, "/metadata/managedFields")) metadata_in(to)["managedFields"] = *fields;
  }

  StatusOr<void> validate() {
    std::vector<StatusCause> causes;
    if (changes_metadata_) validate_metadata_change(next_, current_, resource_, causes);
    resource_.strategy->validate_write(next_, &current_, causes, warnings_);
    resource_.strategy->validate_subresource(edit_.subresource, next_, current_, causes);
    if (causes.empty()) return {};
    return refuse(invalid(resource_.kind_named(name_), std::move(causes)));
  }

  // True if the object is being deleted and nothing delays its removal any more.
  [[nodiscard]] bool ends_deletion() const {
    if (text_at(current_, "/metadata/deletionTimestamp").empty()) return false;
    const Value* grace = json::find(current_, "/metadata/deletionGracePeriodSeconds");
    if (grace != nullptr && *grace != 0) return false;
    const auto holds = [&](const char* pointer) {
      const Value* list = json::find(next_, pointer);
      return list != nullptr && list->is_array() && !list->get_array().empty();
    };
    return !holds("/metadata/finalizers") && !(resource_.has_finalize && holds("/spec/finalizers"));
  }

  // Only these changes can make an object use more of a quota.
  StatusOr<Quotas::Charge> charge_quotas() {
    const bool is_charged = edit_.subresource == "resize" ||
                            (edit_.subresource.empty() &&
                             (resource_.collection == "services" || resource_.collection == "persistentvolumeclaims"));
    if (!is_charged) return Quotas::Charge();
    return service_.quotas.charge({.resource = resource_,
                                   .namespace_ = space_,
                                   .name = name_,
                                   .object = next_,
                                   .old_object = &current_,
                                   .dry_run = options_.dry_run});
  }

  StatusOr<std::optional<Written>> store(const Object& current) {
    Written out{.warnings = warnings_};
    const std::string key = storage_key(resource_.namespaced ? space_ : std::string_view{}, name_);
    if (ends_deletion()) {
      if (!options_.dry_run) {
        const auto gone = service_.storage.erase(resource_.collection, key, current, current.to_value());
        if (!gone) return refuse(not_kept(gone.error()));
        if (!*gone) return {};
      }
      auto last = service_.converter.storable(resource_, std::move(next_));
      if (!last) return refuse(std::move(last.error()));
      out.object = Object(*last);
      return out;
    }
    // An object that is stored as an older version or lacks defaults is written again, even without a change.
    const bool is_stored_alike =
        current.api_version() == resource_.stored_api_version && with_read_defaults(resource_, current) == current;
    if (is_stored_alike && same_but_times(current_, next_)) {  // nothing to write
      out.object = current;
      return out;
    }
    auto charge = charge_quotas();
    if (!charge) return refuse(std::move(charge.error()));
    auto object = service_.converter.storable(resource_, std::move(next_));
    if (!object) return refuse(std::move(object.error()));
    if (options_.dry_run) {
      out.object = Object(*object);
      return out;
    }
    auto put = service_.storage.put(resource_.collection, key, current, std::move(*object));
    if (!put) return refuse(not_kept(put.error()));
    if (!*put) return {};
    charge->keep();
    out.object = std::move(**put);
    if (options_.user != nullptr) service_.converter.prepare(resource_, out.object);
    service_.notices.add(resource_, out.object, out.warnings);
    return out;
  }

  Service& service_;
  const Resource& resource_;
  const std::string_view space_;
  const std::string_view name_;
  const Edit& edit_;
  const WriteOptions& options_;
  const bool is_admitted_;
  const bool asks_plugins_;
  std::string given_version_;  // the resourceVersion in the edit
  json::Arena memory_;
  Value current_ = Value(memory_.storage());
  Value next_ = Value(memory_.storage());
  bool changes_metadata_ = false;  // the edit changes metadata; the server's own changes do not count
  std::vector<std::string> warnings_;
};

StatusOr<Written> create_by_edit(Service& service, const Resource& resource, std::string_view namespace_,
                                 std::string_view name, const Edit& edit, const WriteOptions& options) {
  auto made = edit.make(Value());
  if (!made) return refuse(std::move(made.error()));
  json::object& metadata = metadata_in(*made);
  if (metadata.contains("resourceVersion") || (edit.replaces && metadata.contains("uid"))) {
    return refuse(not_found(resource.named(name)));
  }
  if (options.user != nullptr) {
    const Action action{.verb = "create",
                        .group = resource.group,
                        .resource = resource.plural,
                        .namespace_ = std::string(namespace_),
                        .name = std::string(name)};
    if (auto allowed = service.authorizer.check(*options.user, action); !allowed) {
      return refuse(std::move(allowed.error()));
    }
  }
  metadata["name"] = name;
  return create_object(service, resource, namespace_, std::move(*made), options, edit.applies);
}

}  // namespace

StatusOr<Written> edit_object(Service& service, const Resource& resource, std::string_view namespace_,
                              std::string_view name, const Edit& edit, const WriteOptions& options) {
  const std::string key = storage_key(resource.namespaced ? namespace_ : std::string_view{}, name);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Object current = service.storage.get(resource.collection, key);
    if (!current) {
      if (!edit.creates) return refuse(not_found(resource.named(name)));
      auto made = create_by_edit(service, resource, namespace_, name, edit, options);
      if (made || made.error().reason != "AlreadyExists") return made;
      continue;
    }
    Attempt one(service, resource, namespace_, name, edit, options);
    auto written = one.run(current);
    if (!written) return refuse(with_warnings(std::move(written.error()), one.warnings()));
    if (*written) return std::move(**written);
  }
  return refuse(stale(resource.named(name)));
}

}  // namespace pintle::apiserver
