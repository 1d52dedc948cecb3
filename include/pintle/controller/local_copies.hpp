// LocalCopies: what a controller knows without asking a server.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/object/object.hpp>

namespace pintle {

class Informer;
class Site;

// Shows the copies as they are at that moment, at least as new as the change that is being looked at; valid as long as
// the call that got it. Thread-safe.
class LocalCopies {
 public:
  using Sites = std::map<std::string, std::shared_ptr<Site>, std::less<>>;
  LocalCopies(const Informer& own, const std::string& own_cluster, const Sites& sites)
      : own_(own), own_cluster_(own_cluster), sites_(sites) {}

  // The key of an object of the controller that is seen from this namespace: without one if its kind has none.
  [[nodiscard]] ObjectKey key_from(std::string_view namespace_, std::string_view name) const;
  // Every object of the controller.
  [[nodiscard]] std::vector<ObjectKey> keys() const;
  // One object of a kind that the controller watches or owns without a selector; none when there is no such object, or
  // no such copy. `cluster` empty: that of the controller.
  [[nodiscard]] Object get(const GroupVersionKind& kind, const ObjectKey& key, std::string_view cluster = {}) const;

 private:
  const Informer& own_;
  const std::string& own_cluster_;
  const Sites& sites_;
};

}  // namespace pintle
