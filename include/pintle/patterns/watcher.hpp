// SPDX-License-Identifier: Apache-2.0
// The watcher pattern: handlers that receive the events of objects, with separate retries for each handler.
#pragma once

#include <pintle/patterns/watcher/action.hpp>
#include <pintle/patterns/watcher/admission_controllers.hpp>
#include <pintle/patterns/watcher/common_metadata.hpp>
#include <pintle/patterns/watcher/finalizer.hpp>
#include <pintle/patterns/watcher/informer.hpp>
#include <pintle/patterns/watcher/informer_controller.hpp>
#include <pintle/patterns/watcher/list_map.hpp>
#include <pintle/patterns/watcher/operator.hpp>
#include <pintle/patterns/watcher/opinionated_admission.hpp>
#include <pintle/patterns/watcher/opinionated_reconciler.hpp>
#include <pintle/patterns/watcher/opinionated_watcher.hpp>
#include <pintle/patterns/watcher/patch_paths.hpp>
#include <pintle/patterns/watcher/reconciler.hpp>
#include <pintle/patterns/watcher/resource_watcher.hpp>
#include <pintle/patterns/watcher/retry.hpp>
#include <pintle/patterns/watcher/webhook_server.hpp>
