// The kinds operators use every day, by their short names. Event and Lease are not among them: the framework writes
// those itself.
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
using api::core::v1::Namespace;
using api::core::v1::Node;
using api::core::v1::PersistentVolume;
using api::core::v1::PersistentVolumeClaim;
using api::core::v1::Pod;
using api::core::v1::Secret;
using api::core::v1::Service;
using api::core::v1::ServiceAccount;
using api::networking::v1::Ingress;
using api::networking::v1::NetworkPolicy;
using api::policy::v1::PodDisruptionBudget;
using api::rbac::v1::ClusterRole;
using api::rbac::v1::ClusterRoleBinding;
using api::rbac::v1::Role;
using api::rbac::v1::RoleBinding;

}  // namespace pintle
