// SPDX-License-Identifier: Apache-2.0
// The smallest everyday kinds, by short names: pintle::ConfigMap. The header of an operator that creates Services,
// Deployments or other everyday kinds is <pintle/api/everyday.hpp>; these are only declared here, so that an error of
// the compiler names that header.
#pragma once

#include <pintle/api/core/v1/small_kinds.hpp>

namespace pintle {

namespace api {
namespace apps::v1 {
struct DaemonSet;    // defined in <pintle/api/everyday.hpp>
struct Deployment;   // defined in <pintle/api/everyday.hpp>
struct ReplicaSet;   // defined in <pintle/api/everyday.hpp>
struct StatefulSet;  // defined in <pintle/api/everyday.hpp>
}  // namespace apps::v1
namespace batch::v1 {
struct CronJob;  // defined in <pintle/api/everyday.hpp>
struct Job;      // defined in <pintle/api/everyday.hpp>
}  // namespace batch::v1
namespace core::v1 {
struct Container;              // defined in <pintle/api/everyday.hpp>
struct Node;                   // defined in <pintle/api/everyday.hpp>
struct PersistentVolumeClaim;  // defined in <pintle/api/everyday.hpp>
struct Pod;                    // defined in <pintle/api/everyday.hpp>
struct PodSpec;                // defined in <pintle/api/everyday.hpp>
struct PodTemplateSpec;        // defined in <pintle/api/everyday.hpp>
struct Service;                // defined in <pintle/api/everyday.hpp>
struct ServicePort;            // defined in <pintle/api/everyday.hpp>
struct ServiceSpec;            // defined in <pintle/api/everyday.hpp>
}  // namespace core::v1
}  // namespace api

using api::apps::v1::DaemonSet;
using api::apps::v1::Deployment;
using api::apps::v1::ReplicaSet;
using api::apps::v1::StatefulSet;
using api::batch::v1::CronJob;
using api::batch::v1::Job;
using api::core::v1::ConfigMap;
using api::core::v1::Container;
using api::core::v1::Namespace;
using api::core::v1::Node;
using api::core::v1::PersistentVolumeClaim;
using api::core::v1::Pod;
using api::core::v1::PodSpec;
using api::core::v1::PodTemplateSpec;
using api::core::v1::Secret;
using api::core::v1::Service;
using api::core::v1::ServiceAccount;
using api::core::v1::ServicePort;
using api::core::v1::ServiceSpec;

}  // namespace pintle
