// SPDX-License-Identifier: Apache-2.0
// The guard pattern: steps that change systems outside the cluster, each under the lock of its own condition.
#pragma once

#include <pintle/patterns/guard/condition.hpp>
#include <pintle/patterns/guard/linked.hpp>
#include <pintle/patterns/guard/lock.hpp>
#include <pintle/patterns/guard/lock_registry.hpp>
#include <pintle/patterns/guard/pipeline.hpp>
#include <pintle/patterns/guard/provider.hpp>
#include <pintle/patterns/guard/provider_controller.hpp>
