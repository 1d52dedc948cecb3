// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include <algorithm>
#include <iterator>

namespace pintle::apiserver {
namespace {

constexpr std::string_view apps = "apps";
constexpr std::string_view admission = "admissionregistration.k8s.io";
constexpr std::string_view flow_control = "flowcontrol.apiserver.k8s.io";
constexpr std::string_view networking = "networking.k8s.io";
constexpr std::string_view rbac = "rbac.authorization.k8s.io";
constexpr std::string_view storage_group = "storage.k8s.io";

// For KindRules::status_metadata. A kind drops the other members.
constexpr std::string_view no_metadata{};
constexpr std::string_view all_but_labels = "annotations ownerReferences finalizers";
constexpr std::string_view all_but_owners = "labels annotations finalizers";

constexpr FieldRule event_fields[] = {{"source", "/source/component", "", "/reportingComponent"},
                                      {"regarding.kind", "/involvedObject/kind", ""},
                                      {"regarding.namespace", "/involvedObject/namespace", ""},
                                      {"regarding.name", "/involvedObject/name", ""},
                                      {"reportingController", "/reportingComponent", ""}};
constexpr FieldRule job_fields[] = {{"status.successful", "/status/succeeded", "0"}};
constexpr FieldRule namespace_fields[] = {{"name", "/metadata/name", ""}};
constexpr FieldRule node_fields[] = {{"spec.unschedulable", "/spec/unschedulable", "false"}};
constexpr FieldRule pod_fields[] = {{"spec.hostNetwork", "/spec/hostNetwork", "false"},
                                    {"status.podIPs", "/status/podIPs/0/ip", ""}};
constexpr FieldRule replicas_fields[] = {{"status.replicas", "/status/replicas", "0"}};

// No document describes which updates a kind accepts and whether its changes are counted. The rows follow the behavior
// of kube-apiserver.
constexpr KindRules rules[] = {
    {.kind = "ConfigMap", .strategy = config_map_strategy},
    {.kind = "ComponentStatus",
     .strategy = component_status_strategy,
     .deprecation = "v1 ComponentStatus is deprecated in v1.19+"},
    {.kind = "Endpoints",
     .strategy = endpoints_strategy,
     .puts = true,
     .deprecation = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"},
    {.kind = "Event", .strategy = event_strategy, .stored_as = "v1", .puts = true, .fields = event_fields},
    {.kind = "LimitRange", .strategy = limit_range_strategy, .puts = true},
    {.kind = "Namespace",
     .strategy = namespace_strategy,
     .fields = namespace_fields,
     .status_metadata = all_but_owners},
    {.kind = "Node", .strategy = node_strategy, .fields = node_fields},
    {.kind = "PersistentVolume", .strategy = volume_strategy},
    {.kind = "PersistentVolumeClaim", .strategy = volume_claim_strategy},
    {.kind = "Pod",
     .strategy = pod_strategy,
     .has_generation = true,
     .fields = pod_fields,
     .status_metadata = all_but_owners},
    {.kind = "PodTemplate", .strategy = pod_template_strategy, .has_generation = true, .puts = true},
    {.kind = "ReplicationController", .strategy = replicas_strategy, .has_generation = true, .fields = replicas_fields},
    {.kind = "ResourceQuota", .strategy = resource_quota_strategy},
    {.kind = "Secret", .strategy = secret_strategy},
    {.kind = "Service", .strategy = service_strategy, .puts = true},
    {.group = admission,
     .kind = "MutatingAdmissionPolicy",
     .strategy = mutating_policy_strategy,
     .has_generation = true,
     .needs_version = true},
    {.group = admission,
     .kind = "MutatingAdmissionPolicyBinding",
     .strategy = policy_binding_strategy,
     .has_generation = true,
     .needs_version = true},
    {.group = admission,
     .kind = "MutatingWebhookConfiguration",
     .strategy = webhooks_strategy,
     .has_generation = true,
     .needs_version = true},
    {.group = admission,
     .kind = "ValidatingAdmissionPolicy",
     .strategy = validating_policy_strategy,
     .has_generation = true,
     .needs_version = true,
     .status_metadata = no_metadata},
    {.group = admission,
     .kind = "ValidatingAdmissionPolicyBinding",
     .strategy = policy_binding_strategy,
     .has_generation = true,
     .needs_version = true},
    {.group = admission,
     .kind = "ValidatingWebhookConfiguration",
     .strategy = webhooks_strategy,
     .has_generation = true,
     .needs_version = true},
    {.group = "apiregistration.k8s.io",
     .kind = "APIService",
     .strategy = api_service_strategy,
     .status_metadata = no_metadata},
    {.group = "apiextensions.k8s.io",
     .kind = "CustomResourceDefinition",
     .strategy = definition_strategy,
     .has_generation = true,
     .needs_version = true},
    {.group = apps, .kind = "DaemonSet", .strategy = daemon_set_strategy, .has_generation = true},
    {.group = apps,
     .kind = "Deployment",
     .strategy = deployment_strategy,
     .has_generation = true,
     .status_metadata = all_but_labels},
    {.group = apps, .kind = "ReplicaSet", .strategy = replicas_strategy, .has_generation = true},
    {.group = apps, .kind = "StatefulSet", .strategy = stateful_set_strategy, .has_generation = true},
    {.group = "autoscaling",
     .kind = "HorizontalPodAutoscaler",
     .strategy = autoscaler_strategy,
     .stored_as = "autoscaling/v2"},
    {.group = "batch", .kind = "CronJob", .strategy = cron_job_strategy, .has_generation = true},
    {.group = "batch", .kind = "Job", .strategy = job_strategy, .has_generation = true, .fields = job_fields},
    {.group = "certificates.k8s.io", .kind = "CertificateSigningRequest", .strategy = certificate_strategy},
    {.group = "coordination.k8s.io", .kind = "Lease", .strategy = lease_strategy, .needs_version = true, .puts = true},
    {.group = "discovery.k8s.io", .kind = "EndpointSlice", .strategy = endpoint_slice_strategy, .has_generation = true},
    {.group = "events.k8s.io",
     .kind = "Event",
     .strategy = event_strategy,
     .stored_as = "v1",
     .collection = "events",
     .puts = true,
     .fields = event_fields},
    {.group = flow_control,
     .kind = "FlowSchema",
     .has_generation = true,
     .needs_version = true,
     .status_metadata = no_metadata},
    {.group = flow_control,
     .kind = "PriorityLevelConfiguration",
     .has_generation = true,
     .needs_version = true,
     .status_metadata = no_metadata},
    {.group = networking, .kind = "Ingress", .strategy = ingress_strategy, .has_generation = true},
    {.group = networking, .kind = "IngressClass", .has_generation = true},
    {.group = networking, .kind = "NetworkPolicy", .strategy = network_policy_strategy, .has_generation = true},
    {.group = "policy",
     .kind = "PodDisruptionBudget",
     .strategy = disruption_budget_strategy,
     .has_generation = true,
     .needs_version = true},
    {.group = rbac, .kind = "ClusterRole", .strategy = role_strategy, .puts = true},
    {.group = rbac, .kind = "ClusterRoleBinding", .strategy = role_binding_strategy, .puts = true},
    {.group = rbac, .kind = "Role", .strategy = role_strategy, .puts = true},
    {.group = rbac, .kind = "RoleBinding", .strategy = role_binding_strategy, .puts = true},
    {.group = "resource.k8s.io", .kind = "ResourceClaim", .status_metadata = no_metadata},
    {.group = "scheduling.k8s.io",
     .kind = "PriorityClass",
     .strategy = priority_class_strategy,
     .has_generation = true},
    {.group = storage_group, .kind = "StorageClass", .strategy = storage_class_strategy},
    {.group = storage_group, .kind = "VolumeAttachment", .status_metadata = no_metadata},
};

}  // namespace

KindRules rules_of(std::string_view group, std::string_view kind) {
  const auto found = std::find_if(std::begin(rules), std::end(rules),
                                  [&](const KindRules& one) { return one.group == group && one.kind == kind; });
  return found == std::end(rules) ? KindRules{} : *found;
}

}  // namespace pintle::apiserver
