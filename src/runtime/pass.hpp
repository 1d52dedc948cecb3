// What a controller puts behind the Context of one pass.
#pragma once

#include <any>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include <pintle/cache/informer.hpp>
#include <pintle/runtime/context.hpp>
#include <pintle/runtime/status_writer.hpp>

#include "applier.hpp"
#include "event_recorder.hpp"

namespace pintle {

using Informers = std::map<GroupVersionKind, Informer*>;

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
  Span* span = nullptr;  // null: nobody traces
  NoSpan no_span{};
  std::optional<StatusDraft> status{};  // once it was asked for
  Instant deadline = Instant::max();
  std::map<std::type_index, std::any> slots{};

  // The one that holds the objects of a kind in a namespace ("": in all that it watches); null when the server has to
  // be asked.
  [[nodiscard]] Informer* informer(const GroupVersionKind& kind, std::string_view namespace_) const;
  // Passes on what a write answered; when it is about the object of this pass, the status is written on top of it.
  Result<Object> noted(Result<Object> answer);
};

}  // namespace pintle
