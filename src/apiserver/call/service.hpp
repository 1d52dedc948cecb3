// SPDX-License-Identifier: Apache-2.0
// Service: the parts of the server that handlers and controllers use.
#pragma once

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>

#include "apiserver/access/authorizer.hpp"
#include "apiserver/access/users.hpp"
#include "apiserver/admission/admission.hpp"
#include "apiserver/admission/quota/quotas.hpp"
#include "apiserver/conversion/converter.hpp"
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
  const Users& users;
  const Authorizer& authorizer;
  const ServiceTokens& tokens;
  Admission& admission;
  Quotas& quotas;
  Converter& converter;
  EventPrints& event_prints;
  const Log& log;
  Notices& notices;
};

}  // namespace pintle::apiserver
