// ControllerQueue: the queue of one controller.
#pragma once

#include <chrono>

#include <pintle/controller/reconcile_cause.hpp>
#include <pintle/object/object.hpp>
#include <pintle/queue/work_queue.hpp>

namespace pintle {

using ControllerQueue = WorkQueue<ObjectKey, ReconcileCause>;

// The shortest delay between reconciles of one key that ask for the next one, or that recur.
inline constexpr Duration least_delay = std::chrono::milliseconds(10);

}  // namespace pintle
