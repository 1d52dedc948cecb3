// Definitions: the life of custom resource definitions: names, establishment, service, end.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Used by one thread.
class Definitions {
 public:
  explicit Definitions(Service& service) : service_(service) {}

  // Does what there is to do now. Whether the registry has changed.
  bool round();
  // The next round looks at every definition, whatever was known of it.
  void begin_anew();

 private:
  // Which definition has which name, by "group/what/name".
  using Claims = std::map<std::string, std::string>;

  struct Published {
    Object definition{};
    std::vector<ResourcePtr> resources{};
  };

  void accept(const Object& definition, Claims& claims);
  void finish(const Object& definition);
  void publish(const Object& definition);
  void unpublish_all_but(const std::set<std::string>& uids);
  void update_registry();

  Service& service_;
  std::map<std::string, Published> published_;  // by uid; what is served as before stays the same resources
  std::optional<Version> seen_;                 // the last write to the definitions that was acted on
  bool somebody_ends_ = false;                  // one of them waits for its objects to go
  bool changed_ = false;
};

}  // namespace pintle::apiserver
