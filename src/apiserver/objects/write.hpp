// Writing objects: what creates, changes and deletes have in common, whoever asks for them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/memory.hpp>

#include "apiserver/call/service.hpp"
#include "apiserver/call/write_options.hpp"

namespace pintle::apiserver {

struct Written {
  Object object{};  // as stored
  bool created = false;
  std::vector<std::string> warnings{};
};

// Stores a new object. `applies`: metadata.managedFields of `body` are settled.
[[nodiscard]] Answer<Written> create_object(Service& service, const Resource& resource, std::string_view namespace_,
                                            json::Value body, const WriteOptions& options, bool applies = false);

// How an object is to change.
struct Edit {
  // What it becomes, from what it is, both as this version shows them; null when it is not there and `creates`.
  std::function<Answer<json::Value>(const json::Value& current)> make{};
  std::string subresource{};  // "", "status", "scale", "finalize", …
  bool creates = false;       // make one where there is none
  bool replaces = false;      // a uid in it is a precondition
  bool applies = false;       // make() has settled metadata.managedFields
};

// Changes an object, starting anew when somebody else was faster. The last finalizer of an object that is being deleted
// takes the object with it.
[[nodiscard]] Answer<Written> edit_object(Service& service, const Resource& resource, std::string_view namespace_,
                                          std::string_view name, const Edit& edit, const WriteOptions& options);

enum class Propagation { unset, background, foreground, orphan };

struct DeleteOptions {
  std::string uid{};  // preconditions
  std::string resource_version{};
  Propagation propagation = Propagation::unset;
  std::optional<std::int64_t> grace{};  // seconds; none: what the object says
  bool dry_run = false;
};

struct Deleted {
  Object object{};        // as it is now, or was at last
  bool gone = false;      // else it waits for its finalizers, or has time to end
  bool graceful = false;  // it is of a kind that is given time to end
};

// The seconds that an object which is being deleted has got to end.
[[nodiscard]] std::int64_t grace_of(const Object& object);

[[nodiscard]] Answer<Deleted> delete_object(Service& service, const Resource& resource, std::string_view namespace_,
                                            std::string_view name, const DeleteOptions& options);

// A stored object as a version shows it.
[[nodiscard]] json::Value shown(const Resource& resource, const Object& stored);
[[nodiscard]] json::Value shown(const Resource& resource, const Object& stored, json::Memory& memory);
// And back.
[[nodiscard]] json::Value stored(const Resource& resource, json::Value shown);

// What a request says its object is must be what its path says; a cluster-scoped object loses its namespace.
[[nodiscard]] Answer<void> check_type(const json::Value& body, const Resource& resource);
[[nodiscard]] Answer<void> check_namespace(const json::Value& body, std::string_view namespace_);

// Fits a body to its kind. What nobody knows is taken out, and refused or warned of as the options say. What is
// identical in `proper`, an object of the kind as it is shown, fits as it is; null for none.
[[nodiscard]] Answer<void> fit_body(json::Value& body, const json::Value& proper, const Resource& resource,
                                    FieldValidation validation, std::vector<std::string>& warnings);

// Refuses a write into a namespace that is not there, or is going.
[[nodiscard]] Answer<void> check_namespace_accepts(Service& service, const Resource& resource,
                                                   std::string_view namespace_, std::string_view name);

}  // namespace pintle::apiserver
