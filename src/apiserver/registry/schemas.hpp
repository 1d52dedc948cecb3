// Schemas: the types of the table as OpenAPI schemas.
#pragma once

#include <map>
#include <string_view>

#include <pintle/base/mutex.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/pool.hpp>

namespace pintle::apiserver {

// Makes a schema when it is first asked for, and keeps it. What several have in common, such as the pod template, they
// share. Beside what OpenAPI knows a schema has the formats bytes, quantity and micro-time, and the marks of fit() and
// fill(). Thread-safe.
class Schemas {
 public:
  explicit Schemas(Executor& executor);

  // Of a type of the table; missing for a name that is not there. Valid as long as this.
  [[nodiscard]] json::View of(std::string_view type) const;

 private:
  mutable json::Pool pool_;
  mutable Mutex mutex_;
  mutable std::map<std::string_view, json::Document> made_ PINTLE_GUARDED_BY(mutex_);  // by names in the table
};

}  // namespace pintle::apiserver
