// SPDX-License-Identifier: Apache-2.0
// The kinds that most operators use, the parts of a Pod, and three enumerations, by short names: pintle::Container.
// Event and Lease are not among them, because the framework itself writes these.
#pragma once

#include <pintle/api/apps/v1.hpp>
#include <pintle/api/batch/v1.hpp>
#include <pintle/api/core/v1.hpp>
#include <pintle/api/networking/v1.hpp>
#include <pintle/api/policy/v1.hpp>
#include <pintle/api/rbac/v1.hpp>

namespace pintle {

using api::apps::v1::DaemonSet;
using api::apps::v1::Deployment;
using api::apps::v1::ReplicaSet;
using api::apps::v1::StatefulSet;
using api::batch::v1::CronJob;
using api::batch::v1::Job;
using api::core::v1::ConfigMap;
using api::core::v1::Container;
using api::core::v1::ContainerPort;
using api::core::v1::EnvVar;
using api::core::v1::Namespace;
using api::core::v1::Node;
using api::core::v1::PersistentVolume;
using api::core::v1::PersistentVolumeClaim;
using api::core::v1::Pod;
using api::core::v1::PodSpec;
using api::core::v1::PodTemplateSpec;
using api::core::v1::Probe;
using api::core::v1::ResourceRequirements;
using api::core::v1::Secret;
using api::core::v1::Service;
using api::core::v1::ServiceAccount;
using api::core::v1::ServicePort;
using api::core::v1::ServiceSpec;
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
