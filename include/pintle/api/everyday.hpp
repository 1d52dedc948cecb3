// SPDX-License-Identifier: Apache-2.0
// The kinds that most operators use, the parts of a Pod, and three enumerations, by short names: pintle::Container.
// pintle.hpp contains only the smallest, small_kinds.hpp, because the others take half a second to compile.
// Event and Lease are not among them, because the framework itself writes these.
#pragma once

#include <pintle/api/apps/v1.hpp>
#include <pintle/api/batch/v1.hpp>
#include <pintle/api/core/v1.hpp>
#include <pintle/api/networking/v1.hpp>
#include <pintle/api/policy/v1.hpp>
#include <pintle/api/rbac/v1.hpp>
#include <pintle/api/small_kinds.hpp>

namespace pintle {

using api::core::v1::ContainerPort;
using api::core::v1::EnvVar;
using api::core::v1::PersistentVolume;
using api::core::v1::Probe;
using api::core::v1::ResourceRequirements;
using api::core::v1::Volume;
using api::core::v1::VolumeMount;
using api::networking::v1::Ingress;
using api::networking::v1::NetworkPolicy;
using api::policy::v1::PodDisruptionBudget;
using api::rbac::v1::ClusterRole;
using api::rbac::v1::ClusterRoleBinding;
using api::rbac::v1::Role;
using api::rbac::v1::RoleBinding;

using ImagePullPolicy = Container::ImagePullPolicy;
using RestartPolicy = PodSpec::RestartPolicy;
using ServiceType = ServiceSpec::Type;

}  // namespace pintle
