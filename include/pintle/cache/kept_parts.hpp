// KeptParts: how much of its objects a cache remembers.
#pragma once

#include <functional>

#include <pintle/json/reader.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// What a cache keeps of each object of a kind; what it leaves out costs no memory, and reads as missing.
struct KeptParts {
  json::Projection projection{.drop = {"/metadata/managedFields"}};  // with_identity(); the name must not be dropped
  // Changes what the projection left, before anybody sees it; apiVersion, kind, name, namespace, uid and
  // resourceVersion have to stay. It runs on the I/O thread, so it must not wait. An object for which it throws is not
  // in the cache, as if it were not there; that is logged with its name and counted.
  std::function<void(json::Value&)> transform{};
};

}  // namespace pintle
