// SPDX-License-Identifier: Apache-2.0
// The service pattern: an operator that offers a service to the users of an onboarding cluster, keeps its own
// configuration, secrets and requests in a platform cluster, and works, for each object of its API kind (an API
// object), in clusters that it requests. The code of the service itself is called the domain.
#pragma once

#include <pintle/patterns/service/api_reconciler.hpp>
#include <pintle/patterns/service/cluster_access.hpp>
#include <pintle/patterns/service/cluster_access_reconciler.hpp>
#include <pintle/patterns/service/config.hpp>
#include <pintle/patterns/service/operator_cluster_finder.hpp>
#include <pintle/patterns/service/requests.hpp>
#include <pintle/patterns/service/stable_names.hpp>
#include <pintle/patterns/service/status.hpp>
#include <pintle/patterns/service/user_resources.hpp>
