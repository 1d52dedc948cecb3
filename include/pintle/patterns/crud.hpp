// SPDX-License-Identifier: Apache-2.0
// The crud pattern: resources that compare a current state with a desired state. They are grouped in resource sets, one
// for each version of the operator; each object belongs to at most one set.
#pragma once

#include <pintle/patterns/crud/crd_client.hpp>
#include <pintle/patterns/crud/crud_resource.hpp>
#include <pintle/patterns/crud/errors.hpp>
#include <pintle/patterns/crud/framework.hpp>
#include <pintle/patterns/crud/metrics.hpp>
#include <pintle/patterns/crud/patch.hpp>
#include <pintle/patterns/crud/process.hpp>
#include <pintle/patterns/crud/reconcile_flags.hpp>
#include <pintle/patterns/crud/resource.hpp>
#include <pintle/patterns/crud/resource_router.hpp>
#include <pintle/patterns/crud/resource_set.hpp>
#include <pintle/patterns/crud/retry.hpp>
