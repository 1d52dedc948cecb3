// SPDX-License-Identifier: Apache-2.0
// Schemas: the types of the table as OpenAPI schemas.
#pragma once

#include <map>
#include <memory>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/pool.hpp>

namespace pintle::apiserver {

// Makes a schema at its first use and keeps it. Schemas share common parts, such as the pod template. In addition to
// OpenAPI, a schema has the formats bytes, quantity, int-or-string and micro-time, and the marks of fit() and fill().
// Thread-safe. Servers of several simulations may share it; a simulation does not depend on which schemas are made
// already, because it does not notice the locks.
class Schemas {
 public:
  Schemas();

  // Returns the schema of a type; missing if the name is not in the table. Valid as long as this object.
  [[nodiscard]] json::View of(std::string_view type) const;

 private:
  const std::unique_ptr<Executor> executor_;
  mutable json::Pool pool_;
  mutable Mutex mutex_{};
  mutable std::map<std::string_view, json::Document> made_ PINTLE_GUARDED_BY(mutex_);  // by the name in the table
};

}  // namespace pintle::apiserver
