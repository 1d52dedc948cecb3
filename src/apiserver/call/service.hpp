// Service: the parts of the server that handlers and controllers use.
#pragma once

#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>

#include "apiserver/registry/catalog.hpp"
#include "apiserver/storage/storage.hpp"
#include "event_prints.hpp"
#include "notices.hpp"

namespace pintle::apiserver {

// Thread-safe, as all its parts are.
struct Service {
  Executor& executor;
  Storage& storage;
  Registry& registry;
  EventPrints& event_prints;
  const Log& log;
  Notices& notices;
};

// Returns a random uid (RFC 4122, version 4) from the seed of the executor.
[[nodiscard]] std::string make_uid(Executor& executor);

}  // namespace pintle::apiserver
