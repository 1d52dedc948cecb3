// SPDX-License-Identifier: Apache-2.0
#include "storage_migrations.hpp"

#include <chrono>
#include <map>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/random.hpp>
#include <pintle/client/client.hpp>

#include "client/storage_progress.hpp"

namespace pintle {
namespace {

constexpr Backoff pauses{.base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::minutes(5), .jitter = 0.2};

// Returns whether the migration is done.
bool migrate(const std::string& crd, StorageProgress& progress, const RunnableContext& context) {
  const auto done = migrate_storage(context.client, crd, progress, context.stop);
  if (!done) {
    if (!context.stop.stop_requested()) {
      context.log.warning("cannot migrate the storage of a CRD; trying again",
                          {{"crd", crd}, {"error", done.error().to_string()}});
    }
    return false;
  }
  if (!done->removed.empty()) {
    context.log.info("the storage of a CRD is migrated",
                     {{"crd", crd}, {"version", done->version}, {"objects", done->objects}});
  }
  return true;
}

}  // namespace

Runnable storage_migrations(std::vector<std::string> crds) {
  return {.name = "storage migration",
          .body = [left = std::move(crds)](const RunnableContext& context) mutable -> Result<void> {
            unsigned failures = 0;
            std::map<std::string, StorageProgress> progress;
            while (true) {
              std::erase_if(left, [&](const std::string& crd) { return migrate(crd, progress[crd], context); });
              if (left.empty()) return {};
              const Duration pause = pauses.delay(failures++, Random::to_unit(context.executor.random()));
              if (!context.executor.sleep_for(pause, context.stop)) return {};
            }
          }};
}

}  // namespace pintle
