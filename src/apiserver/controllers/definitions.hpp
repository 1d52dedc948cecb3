// SPDX-License-Identifier: Apache-2.0
// Definitions: the life cycle of CustomResourceDefinitions: names, establishment, serving and deletion.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apiserver/call/service.hpp"
#include "apiserver/registry/custom.hpp"

namespace pintle::apiserver {

// Used by one thread.
class Definitions {
 public:
  explicit Definitions(Service& service) : service_(service) {}

  // Does the work that is due now. Returns whether the registry has changed.
  bool round();
  // Makes the next round process every definition again.
  void begin_anew();

 private:
  // The uid of the definition that has each name, by "group/what/name".
  using Claims = std::map<std::string, std::string>;

  struct Published {
    Object definition{};
    CustomResources resources{};
  };

  void accept(const Object& definition, Claims& claims);
  void finish(const Object& definition);
  void publish(const Object& definition);
  void unpublish_all_but(const std::set<std::string>& uids);
  void update_registry();

  Service& service_;
  std::map<std::string, Published> published_;  // by uid; a definition that is served unchanged keeps its resources
  std::vector<ResourcePtr> served_;             // by the registry
  std::optional<Version> processed_;            // the last write to the definitions that was processed
  bool has_terminating_ = false;                // a definition is being deleted
  bool changed_ = false;
};

}  // namespace pintle::apiserver
