// Namespaces: the end of a namespace, which takes everything in it along.
#pragma once

#include <map>
#include <string>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Used by one thread.
class Namespaces {
 public:
  Namespaces(Service& service, Duration settle) : service_(service), settle_(settle) {}

  // Does what there is to do now. When there is more to do later although nothing is written; Instant::max() for never.
  Instant round();

 private:
  // Whether nothing is left in it.
  bool empty(std::string_view name);
  void release(const Object& namespace_);

  Service& service_;
  const Duration settle_;
  Version looked_at_ = 0;                // the last write to the namespaces that was acted on
  std::map<std::string, Instant> seen_;  // when it was first seen terminating, by uid
};

}  // namespace pintle::apiserver
