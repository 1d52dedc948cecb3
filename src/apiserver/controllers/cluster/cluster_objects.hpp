// SPDX-License-Identifier: Apache-2.0
// ClusterObjects: the objects that the controllers of a cluster read and write.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Used by one thread.
class ClusterObjects {
 public:
  // A collection and the key of an object in it.
  using Place = std::pair<std::string, std::string>;

  explicit ClusterObjects(Service& service) : service_(service) {}

  [[nodiscard]] Instant now() const { return service_.executor.now(); }
  [[nodiscard]] WallTime wall_now() const { return service_.executor.wall_now(); }
  // The Instant at which the wall clock reads `time`. Not before now().
  [[nodiscard]] Instant instant_of(WallTime time) const;

  [[nodiscard]] Object get(const Place& place) const { return service_.storage.get(place.first, place.second); }
  // All objects of a collection in a namespace, or in all.
  [[nodiscard]] std::vector<Object> list(std::string_view collection, std::string_view namespace_ = {}) const {
    return service_.storage.objects(collection, namespace_);
  }
  // The objects of a collection whose controller is `owner`, in the order of their names.
  [[nodiscard]] std::vector<Object> owned_by(const Object& owner, std::string_view collection) const;

  // The objects of a collection in a namespace that no controller controls, in the order of their names. Only for
  // collections of objects that controllers adopt.
  [[nodiscard]] std::vector<Object> orphans(std::string_view collection, std::string_view namespace_) const;

  // The object that an owner reference names; none if it does not exist or has another uid.
  [[nodiscard]] Object get_owner(json::View reference, std::string_view namespace_) const;
  // True if the server serves the kind that an owner reference names.
  [[nodiscard]] bool is_served(json::View reference) const;
  // The number in the scale subresource of an object; nothing if its kind has none.
  [[nodiscard]] std::optional<std::int64_t> replicas_of(const Object& object) const;

  // Creates an object. Returns nothing if the server refused it, or if it exists already.
  std::optional<Object> create(std::string_view collection, std::string_view namespace_, json::Value object);
  // Changes an object if it still exists. `change` may be called several times. Returns the changed object.
  std::optional<Object> edit(std::string_view collection, const Object& object,
                             const std::function<void(json::Value&)>& change, std::string subresource = {});
  // Replaces the status of an object.
  void set_status(std::string_view collection, const Object& object, const json::object& status);
  void remove(std::string_view collection, const Object& object);
  // Why the server has refused to create an object since the last take_refusal(), if it has. It may accept the object
  // later.
  [[nodiscard]] const std::optional<std::string>& refusal() const noexcept { return refusal_; }
  [[nodiscard]] std::optional<std::string> take_refusal() { return std::exchange(refusal_, std::nullopt); }

  // Updates the index of owned_by() and orphans().
  void note(const Place& place, const Object& object);
  void note_gone(const Place& place);
  // Removes the objects of a collection from the index.
  void forget(std::string_view collection);

 private:
  void forget_owner(const Place& place);

  Service& service_;
  std::map<std::string, std::set<Place>> owned_;  // by the uid of the controller
  std::map<Place, std::string> owners_;           // the uid of the controller
  std::set<Place> orphans_;
  std::optional<std::string> refusal_{};
};

}  // namespace pintle::apiserver
