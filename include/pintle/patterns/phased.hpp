// SPDX-License-Identifier: Apache-2.0
// The phased pattern: an object of the cluster requires other objects in the cluster, which are created phase by phase.
#pragma once

#include <pintle/patterns/phased/list_diff.hpp>
#include <pintle/patterns/phased/list_phase.hpp>
#include <pintle/patterns/phased/reconciler.hpp>
#include <pintle/patterns/phased/std_reconciler.hpp>
