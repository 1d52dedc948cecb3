// SPDX-License-Identifier: Apache-2.0
// The external pattern: an object of the cluster represents a resource outside the cluster, which is managed through an
// API.
#pragma once

#include <pintle/patterns/external/reconciler.hpp>
#include <pintle/patterns/external/std_reconciler.hpp>
