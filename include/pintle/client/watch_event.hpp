// SPDX-License-Identifier: Apache-2.0
// WatchEvent: one event of a watch, with the object that it contains.
#pragma once

#include <pintle/object/object.hpp>

namespace pintle {

enum class WatchEventType { added, modified, deleted, bookmark };

struct WatchEvent {
  WatchEventType type{};
  Object object{};                   ///< deleted: the last state; bookmark: only a resourceVersion
  bool ends_initial_events = false;  ///< bookmark: all events of WatchOptions::send_initial_events have arrived
};

}  // namespace pintle
