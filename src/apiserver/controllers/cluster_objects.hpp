// SPDX-License-Identifier: Apache-2.0
// The objects that a kube-apiserver creates when it starts.
#pragma once

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Creates the namespaces of a cluster.
void make_namespaces(Service& service);

// Creates the other objects: the Service kubernetes and its endpoints, PriorityClasses, flow control, APIServices of
// the built-in groups, the ServiceCIDR, and a ConfigMap. Objects that exist stay as they are.
void make_cluster_objects(Service& service);

// Creates the Service kubernetes and its endpoints again if a client has deleted them.
void keep_kubernetes_service(Service& service);

}  // namespace pintle::apiserver
