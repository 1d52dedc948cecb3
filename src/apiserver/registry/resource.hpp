// SPDX-License-Identifier: Apache-2.0
// Resource: one kind in one version: its names, its rules and its presentation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/names.hpp>

#include "refusal.hpp"
#include "user.hpp"

namespace pintle::apiserver {

struct ReadDefaults;
struct WebhookConversion;

// A part of an object with its own path.
struct Subresource {
  std::string name{};
  std::string group{};  // group and version of its kind; empty: those of the resource
  std::string version{};
  std::string kind{};
  std::vector<std::string> verbs{};
};

struct Column {
  std::string name{};
  std::string type = "string";
  std::string format{};
  std::string description{};
  int priority = 0;  // 0: always shown, 1: only with -o wide
};

// JSON pointers into the object.
struct ScaleSubresource {
  std::string spec_replicas{};
  std::string status_replicas{};
  std::string label_selector{};
};

// A field that a field selector may name, and its place in the stored object (a JSON pointer).
struct SelectableField {
  std::string label{};
  std::string pointer{};
  std::string fallback{};       // the value if nothing is stored
  std::string other_pointer{};  // the place whose value counts if nothing is stored at the pointer
};

// The rules of one kind. The defaults are those of a kind without rules. Stateless, so thread-safe.
class Strategy {
 public:
  virtual ~Strategy() = default;

  // The schema for merging and field ownership; may be missing. Valid as long as this object.
  [[nodiscard]] virtual json::View schema() const { return {}; }

  // Convert the stored form to the form of this version, and back.
  virtual void from_storage(json::Value&) const {}
  virtual void to_storage(json::Value&) const {}

  // Fits a body to its kind: refuses wrong types, removes unknown members (adding each place to `unknown`) and sets
  // defaults. Metadata was fitted before. Parts that are identical in `proper` need not be fitted.
  [[nodiscard]] virtual StatusOr<void> accept(json::Value& object, const json::Value& proper,
                                              std::vector<std::string>& unknown) const = 0;
  // The same for an object that an admission webhook has changed. Unknown members of a custom resource stay, because
  // kube-apiserver removes them only before it stores the object.
  [[nodiscard]] virtual StatusOr<void> accept_admitted(json::Value& object) const {
    std::vector<std::string> unknown;
    return accept(object, {}, unknown);
  }

  // Returns the error in a name of this kind, if there is one. Most names are DNS subdomains.
  [[nodiscard]] virtual names::ValidationError validate_name(std::string_view name) const;

  // The last changes before an object is created, or stored in place of `old`.
  virtual void prepare_create(json::Value&) const {}
  virtual void prepare_update(json::Value& /*next*/, const json::Value& /*old*/) const {}
  // For a subresource other than status that is a view of the whole object, such as pods/resize: takes back what it
  // may not change.
  virtual void keep_other_parts(std::string_view /*subresource*/, json::Value& /*next*/,
                                const json::Value& /*old*/) const {}
  // Adds the errors of an update that depend on its subresource ("": the object itself).
  virtual void validate_subresource(std::string_view /*subresource*/, const json::Value& /*next*/,
                                    const json::Value& /*old*/, std::vector<StatusCause>&) const {}
  // Adds the errors in `next` to `causes`. `old` is null for a create.
  virtual void validate(const json::Value& /*next*/, const json::Value* /*old*/, std::vector<StatusCause>&) const {}
  // The same; errors that an update may keep, because it does not change the value, are only warnings.
  virtual void validate_write(const json::Value& next, const json::Value* old, std::vector<StatusCause>& causes,
                              std::vector<std::string>& /*warnings*/) const {
    validate(next, old, causes);
  }

  // True if `a` and `b` are equal in the part whose changes metadata.generation counts.
  [[nodiscard]] virtual bool same_intent(const json::Value& a, const json::Value& b) const;

  // Returns an object of the kind in which nothing is set, as the server would print it. An update that creates an
  // object is compared with it.
  [[nodiscard]] virtual json::Value zero() const { return json::object(); }

  // True if a deleted object need not wait for this finalizer. In a cluster, a controller would remove it.
  [[nodiscard]] virtual bool gives_up(std::string_view /*finalizer*/) const { return false; }

  // Returns the grace period of a deletion in seconds, given the number in the request. Returns nothing for a kind
  // whose objects are removed at once.
  [[nodiscard]] virtual std::optional<std::int64_t> grace_period(json::View /*object*/,
                                                                 std::optional<std::int64_t> /*requested*/) const {
    return std::nullopt;
  }

  // Returns the cells of a table row, one for each column. `object` has the stored form.
  [[nodiscard]] virtual json::array cells(json::View object, WallTime now) const = 0;
};

// Immutable.
struct Resource {
  std::string group{};
  std::string version{};
  std::string plural{};
  std::string singular{};
  std::string kind{};
  std::string list_kind{};
  std::vector<std::string> short_names{};
  std::vector<std::string> categories{};
  std::vector<std::string> verbs{};         // in the order of discovery
  std::vector<Subresource> subresources{};  // in the order of discovery
  bool namespaced = true;
  bool custom = false;
  bool is_review = false;  // not stored; the response contains a status

  std::string collection{};          // its name in Storage: "configmaps", "widgets.a.conf.dev"
  std::string stored_api_version{};  // "v1", "a.conf.dev/v1"
  std::string storage_hash{};        // of discovery; see storage_hash_of()
  bool converts = false;             // the shown form differs from the stored one, beyond apiVersion
  bool shares_storage = false;       // stored objects may be from a version that converts
  // How a webhook converts between the versions; null: apiVersion is all that differs.
  std::shared_ptr<const WebhookConversion> conversion{};
  std::shared_ptr<const ReadDefaults> read_defaults{};  // null: the kind has no defaults that an object may lack
  bool has_generation = false;
  bool has_status = false;
  bool has_finalize = false;
  std::vector<std::string> status_metadata{};  // the members of metadata that a write of the status may change
  std::optional<ScaleSubresource> scale{};
  bool takes_unconditional_update = true;
  bool takes_create_on_update = false;
  bool takes_strategic_patch = true;
  std::string deprecation{};              // a warning to every client that uses this version; empty: none
  bool is_terminating = false;            // its definition is being deleted
  bool selects_namespace = true;          // a field selector may name metadata.namespace
  std::vector<SelectableField> fields{};  // in addition to metadata.name and metadata.namespace
  std::vector<Column> columns{};
  std::shared_ptr<const Strategy> strategy{};

  [[nodiscard]] std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  // "configmaps", "widgets.a.conf.dev".
  [[nodiscard]] std::string group_resource() const { return group.empty() ? plural : plural + "." + group; }
  [[nodiscard]] bool is_stored() const { return takes("get") || takes("delete"); }
  [[nodiscard]] bool takes(std::string_view verb) const;
  [[nodiscard]] const Subresource* subresource(std::string_view name) const;
  // The subject of a refusal: the resource in most cases, the kind if a body is invalid.
  [[nodiscard]] Subject named(std::string_view name) const { return {group, plural, name}; }
  [[nodiscard]] Subject kind_named(std::string_view name) const { return {group, kind, name}; }
};

// Returns a hash that changes if objects of the resource are stored as another version; "" if they are not stored.
[[nodiscard]] std::string storage_hash_of(const Resource& resource);

using ResourcePtr = std::shared_ptr<const Resource>;

}  // namespace pintle::apiserver
