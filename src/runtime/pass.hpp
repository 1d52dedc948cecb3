// What a controller puts behind the Context of one pass.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/cache/informer.hpp>
#include <pintle/runtime/context.hpp>

#include "applier.hpp"
#include "event_recorder.hpp"

namespace pintle {

using Informers = std::map<GroupVersionKind, const Informer*>;

class Context::Pass {
 public:
  const Object& object;
  const std::vector<ReconcileCause>& causes;
  const Informers& informers;  // of the controller
  Client& client;
  Applier& applier;
  EventRecorder& events;
  const std::string& controller;
  const std::string& field_manager;
  Log log;
  std::stop_token stop;
};

}  // namespace pintle
