// SPDX-License-Identifier: Apache-2.0
// Writes: the steps that creates, changes and deletes share, for requests and for controllers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/admission/attributes.hpp"
#include "apiserver/call/service.hpp"
#include "apiserver/call/write_options.hpp"

namespace pintle::apiserver {

// Makes the refusal of an object that cannot be decoded as its kind. `why` is the error of the decoder.
using Unfit = std::function<Refusal(const json::Value& object, std::string_view why)>;

struct Written {
  Object object{};  // as stored
  bool created = false;
  std::vector<std::string> warnings{};
};

// Stores a new object. `applies`: metadata.managedFields of `body` is final.
[[nodiscard]] StatusOr<Written> create_object(Service& service, const Resource& resource, std::string_view namespace_,
                                              json::Value body, const WriteOptions& options, bool applies = false);

// A change of an object.
struct Edit {
  // Returns the new object for the current one, both in the form of this version. `current` is null if the object does
  // not exist and `creates` is set.
  std::function<StatusOr<json::Value>(const json::Value& current)> make{};
  std::string subresource{};  // "", "status", "scale", "finalize", …
  bool creates = false;       // creates the object if it does not exist
  bool replaces = false;      // a uid in the new object is a precondition
  bool applies = false;       // make() sets the final metadata.managedFields
  Unfit unfit{};              // as in fit_body()
  // The object that webhooks receive for a subresource with a kind of its own, such as a Scale. Empty: the whole
  // object.
  struct View {
    std::string api_version{};
    std::string kind{};
    std::function<json::Value(const json::Value& object)> of{};
  };
  // make() passes such an object to mutating webhooks itself.
  View view{};
};

// Changes an object; starts over if another write came first. If the object is being deleted, removing its last
// finalizer removes it.
[[nodiscard]] StatusOr<Written> edit_object(Service& service, const Resource& resource, std::string_view namespace_,
                                            std::string_view name, const Edit& edit, const WriteOptions& options);

enum class DeletionPropagation { unset, background, foreground, orphan };

struct DeleteOptions {
  std::string uid{};  // a precondition, as is resource_version
  std::string resource_version{};
  DeletionPropagation propagation = DeletionPropagation::unset;
  std::optional<std::int64_t> grace{};  // seconds; none: those of the object
  bool dry_run = false;
  const User* user = nullptr;         // as in WriteOptions
  std::optional<Instant> deadline{};  // as in WriteOptions
  bool of_collection = false;         // the request deletes a collection
  json::object given{};               // the DeleteOptions as the sender gave them, for webhooks
};

struct Deleted {
  Object object{};        // the current state, or the last one
  bool gone = false;      // false: it waits for its finalizers or its grace period
  bool graceful = false;  // its kind has a grace period
  std::vector<std::string> warnings{};
};

// The grace period of an object that is being deleted, in seconds.
[[nodiscard]] std::int64_t grace_of(const Object& object);

[[nodiscard]] StatusOr<Deleted> delete_object(Service& service, const Resource& resource, std::string_view namespace_,
                                              std::string_view name, const DeleteOptions& options);

// The attributes of a create or an update, for webhooks. The sender must be set in `options`.
[[nodiscard]] Attributes attributes_of(const Resource& resource, std::string_view namespace_, std::string_view name,
                                       std::string_view operation, const WriteOptions& options);
// Runs both phases of admission for an object that is not stored, such as an Eviction.
[[nodiscard]] StatusOr<void> admit(Service& service, const Attributes& attributes, json::Value& object,
                                   std::vector<std::string>& warnings);
// The refusal of a write that the journal could not keep.
[[nodiscard]] Refusal not_kept(const Error& error);
// Adds warnings to a refusal.
[[nodiscard]] Refusal with_warnings(Refusal refusal, const std::vector<std::string>& warnings);

// Refuse an object whose type or namespace differs from that in the path. A missing kind or version is accepted;
// check_sent_type() is for bodies. A namespace in the body of a cluster-scoped object is not checked; the write removes
// it.
[[nodiscard]] StatusOr<void> check_type(const json::Value& body, const Resource& resource);
[[nodiscard]] StatusOr<void> check_namespace(const json::Value& body, std::string_view namespace_);
// Refuses an object whose name is not the one in the path.
[[nodiscard]] StatusOr<void> check_name(const json::Value& body, std::string_view name);

// Fits a body to its kind. Unknown fields are removed; `options` defines whether they and duplicate fields are refused
// or reported in `warnings`. `proper` is an object of the kind in the form of this version, or null; parts that are
// identical in it are not fitted again. `unfit` is called after unknown fields were removed; if it is empty, the
// refusal is a 400 about the body of the request.
[[nodiscard]] StatusOr<void> fit_body(json::Value& body, const json::Value& proper, const Resource& resource,
                                      const WriteOptions& options, std::vector<std::string>& warnings,
                                      const Unfit& unfit = {});

// Refuses a write into a namespace that does not exist or is being deleted.
[[nodiscard]] StatusOr<void> check_namespace_accepts(Service& service, const Resource& resource,
                                                     std::string_view namespace_, std::string_view name);

}  // namespace pintle::apiserver
