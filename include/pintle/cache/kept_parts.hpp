// KeptParts: how much of its objects a cache remembers.
#pragma once

#include <functional>

#include <pintle/json/reader.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// What a cache keeps of each object of a kind; what it leaves out costs no memory, and reads as missing.
struct KeptParts {
  json::Projection projection{.drop = {"/metadata/managedFields"}};  // with_identity(); see check_projection()
  // Changes what the projection left, before anybody sees it; apiVersion, kind, name, namespace, uid, resourceVersion
  // and deletionTimestamp have to stay. It runs on the I/O thread, so it must not wait. An object that it throws for,
  // or of which it changes one of those, is left out of the cache, as if it were not there, with an error in the log
  // and in pintle_informer_dropped_objects_total.
  std::function<void(json::Value&)> transform{};
};

}  // namespace pintle
