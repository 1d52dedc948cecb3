// Resource: what one kind in one version is: its names, its rules, how it is shown.
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
#include "users.hpp"

namespace pintle::apiserver {

// A part of an object that has a path of its own.
struct Subresource {
  std::string name{};
  std::string group{};  // of its kind; none of them where that is the resource's own
  std::string version{};
  std::string kind{};
  std::vector<std::string> verbs{};
};

struct Column {
  std::string name{};
  std::string type = "string";
  std::string format{};
  std::string description{};
  int priority = 0;  // 0 always shown, 1 with -o wide
};

// JSON pointers into the object.
struct ScalePaths {
  std::string spec_replicas{};
  std::string status_replicas{};
  std::string label_selector{};
};

// What a field selector may name, and where that is in the stored object (a JSON pointer).
struct SelectableField {
  std::string label{};
  std::string pointer{};
  std::string fallback{};  // what is compared where nothing is stored
};

// The rules of one kind. Stateless, so thread-safe. Defaults are those of a kind without any.
class Strategy {
 public:
  virtual ~Strategy() = default;

  // For merging and field ownership; may be missing. Valid as long as this.
  [[nodiscard]] virtual json::View schema() const { return {}; }

  // From what is stored to what this version shows, and back.
  virtual void from_storage(json::Value&) const {}
  virtual void to_storage(json::Value&) const {}

  // Makes a body a proper object of its kind: refuses wrong types, takes out what is unknown (each place goes to
  // `unknown`) and fills in defaults. Metadata has been seen to, and what is identical in `proper` need not be.
  [[nodiscard]] virtual Answer<void> accept(json::Value& object, const json::Value& proper,
                                            std::vector<std::string>& unknown) const = 0;

  // What is wrong with a name of this kind, which is a DNS subdomain for most.
  [[nodiscard]] virtual names::Fault name_fault(std::string_view name) const;

  // The last touch before an object is created, or stored in place of `old`.
  virtual void prepare_create(json::Value&) const {}
  virtual void prepare_update(json::Value& /*next*/, const json::Value& /*old*/) const {}
  // What is wrong with `next`; `old` is null for a creation.
  virtual void validate(const json::Value& /*next*/, const json::Value* /*old*/, std::vector<Cause>&) const {}

  // The part of an object that its generation counts changes of.
  [[nodiscard]] virtual bool same_intent(const json::Value& a, const json::Value& b) const;

  // An object of the kind in which nothing is set, as the server would write it: what an update is compared with when
  // it creates.
  [[nodiscard]] virtual json::Value zero() const { return json::object(); }

  // Whether an object that is deleted need not wait for this finalizer: a controller of a cluster would take it off.
  [[nodiscard]] virtual bool gives_up(std::string_view /*finalizer*/) const { return false; }

  // How many seconds an object has to end when it is deleted, where so many are asked for; none for a kind that goes at
  // once.
  [[nodiscard]] virtual std::optional<std::int64_t> grace_period(json::View /*object*/,
                                                                 std::optional<std::int64_t> /*asked*/) const {
    return std::nullopt;
  }

  // The status of a review, whom the server knows and who asks.
  [[nodiscard]] virtual json::Value answer(const json::Value& /*review*/, const Users&, const User& /*asker*/) const {
    return {};
  }

  // The cells of its row, one for each column, from the stored form.
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
  std::vector<Subresource> subresources{};  // the same
  bool namespaced = true;
  bool custom = false;
  bool is_review = false;  // created to be answered

  std::string collection{};          // its place in Storage: "configmaps", "widgets.a.conf.dev"
  std::string stored_api_version{};  // "v1", "a.conf.dev/v1"
  bool converts = false;             // shown otherwise than stored, beyond the apiVersion
  bool shares_storage = false;       // what is stored may be of a version that converts
  bool has_generation = false;
  bool has_status = false;
  bool has_finalize = false;
  std::optional<ScalePaths> scale{};
  bool takes_unconditional_update = true;
  bool takes_create_on_update = false;
  bool takes_strategic_patch = true;
  bool is_terminating = false;            // its definition is being deleted
  bool selects_namespace = true;          // metadata.namespace is a field selector
  std::vector<SelectableField> fields{};  // beside metadata.name and metadata.namespace
  std::vector<Column> columns{};
  std::shared_ptr<const Strategy> strategy{};

  [[nodiscard]] std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  // "configmaps", "widgets.a.conf.dev".
  [[nodiscard]] std::string group_resource() const { return group.empty() ? plural : plural + "." + group; }
  [[nodiscard]] bool is_stored() const { return takes("get") || takes("delete"); }
  [[nodiscard]] bool takes(std::string_view verb) const;
  [[nodiscard]] const Subresource* subresource(std::string_view name) const;
  // What a refusal names: the resource for most, the kind where a body is invalid.
  [[nodiscard]] Subject named(std::string_view name) const { return {group, plural, name}; }
  [[nodiscard]] Subject kind_named(std::string_view name) const { return {group, kind, name}; }
};

using ResourcePtr = std::shared_ptr<const Resource>;

}  // namespace pintle::apiserver
