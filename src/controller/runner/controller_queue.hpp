// SPDX-License-Identifier: Apache-2.0
// ControllerQueue: the queue of one controller.
#pragma once

#include <chrono>

#include <pintle/controller/reconcile_cause.hpp>
#include <pintle/object/object.hpp>
#include <pintle/queue/work_queue.hpp>

namespace pintle {

using ControllerQueue = WorkQueue<ObjectKey, ReconcileCause>;

// The minimum delay between reconciles of one key that repeatedly request the next one, or that are periodic.
inline constexpr Duration min_delay = std::chrono::milliseconds(10);

}  // namespace pintle
