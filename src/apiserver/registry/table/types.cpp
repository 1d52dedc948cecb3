// The types that built-in kinds are made of, by name. Written by scripts/generate-kinds; do not edit.
#include "table.hpp"

namespace pintle::apiserver {
namespace {

// clang-format off
constexpr TypeFacts all_types[] = {
    {"admissionregistration.v1.ApplyConfiguration", R"(expression string)"},
    {"admissionregistration.v1.AuditAnnotation", R"(key string ="" required
valueExpression string ="" required)"},
    {"admissionregistration.v1.ExpressionWarning", R"(fieldRef string ="" required
warning string ="" required)"},
    {"admissionregistration.v1.JSONPatch", R"(expression string)"},
    {"admissionregistration.v1.MatchCondition", R"(expression string ="" required
name string ="" required)"},
    {"admissionregistration.v1.MatchResources", R"(atomic
excludeResourceRules []admissionregistration.v1.NamedRuleWithOperations atomic
matchPolicy string enum:Equivalent|Exact
namespaceSelector meta.v1.LabelSelector
objectSelector meta.v1.LabelSelector
resourceRules []admissionregistration.v1.NamedRuleWithOperations atomic)"},
    {"admissionregistration.v1.MutatingAdmissionPolicy", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec admissionregistration.v1.MutatingAdmissionPolicySpec ={})"},
    {"admissionregistration.v1.MutatingAdmissionPolicyBinding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec admissionregistration.v1.MutatingAdmissionPolicyBindingSpec ={})"},
    {"admissionregistration.v1.MutatingAdmissionPolicyBindingSpec", R"(matchResources admissionregistration.v1.MatchResources
paramRef admissionregistration.v1.ParamRef
policyName string)"},
    {"admissionregistration.v1.MutatingAdmissionPolicySpec", R"(failurePolicy string enum:Fail|Ignore
matchConditions []admissionregistration.v1.MatchCondition keys:name merge:name
matchConstraints admissionregistration.v1.MatchResources
mutations []admissionregistration.v1.Mutation atomic
paramKind admissionregistration.v1.ParamKind
reinvocationPolicy string enum:IfNeeded|Never
variables []admissionregistration.v1.Variable atomic)"},
    {"admissionregistration.v1.MutatingWebhook", R"(admissionReviewVersions []string =null required atomic
clientConfig admissionregistration.v1.WebhookClientConfig ={} required
failurePolicy string enum:Fail|Ignore
matchConditions []admissionregistration.v1.MatchCondition keys:name merge:name
matchPolicy string enum:Equivalent|Exact
name string ="" required
namespaceSelector meta.v1.LabelSelector
objectSelector meta.v1.LabelSelector
reinvocationPolicy string enum:IfNeeded|Never
rules []admissionregistration.v1.RuleWithOperations atomic
sideEffects string =null required enum:None|NoneOnDryRun|Some|Unknown
timeoutSeconds int32)"},
    {"admissionregistration.v1.MutatingWebhookConfiguration", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
webhooks []admissionregistration.v1.MutatingWebhook keys:name merge:name)"},
    {"admissionregistration.v1.Mutation", R"(applyConfiguration admissionregistration.v1.ApplyConfiguration
jsonPatch admissionregistration.v1.JSONPatch
patchType string ="" required enum:ApplyConfiguration|JSONPatch)"},
    {"admissionregistration.v1.NamedRuleWithOperations", R"(atomic
apiGroups []string atomic
apiVersions []string atomic
operations []string atomic
resourceNames []string atomic
resources []string atomic
scope string enum:*|Cluster|Namespaced)"},
    {"admissionregistration.v1.ParamKind", R"(atomic
apiVersion string
kind string)"},
    {"admissionregistration.v1.ParamRef", R"(atomic
name string
namespace string
parameterNotFoundAction string
selector meta.v1.LabelSelector)"},
    {"admissionregistration.v1.RuleWithOperations", R"(apiGroups []string atomic
apiVersions []string atomic
operations []string atomic
resources []string atomic
scope string enum:*|Cluster|Namespaced)"},
    {"admissionregistration.v1.ServiceReference", R"(name string ="" required
namespace string ="" required
path string
port int32)"},
    {"admissionregistration.v1.TypeChecking", R"(expressionWarnings []admissionregistration.v1.ExpressionWarning atomic)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicy", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec admissionregistration.v1.ValidatingAdmissionPolicySpec ={}
status admissionregistration.v1.ValidatingAdmissionPolicyStatus ={})"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyBinding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec ={} required)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec", R"(matchResources admissionregistration.v1.MatchResources
paramRef admissionregistration.v1.ParamRef
policyName string =null required
validationActions []string =null required set)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicySpec", R"(auditAnnotations []admissionregistration.v1.AuditAnnotation atomic
failurePolicy string enum:Fail|Ignore
matchConditions []admissionregistration.v1.MatchCondition keys:name merge:name
matchConstraints admissionregistration.v1.MatchResources
paramKind admissionregistration.v1.ParamKind
validations []admissionregistration.v1.Validation atomic
variables []admissionregistration.v1.Variable keys:name merge:name)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyStatus", R"(conditions []meta.v1.Condition keys:type
observedGeneration int64
typeChecking admissionregistration.v1.TypeChecking)"},
    {"admissionregistration.v1.ValidatingWebhook", R"(admissionReviewVersions []string =null required atomic
clientConfig admissionregistration.v1.WebhookClientConfig ={} required
failurePolicy string enum:Fail|Ignore
matchConditions []admissionregistration.v1.MatchCondition keys:name merge:name
matchPolicy string enum:Equivalent|Exact
name string ="" required
namespaceSelector meta.v1.LabelSelector
objectSelector meta.v1.LabelSelector
rules []admissionregistration.v1.RuleWithOperations atomic
sideEffects string =null required enum:None|NoneOnDryRun|Some|Unknown
timeoutSeconds int32)"},
    {"admissionregistration.v1.ValidatingWebhookConfiguration", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
webhooks []admissionregistration.v1.ValidatingWebhook keys:name merge:name)"},
    {"admissionregistration.v1.Validation", R"(expression string ="" required
message string
messageExpression string
reason string)"},
    {"admissionregistration.v1.Variable", R"(atomic
expression string ="" required
name string ="" required)"},
    {"admissionregistration.v1.WebhookClientConfig", R"(caBundle bytes
service admissionregistration.v1.ServiceReference
url string)"},
    {"apiextensions.v1.CustomResourceColumnDefinition", R"(description string
format string
jsonPath string ="" required
name string ="" required
priority int32
type string ="" required)"},
    {"apiextensions.v1.CustomResourceConversion", R"(strategy string ="" required
webhook apiextensions.v1.WebhookConversion)"},
    {"apiextensions.v1.CustomResourceDefinition", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apiextensions.v1.CustomResourceDefinitionSpec ={} required
status apiextensions.v1.CustomResourceDefinitionStatus ={})"},
    {"apiextensions.v1.CustomResourceDefinitionCondition", R"(lastTransitionTime time
message string
observedGeneration int64
reason string
status string ="" required
type string ="" required)"},
    {"apiextensions.v1.CustomResourceDefinitionNames", R"(categories []string atomic
kind string ="" required
listKind string
plural string ="" required
shortNames []string atomic
singular string)"},
    {"apiextensions.v1.CustomResourceDefinitionSpec", R"(conversion apiextensions.v1.CustomResourceConversion
group string ="" required
names apiextensions.v1.CustomResourceDefinitionNames ={} required
preserveUnknownFields boolean
scope string ="" required
versions []apiextensions.v1.CustomResourceDefinitionVersion =null required atomic)"},
    {"apiextensions.v1.CustomResourceDefinitionStatus", R"(acceptedNames apiextensions.v1.CustomResourceDefinitionNames ={}
conditions []apiextensions.v1.CustomResourceDefinitionCondition keys:type
observedGeneration int64
storedVersions []string atomic)"},
    {"apiextensions.v1.CustomResourceDefinitionVersion", R"(additionalPrinterColumns []apiextensions.v1.CustomResourceColumnDefinition atomic
deprecated boolean
deprecationWarning string
name string ="" required
schema apiextensions.v1.CustomResourceValidation
selectableFields []apiextensions.v1.SelectableField atomic
served boolean =false required
storage boolean =false required
subresources apiextensions.v1.CustomResourceSubresources)"},
    {"apiextensions.v1.CustomResourceSubresourceScale", R"(labelSelectorPath string
specReplicasPath string ="" required
statusReplicasPath string ="" required)"},
    {"apiextensions.v1.CustomResourceSubresources", R"(scale apiextensions.v1.CustomResourceSubresourceScale
status object)"},
    {"apiextensions.v1.CustomResourceValidation", R"(openAPIV3Schema apiextensions.v1.JSONSchemaProps)"},
    {"apiextensions.v1.ExternalDocumentation", R"(description string
url string)"},
    {"apiextensions.v1.JSONSchemaProps", R"(opaque
$ref string
$schema string
additionalItems any
additionalProperties any
allOf []apiextensions.v1.JSONSchemaProps atomic
anyOf []apiextensions.v1.JSONSchemaProps atomic
default any
definitions {}apiextensions.v1.JSONSchemaProps
dependencies {}any
description string
enum []any atomic
example any
exclusiveMaximum boolean
exclusiveMinimum boolean
externalDocs apiextensions.v1.ExternalDocumentation
format string
id string
items any
maxItems int64
maxLength int64
maxProperties int64
maximum double
minItems int64
minLength int64
minProperties int64
minimum double
multipleOf double
not apiextensions.v1.JSONSchemaProps
nullable boolean
oneOf []apiextensions.v1.JSONSchemaProps atomic
pattern string
patternProperties {}apiextensions.v1.JSONSchemaProps
properties {}apiextensions.v1.JSONSchemaProps
required []string atomic
title string
type string
uniqueItems boolean
x-kubernetes-embedded-resource boolean
x-kubernetes-int-or-string boolean
x-kubernetes-list-map-keys []string atomic
x-kubernetes-list-type string
x-kubernetes-map-type string
x-kubernetes-preserve-unknown-fields boolean
x-kubernetes-validations []apiextensions.v1.ValidationRule keys:rule merge:rule)"},
    {"apiextensions.v1.SelectableField", R"(jsonPath string ="" required)"},
    {"apiextensions.v1.ServiceReference", R"(name string ="" required
namespace string ="" required
path string
port int32)"},
    {"apiextensions.v1.ValidationRule", R"(fieldPath string
message string
messageExpression string
optionalOldSelf boolean
reason string enum:FieldValueDuplicate|FieldValueForbidden|FieldValueInvalid|FieldValueRequired
rule string ="" required)"},
    {"apiextensions.v1.WebhookClientConfig", R"(caBundle bytes
service apiextensions.v1.ServiceReference
url string)"},
    {"apiextensions.v1.WebhookConversion", R"(clientConfig apiextensions.v1.WebhookClientConfig
conversionReviewVersions []string =null required atomic)"},
    {"apiregistration.v1.APIService", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apiregistration.v1.APIServiceSpec ={}
status apiregistration.v1.APIServiceStatus ={})"},
    {"apiregistration.v1.APIServiceCondition", R"(lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"apiregistration.v1.APIServiceSpec", R"(caBundle bytes atomic
group string
groupPriorityMinimum int32 =0 required
insecureSkipTLSVerify boolean
service apiregistration.v1.ServiceReference
version string
versionPriority int32 =0 required)"},
    {"apiregistration.v1.APIServiceStatus", R"(conditions []apiregistration.v1.APIServiceCondition keys:type merge:type)"},
    {"apiregistration.v1.ServiceReference", R"(name string
namespace string
port int32)"},
    {"apps.v1.ControllerRevision", R"(apiVersion string
data object
kind string
metadata meta.v1.ObjectMeta ={}
revision int64 =0 required)"},
    {"apps.v1.DaemonSet", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apps.v1.DaemonSetSpec ={}
status apps.v1.DaemonSetStatus ={})"},
    {"apps.v1.DaemonSetCondition", R"(lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"apps.v1.DaemonSetSpec", R"(minReadySeconds int32
revisionHistoryLimit int32
selector meta.v1.LabelSelector =null required
template core.v1.PodTemplateSpec ={} required
updateStrategy apps.v1.DaemonSetUpdateStrategy ={})"},
    {"apps.v1.DaemonSetStatus", R"(collisionCount int32
conditions []apps.v1.DaemonSetCondition keys:type merge:type
currentNumberScheduled int32 =0 required
desiredNumberScheduled int32 =0 required
numberAvailable int32
numberMisscheduled int32 =0 required
numberReady int32 =0 required
numberUnavailable int32
observedGeneration int64
updatedNumberScheduled int32)"},
    {"apps.v1.DaemonSetUpdateStrategy", R"(rollingUpdate apps.v1.RollingUpdateDaemonSet
type string enum:OnDelete|RollingUpdate)"},
    {"apps.v1.Deployment", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apps.v1.DeploymentSpec ={}
status apps.v1.DeploymentStatus ={})"},
    {"apps.v1.DeploymentCondition", R"(lastTransitionTime time
lastUpdateTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"apps.v1.DeploymentSpec", R"(minReadySeconds int32
paused boolean
progressDeadlineSeconds int32
replicas int32
revisionHistoryLimit int32
selector meta.v1.LabelSelector =null required
strategy apps.v1.DeploymentStrategy ={} retain
template core.v1.PodTemplateSpec ={} required)"},
    {"apps.v1.DeploymentStatus", R"(availableReplicas int32
collisionCount int32
conditions []apps.v1.DeploymentCondition keys:type merge:type
observedGeneration int64
readyReplicas int32
replicas int32
terminatingReplicas int32
unavailableReplicas int32
updatedReplicas int32)"},
    {"apps.v1.DeploymentStrategy", R"(rollingUpdate apps.v1.RollingUpdateDeployment
type string enum:Recreate|RollingUpdate)"},
    {"apps.v1.ReplicaSet", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apps.v1.ReplicaSetSpec ={}
status apps.v1.ReplicaSetStatus ={})"},
    {"apps.v1.ReplicaSetCondition", R"(lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"apps.v1.ReplicaSetSpec", R"(minReadySeconds int32
replicas int32
selector meta.v1.LabelSelector =null required
template core.v1.PodTemplateSpec ={})"},
    {"apps.v1.ReplicaSetStatus", R"(availableReplicas int32
conditions []apps.v1.ReplicaSetCondition keys:type merge:type
fullyLabeledReplicas int32
observedGeneration int64
readyReplicas int32
replicas int32 =0 required
terminatingReplicas int32)"},
    {"apps.v1.RollingUpdateDaemonSet", R"(maxSurge int-or-string
maxUnavailable int-or-string)"},
    {"apps.v1.RollingUpdateDeployment", R"(maxSurge int-or-string
maxUnavailable int-or-string)"},
    {"apps.v1.RollingUpdateStatefulSetStrategy", R"(maxUnavailable int-or-string
partition int32)"},
    {"apps.v1.StatefulSet", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apps.v1.StatefulSetSpec ={}
status apps.v1.StatefulSetStatus ={})"},
    {"apps.v1.StatefulSetCondition", R"(lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"apps.v1.StatefulSetOrdinals", R"(start int32 =0)"},
    {"apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy", R"(whenDeleted string
whenScaled string)"},
    {"apps.v1.StatefulSetSpec", R"(minReadySeconds int32
ordinals apps.v1.StatefulSetOrdinals
persistentVolumeClaimRetentionPolicy apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy
podManagementPolicy string enum:OrderedReady|Parallel
replicas int32
revisionHistoryLimit int32
selector meta.v1.LabelSelector =null required
serviceName string =""
template core.v1.PodTemplateSpec ={} required
updateStrategy apps.v1.StatefulSetUpdateStrategy ={}
volumeClaimTemplates []core.v1.PersistentVolumeClaim atomic)"},
    {"apps.v1.StatefulSetStatus", R"(availableReplicas int32 =0
collisionCount int32
conditions []apps.v1.StatefulSetCondition keys:type merge:type
currentReplicas int32
currentRevision string
observedGeneration int64
readyReplicas int32
replicas int32 =0 required
updateRevision string
updatedReplicas int32)"},
    {"apps.v1.StatefulSetUpdateStrategy", R"(rollingUpdate apps.v1.RollingUpdateStatefulSetStrategy
type string enum:OnDelete|RollingUpdate)"},
    {"authentication.v1.BoundObjectReference", R"(apiVersion string
kind string
name string
uid string)"},
    {"authentication.v1.SelfSubjectReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
status authentication.v1.SelfSubjectReviewStatus ={})"},
    {"authentication.v1.SelfSubjectReviewStatus", R"(userInfo authentication.v1.UserInfo ={})"},
    {"authentication.v1.TokenRequest", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authentication.v1.TokenRequestSpec ={}
status authentication.v1.TokenRequestStatus ={})"},
    {"authentication.v1.TokenRequestSpec", R"(audiences []string atomic
boundObjectRef authentication.v1.BoundObjectReference
expirationSeconds int64)"},
    {"authentication.v1.TokenRequestStatus", R"(expirationTimestamp time
token string ="")"},
    {"authentication.v1.TokenReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authentication.v1.TokenReviewSpec ={} required
status authentication.v1.TokenReviewStatus ={})"},
    {"authentication.v1.TokenReviewSpec", R"(audiences []string atomic
token string =null required)"},
    {"authentication.v1.TokenReviewStatus", R"(audiences []string atomic
authenticated boolean
error string
user authentication.v1.UserInfo ={})"},
    {"authentication.v1.UserInfo", R"(extra {}[]string
groups []string atomic
uid string
username string)"},
    {"authorization.v1.FieldSelectorAttributes", R"(rawSelector string
requirements []meta.v1.FieldSelectorRequirement atomic)"},
    {"authorization.v1.LabelSelectorAttributes", R"(rawSelector string
requirements []meta.v1.LabelSelectorRequirement atomic)"},
    {"authorization.v1.LocalSubjectAccessReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authorization.v1.SubjectAccessReviewSpec ={} required
status authorization.v1.SubjectAccessReviewStatus ={})"},
    {"authorization.v1.NonResourceAttributes", R"(path string
verb string)"},
    {"authorization.v1.NonResourceRule", R"(nonResourceURLs []string atomic
verbs []string =null required atomic)"},
    {"authorization.v1.ResourceAttributes", R"(fieldSelector authorization.v1.FieldSelectorAttributes
group string
labelSelector authorization.v1.LabelSelectorAttributes
name string
namespace string
resource string
subresource string
verb string
version string)"},
    {"authorization.v1.ResourceRule", R"(apiGroups []string atomic
resourceNames []string atomic
resources []string atomic
verbs []string =null required atomic)"},
    {"authorization.v1.SelfSubjectAccessReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authorization.v1.SelfSubjectAccessReviewSpec ={} required
status authorization.v1.SubjectAccessReviewStatus ={})"},
    {"authorization.v1.SelfSubjectAccessReviewSpec", R"(nonResourceAttributes authorization.v1.NonResourceAttributes
resourceAttributes authorization.v1.ResourceAttributes)"},
    {"authorization.v1.SelfSubjectRulesReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authorization.v1.SelfSubjectRulesReviewSpec ={} required
status authorization.v1.SubjectRulesReviewStatus ={})"},
    {"authorization.v1.SelfSubjectRulesReviewSpec", R"(namespace string)"},
    {"authorization.v1.SubjectAccessReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authorization.v1.SubjectAccessReviewSpec ={} required
status authorization.v1.SubjectAccessReviewStatus ={})"},
    {"authorization.v1.SubjectAccessReviewSpec", R"(extra {}[]string
groups []string atomic
nonResourceAttributes authorization.v1.NonResourceAttributes
resourceAttributes authorization.v1.ResourceAttributes
uid string
user string)"},
    {"authorization.v1.SubjectAccessReviewStatus", R"(allowed boolean =false required
denied boolean
evaluationError string
reason string)"},
    {"authorization.v1.SubjectRulesReviewStatus", R"(evaluationError string
incomplete boolean =false required
nonResourceRules []authorization.v1.NonResourceRule =null required atomic
resourceRules []authorization.v1.ResourceRule =null required atomic)"},
    {"autoscaling.v1.CrossVersionObjectReference", R"(atomic
apiVersion string
kind string ="" required
name string ="" required)"},
    {"autoscaling.v1.HorizontalPodAutoscaler", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec autoscaling.v1.HorizontalPodAutoscalerSpec ={} required
status autoscaling.v1.HorizontalPodAutoscalerStatus ={})"},
    {"autoscaling.v1.HorizontalPodAutoscalerSpec", R"(maxReplicas int32 =0 required
minReplicas int32
scaleTargetRef autoscaling.v1.CrossVersionObjectReference ={} required
targetCPUUtilizationPercentage int32)"},
    {"autoscaling.v1.HorizontalPodAutoscalerStatus", R"(currentCPUUtilizationPercentage int32
currentReplicas int32 =0 required
desiredReplicas int32 =0 required
lastScaleTime time
observedGeneration int64)"},
    {"autoscaling.v1.Scale", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec autoscaling.v1.ScaleSpec ={}
status autoscaling.v1.ScaleStatus ={})"},
    {"autoscaling.v1.ScaleSpec", R"(replicas int32 =0)"},
    {"autoscaling.v1.ScaleStatus", R"(replicas int32 =0 required
selector string)"},
    {"autoscaling.v2.ContainerResourceMetricSource", R"(container string ="" required
name string ="" required
target autoscaling.v2.MetricTarget ={} required)"},
    {"autoscaling.v2.ContainerResourceMetricStatus", R"(container string ="" required
current autoscaling.v2.MetricValueStatus ={} required
name string ="" required)"},
    {"autoscaling.v2.CrossVersionObjectReference", R"(apiVersion string
kind string ="" required
name string ="" required)"},
    {"autoscaling.v2.ExternalMetricSource", R"(metric autoscaling.v2.MetricIdentifier ={} required
target autoscaling.v2.MetricTarget ={} required)"},
    {"autoscaling.v2.ExternalMetricStatus", R"(current autoscaling.v2.MetricValueStatus ={} required
metric autoscaling.v2.MetricIdentifier ={} required)"},
    {"autoscaling.v2.HPAScalingPolicy", R"(periodSeconds int32 =0 required
type string ="" required
value int32 =0 required)"},
    {"autoscaling.v2.HPAScalingRules", R"(policies []autoscaling.v2.HPAScalingPolicy atomic
selectPolicy string
stabilizationWindowSeconds int32
tolerance quantity)"},
    {"autoscaling.v2.HorizontalPodAutoscaler", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec autoscaling.v2.HorizontalPodAutoscalerSpec ={} required
status autoscaling.v2.HorizontalPodAutoscalerStatus ={})"},
    {"autoscaling.v2.HorizontalPodAutoscalerBehavior", R"(scaleDown autoscaling.v2.HPAScalingRules
scaleUp autoscaling.v2.HPAScalingRules)"},
    {"autoscaling.v2.HorizontalPodAutoscalerCondition", R"(lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"autoscaling.v2.HorizontalPodAutoscalerSpec", R"(behavior autoscaling.v2.HorizontalPodAutoscalerBehavior
maxReplicas int32 =0 required
metrics []autoscaling.v2.MetricSpec atomic
minReplicas int32
scaleTargetRef autoscaling.v2.CrossVersionObjectReference ={} required)"},
    {"autoscaling.v2.HorizontalPodAutoscalerStatus", R"(conditions []autoscaling.v2.HorizontalPodAutoscalerCondition keys:type merge:type
currentMetrics []autoscaling.v2.MetricStatus =null atomic
currentReplicas int32
desiredReplicas int32 =0 required
lastScaleTime time
observedGeneration int64)"},
    {"autoscaling.v2.MetricIdentifier", R"(name string ="" required
selector meta.v1.LabelSelector)"},
    {"autoscaling.v2.MetricSpec", R"(containerResource autoscaling.v2.ContainerResourceMetricSource
external autoscaling.v2.ExternalMetricSource
object autoscaling.v2.ObjectMetricSource
pods autoscaling.v2.PodsMetricSource
resource autoscaling.v2.ResourceMetricSource
type string ="" required)"},
    {"autoscaling.v2.MetricStatus", R"(containerResource autoscaling.v2.ContainerResourceMetricStatus
external autoscaling.v2.ExternalMetricStatus
object autoscaling.v2.ObjectMetricStatus
pods autoscaling.v2.PodsMetricStatus
resource autoscaling.v2.ResourceMetricStatus
type string ="" required)"},
    {"autoscaling.v2.MetricTarget", R"(averageUtilization int32
averageValue quantity
type string ="" required
value quantity)"},
    {"autoscaling.v2.MetricValueStatus", R"(averageUtilization int32
averageValue quantity
value quantity)"},
    {"autoscaling.v2.ObjectMetricSource", R"(describedObject autoscaling.v2.CrossVersionObjectReference ={} required
metric autoscaling.v2.MetricIdentifier ={} required
target autoscaling.v2.MetricTarget ={} required)"},
    {"autoscaling.v2.ObjectMetricStatus", R"(current autoscaling.v2.MetricValueStatus ={} required
describedObject autoscaling.v2.CrossVersionObjectReference ={} required
metric autoscaling.v2.MetricIdentifier ={} required)"},
    {"autoscaling.v2.PodsMetricSource", R"(metric autoscaling.v2.MetricIdentifier ={} required
target autoscaling.v2.MetricTarget ={} required)"},
    {"autoscaling.v2.PodsMetricStatus", R"(current autoscaling.v2.MetricValueStatus ={} required
metric autoscaling.v2.MetricIdentifier ={} required)"},
    {"autoscaling.v2.ResourceMetricSource", R"(name string ="" required
target autoscaling.v2.MetricTarget ={} required)"},
    {"autoscaling.v2.ResourceMetricStatus", R"(current autoscaling.v2.MetricValueStatus ={} required
name string ="" required)"},
    {"batch.v1.CronJob", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec batch.v1.CronJobSpec ={} required
status batch.v1.CronJobStatus ={})"},
    {"batch.v1.CronJobSpec", R"(concurrencyPolicy string enum:Allow|Forbid|Replace
failedJobsHistoryLimit int32
jobTemplate batch.v1.JobTemplateSpec ={} required
schedule string ="" required
startingDeadlineSeconds int64
successfulJobsHistoryLimit int32
suspend boolean
timeZone string)"},
    {"batch.v1.CronJobStatus", R"(active []core.v1.ObjectReference atomic
lastScheduleTime time
lastSuccessfulTime time)"},
    {"batch.v1.Job", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec batch.v1.JobSpec ={}
status batch.v1.JobStatus ={})"},
    {"batch.v1.JobCondition", R"(lastProbeTime time
lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"batch.v1.JobSpec", R"(activeDeadlineSeconds int64
backoffLimit int32
backoffLimitPerIndex int32
completionMode string enum:Indexed|NonIndexed
completions int32
managedBy string
manualSelector boolean
maxFailedIndexes int32
parallelism int32
podFailurePolicy batch.v1.PodFailurePolicy
podReplacementPolicy string enum:Failed|TerminatingOrFailed
selector meta.v1.LabelSelector
successPolicy batch.v1.SuccessPolicy
suspend boolean
template core.v1.PodTemplateSpec ={} required
ttlSecondsAfterFinished int32)"},
    {"batch.v1.JobStatus", R"(active int32
completedIndexes string
completionTime time
conditions []batch.v1.JobCondition atomic merge:type
failed int32
failedIndexes string
ready int32
startTime time
succeeded int32
terminating int32
uncountedTerminatedPods batch.v1.UncountedTerminatedPods)"},
    {"batch.v1.JobTemplateSpec", R"(metadata meta.v1.ObjectMeta ={}
spec batch.v1.JobSpec ={})"},
    {"batch.v1.PodFailurePolicy", R"(rules []batch.v1.PodFailurePolicyRule =null required atomic)"},
    {"batch.v1.PodFailurePolicyOnExitCodesRequirement", R"(containerName string
operator string ="" required enum:In|NotIn
values []int32 =null required set)"},
    {"batch.v1.PodFailurePolicyOnPodConditionsPattern", R"(status string =""
type string ="" required)"},
    {"batch.v1.PodFailurePolicyRule", R"(action string ="" required enum:Count|FailIndex|FailJob|Ignore
onExitCodes batch.v1.PodFailurePolicyOnExitCodesRequirement
onPodConditions []batch.v1.PodFailurePolicyOnPodConditionsPattern atomic)"},
    {"batch.v1.SuccessPolicy", R"(rules []batch.v1.SuccessPolicyRule =null required atomic)"},
    {"batch.v1.SuccessPolicyRule", R"(succeededCount int32
succeededIndexes string)"},
    {"batch.v1.UncountedTerminatedPods", R"(failed []string set
succeeded []string set)"},
    {"certificates.v1.CertificateSigningRequest", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec certificates.v1.CertificateSigningRequestSpec ={} required
status certificates.v1.CertificateSigningRequestStatus ={})"},
    {"certificates.v1.CertificateSigningRequestCondition", R"(lastTransitionTime time
lastUpdateTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"certificates.v1.CertificateSigningRequestSpec", R"(expirationSeconds int32
extra {}[]string
groups []string atomic
request bytes =null required
signerName string ="" required
uid string
usages []string atomic
username string)"},
    {"certificates.v1.CertificateSigningRequestStatus", R"(certificate bytes
conditions []certificates.v1.CertificateSigningRequestCondition keys:type)"},
    {"coordination.v1.Lease", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec coordination.v1.LeaseSpec ={})"},
    {"coordination.v1.LeaseSpec", R"(acquireTime microtime
holderIdentity string keep
leaseDurationSeconds int32
leaseTransitions int32
preferredHolder string keep
renewTime microtime
strategy string keep)"},
    {"core.v1.AWSElasticBlockStoreVolumeSource", R"(fsType string
partition int32
readOnly boolean
volumeID string ="" required)"},
    {"core.v1.Affinity", R"(nodeAffinity core.v1.NodeAffinity
podAffinity core.v1.PodAffinity
podAntiAffinity core.v1.PodAntiAffinity)"},
    {"core.v1.AppArmorProfile", R"(localhostProfile string
type string ="" required enum:Localhost|RuntimeDefault|Unconfined)"},
    {"core.v1.AttachedVolume", R"(devicePath string ="" required
name string ="" required)"},
    {"core.v1.AzureDiskVolumeSource", R"(cachingMode string ="ReadWrite" enum:None|ReadOnly|ReadWrite
diskName string ="" required
diskURI string ="" required
fsType string ="ext4"
kind string ="Shared" enum:Dedicated|Managed|Shared
readOnly boolean =false)"},
    {"core.v1.AzureFilePersistentVolumeSource", R"(readOnly boolean
secretName string ="" required
secretNamespace string
shareName string ="" required)"},
    {"core.v1.AzureFileVolumeSource", R"(readOnly boolean
secretName string ="" required
shareName string ="" required)"},
    {"core.v1.Binding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
target core.v1.ObjectReference ={} required)"},
    {"core.v1.CSIPersistentVolumeSource", R"(controllerExpandSecretRef core.v1.SecretReference
controllerPublishSecretRef core.v1.SecretReference
driver string ="" required
fsType string
nodeExpandSecretRef core.v1.SecretReference
nodePublishSecretRef core.v1.SecretReference
nodeStageSecretRef core.v1.SecretReference
readOnly boolean
volumeAttributes {}string
volumeHandle string ="" required)"},
    {"core.v1.CSIVolumeSource", R"(driver string ="" required
fsType string
nodePublishSecretRef core.v1.LocalObjectReference
readOnly boolean
volumeAttributes {}string)"},
    {"core.v1.Capabilities", R"(add []string atomic
drop []string atomic)"},
    {"core.v1.CephFSPersistentVolumeSource", R"(monitors []string =null required atomic
path string
readOnly boolean
secretFile string
secretRef core.v1.SecretReference
user string)"},
    {"core.v1.CephFSVolumeSource", R"(monitors []string =null required atomic
path string
readOnly boolean
secretFile string
secretRef core.v1.LocalObjectReference
user string)"},
    {"core.v1.CinderPersistentVolumeSource", R"(fsType string
readOnly boolean
secretRef core.v1.SecretReference
volumeID string ="" required)"},
    {"core.v1.CinderVolumeSource", R"(fsType string
readOnly boolean
secretRef core.v1.LocalObjectReference
volumeID string ="" required)"},
    {"core.v1.ClientIPConfig", R"(timeoutSeconds int32)"},
    {"core.v1.ClusterTrustBundleProjection", R"(labelSelector meta.v1.LabelSelector
name string
optional boolean
path string ="" required
signerName string)"},
    {"core.v1.ComponentCondition", R"(error string
message string
status string ="" required
type string ="" required)"},
    {"core.v1.ComponentStatus", R"(apiVersion string
conditions []core.v1.ComponentCondition keys:type merge:type
kind string
metadata meta.v1.ObjectMeta ={})"},
    {"core.v1.ConfigMap", R"(apiVersion string
binaryData {}bytes
data {}string
immutable boolean
kind string
metadata meta.v1.ObjectMeta ={})"},
    {"core.v1.ConfigMapEnvSource", R"(name string
optional boolean)"},
    {"core.v1.ConfigMapKeySelector", R"(atomic
key string ="" required
name string
optional boolean)"},
    {"core.v1.ConfigMapNodeConfigSource", R"(kubeletConfigKey string ="" required
name string ="" required
namespace string ="" required
resourceVersion string
uid string)"},
    {"core.v1.ConfigMapProjection", R"(items []core.v1.KeyToPath atomic
name string
optional boolean)"},
    {"core.v1.ConfigMapVolumeSource", R"(defaultMode int32
items []core.v1.KeyToPath atomic
name string
optional boolean)"},
    {"core.v1.Container", R"(args []string atomic
command []string atomic
env []core.v1.EnvVar keys:name merge:name
envFrom []core.v1.EnvFromSource atomic
image string
imagePullPolicy string enum:Always|IfNotPresent|Never
lifecycle core.v1.Lifecycle
livenessProbe core.v1.Probe
name string ="" required
ports []core.v1.ContainerPort keys:containerPort,protocol merge:containerPort
readinessProbe core.v1.Probe
resizePolicy []core.v1.ContainerResizePolicy atomic
resources core.v1.ResourceRequirements ={}
restartPolicy string
restartPolicyRules []core.v1.ContainerRestartRule atomic
securityContext core.v1.SecurityContext
startupProbe core.v1.Probe
stdin boolean
stdinOnce boolean
terminationMessagePath string
terminationMessagePolicy string enum:FallbackToLogsOnError|File
tty boolean
volumeDevices []core.v1.VolumeDevice keys:devicePath merge:devicePath
volumeMounts []core.v1.VolumeMount keys:mountPath merge:mountPath
workingDir string)"},
    {"core.v1.ContainerExtendedResourceRequest", R"(containerName string ="" required
requestName string ="" required
resourceName string ="" required)"},
    {"core.v1.ContainerImage", R"(names []string atomic
sizeBytes int64)"},
    {"core.v1.ContainerPort", R"(containerPort int32 =0 required
hostIP string
hostPort int32
name string
protocol string ="TCP" enum:SCTP|TCP|UDP)"},
    {"core.v1.ContainerResizePolicy", R"(resourceName string ="" required
restartPolicy string ="" required)"},
    {"core.v1.ContainerRestartRule", R"(action string =null required
exitCodes core.v1.ContainerRestartRuleOnExitCodes)"},
    {"core.v1.ContainerRestartRuleOnExitCodes", R"(operator string =null required
values []int32 set)"},
    {"core.v1.ContainerState", R"(running core.v1.ContainerStateRunning
terminated core.v1.ContainerStateTerminated
waiting core.v1.ContainerStateWaiting)"},
    {"core.v1.ContainerStateRunning", R"(startedAt time)"},
    {"core.v1.ContainerStateTerminated", R"(containerID string
exitCode int32 =0 required
finishedAt time
message string
reason string
signal int32
startedAt time)"},
    {"core.v1.ContainerStateWaiting", R"(message string
reason string)"},
    {"core.v1.ContainerStatus", R"(allocatedResources {}quantity
allocatedResourcesStatus []core.v1.ResourceStatus keys:name merge:name
containerID string
image string ="" required
imageID string ="" required
lastState core.v1.ContainerState ={}
name string ="" required
ready boolean =false required
resources core.v1.ResourceRequirements
restartCount int32 =0 required
started boolean
state core.v1.ContainerState ={}
stopSignal string enum:SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ
user core.v1.ContainerUser
volumeMounts []core.v1.VolumeMountStatus keys:mountPath merge:mountPath)"},
    {"core.v1.ContainerUser", R"(linux core.v1.LinuxContainerUser)"},
    {"core.v1.DaemonEndpoint", R"(Port int32 =0 required)"},
    {"core.v1.DownwardAPIProjection", R"(items []core.v1.DownwardAPIVolumeFile atomic)"},
    {"core.v1.DownwardAPIVolumeFile", R"(fieldRef core.v1.ObjectFieldSelector
mode int32
path string ="" required
resourceFieldRef core.v1.ResourceFieldSelector)"},
    {"core.v1.DownwardAPIVolumeSource", R"(defaultMode int32
items []core.v1.DownwardAPIVolumeFile atomic)"},
    {"core.v1.EmptyDirVolumeSource", R"(medium string
sizeLimit quantity)"},
    {"core.v1.EndpointAddress", R"(atomic
hostname string
ip string ="" required
nodeName string
targetRef core.v1.ObjectReference)"},
    {"core.v1.EndpointPort", R"(atomic
appProtocol string keep
name string
port int32 =0 required
protocol string enum:SCTP|TCP|UDP)"},
    {"core.v1.EndpointSubset", R"(addresses []core.v1.EndpointAddress atomic
notReadyAddresses []core.v1.EndpointAddress atomic
ports []core.v1.EndpointPort atomic)"},
    {"core.v1.Endpoints", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
subsets []core.v1.EndpointSubset atomic)"},
    {"core.v1.EnvFromSource", R"(configMapRef core.v1.ConfigMapEnvSource
prefix string
secretRef core.v1.SecretEnvSource)"},
    {"core.v1.EnvVar", R"(name string ="" required
value string
valueFrom core.v1.EnvVarSource)"},
    {"core.v1.EnvVarSource", R"(configMapKeyRef core.v1.ConfigMapKeySelector
fieldRef core.v1.ObjectFieldSelector
fileKeyRef core.v1.FileKeySelector
resourceFieldRef core.v1.ResourceFieldSelector
secretKeyRef core.v1.SecretKeySelector)"},
    {"core.v1.EphemeralContainer", R"(args []string atomic
command []string atomic
env []core.v1.EnvVar keys:name merge:name
envFrom []core.v1.EnvFromSource atomic
image string
imagePullPolicy string enum:Always|IfNotPresent|Never
lifecycle core.v1.Lifecycle
livenessProbe core.v1.Probe
name string ="" required
ports []core.v1.ContainerPort keys:containerPort,protocol merge:containerPort
readinessProbe core.v1.Probe
resizePolicy []core.v1.ContainerResizePolicy atomic
resources core.v1.ResourceRequirements ={}
restartPolicy string
restartPolicyRules []core.v1.ContainerRestartRule atomic
securityContext core.v1.SecurityContext
startupProbe core.v1.Probe
stdin boolean
stdinOnce boolean
targetContainerName string
terminationMessagePath string
terminationMessagePolicy string enum:FallbackToLogsOnError|File
tty boolean
volumeDevices []core.v1.VolumeDevice keys:devicePath merge:devicePath
volumeMounts []core.v1.VolumeMount keys:mountPath merge:mountPath
workingDir string)"},
    {"core.v1.EphemeralVolumeSource", R"(volumeClaimTemplate core.v1.PersistentVolumeClaimTemplate)"},
    {"core.v1.Event", R"(action string
apiVersion string
count int32
eventTime microtime
firstTimestamp time
involvedObject core.v1.ObjectReference ={} required
kind string
lastTimestamp time
message string
metadata meta.v1.ObjectMeta ={} required
reason string
related core.v1.ObjectReference
reportingComponent string =""
reportingInstance string =""
series core.v1.EventSeries
source core.v1.EventSource ={}
type string)"},
    {"core.v1.EventSeries", R"(count int32
lastObservedTime microtime)"},
    {"core.v1.EventSource", R"(component string
host string)"},
    {"core.v1.ExecAction", R"(command []string atomic)"},
    {"core.v1.FCVolumeSource", R"(fsType string
lun int32
readOnly boolean
targetWWNs []string atomic
wwids []string atomic)"},
    {"core.v1.FileKeySelector", R"(atomic
key string ="" required
optional boolean =false
path string ="" required
volumeName string ="" required)"},
    {"core.v1.FlexPersistentVolumeSource", R"(driver string ="" required
fsType string
options {}string
readOnly boolean
secretRef core.v1.SecretReference)"},
    {"core.v1.FlexVolumeSource", R"(driver string ="" required
fsType string
options {}string
readOnly boolean
secretRef core.v1.LocalObjectReference)"},
    {"core.v1.FlockerVolumeSource", R"(datasetName string
datasetUUID string)"},
    {"core.v1.GCEPersistentDiskVolumeSource", R"(fsType string
partition int32
pdName string ="" required
readOnly boolean)"},
    {"core.v1.GRPCAction", R"(port int32 =0 required
service string ="")"},
    {"core.v1.GitRepoVolumeSource", R"(directory string
repository string ="" required
revision string)"},
    {"core.v1.GlusterfsPersistentVolumeSource", R"(endpoints string ="" required
endpointsNamespace string
path string ="" required
readOnly boolean)"},
    {"core.v1.GlusterfsVolumeSource", R"(endpoints string ="" required
path string ="" required
readOnly boolean)"},
    {"core.v1.HTTPGetAction", R"(host string
httpHeaders []core.v1.HTTPHeader atomic
path string
port int-or-string required
scheme string enum:HTTP|HTTPS)"},
    {"core.v1.HTTPHeader", R"(name string ="" required
value string ="" required)"},
    {"core.v1.HostAlias", R"(hostnames []string atomic
ip string ="" required)"},
    {"core.v1.HostIP", R"(ip string ="" required)"},
    {"core.v1.HostPathVolumeSource", R"(path string ="" required
type string enum:|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket keep)"},
    {"core.v1.ISCSIPersistentVolumeSource", R"(chapAuthDiscovery boolean
chapAuthSession boolean
fsType string
initiatorName string
iqn string ="" required
iscsiInterface string ="default"
lun int32 =0 required
portals []string atomic
readOnly boolean
secretRef core.v1.SecretReference
targetPortal string ="" required)"},
    {"core.v1.ISCSIVolumeSource", R"(chapAuthDiscovery boolean
chapAuthSession boolean
fsType string
initiatorName string
iqn string ="" required
iscsiInterface string ="default"
lun int32 =0 required
portals []string atomic
readOnly boolean
secretRef core.v1.LocalObjectReference
targetPortal string ="" required)"},
    {"core.v1.ImageVolumeSource", R"(pullPolicy string enum:Always|IfNotPresent|Never
reference string)"},
    {"core.v1.ImageVolumeStatus", R"(imageRef string =null required)"},
    {"core.v1.KeyToPath", R"(key string ="" required
mode int32
path string ="" required)"},
    {"core.v1.Lifecycle", R"(postStart core.v1.LifecycleHandler
preStop core.v1.LifecycleHandler
stopSignal string enum:SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ)"},
    {"core.v1.LifecycleHandler", R"(exec core.v1.ExecAction
httpGet core.v1.HTTPGetAction
sleep core.v1.SleepAction
tcpSocket core.v1.TCPSocketAction)"},
    {"core.v1.LimitRange", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.LimitRangeSpec ={})"},
    {"core.v1.LimitRangeItem", R"(default {}quantity
defaultRequest {}quantity
max {}quantity
maxLimitRequestRatio {}quantity
min {}quantity
type string ="" required)"},
    {"core.v1.LimitRangeSpec", R"(limits []core.v1.LimitRangeItem =null required atomic)"},
    {"core.v1.LinuxContainerUser", R"(gid int64 =0 required
supplementalGroups []int64 atomic
uid int64 =0 required)"},
    {"core.v1.LoadBalancerIngress", R"(hostname string
ip string
ipMode string
ports []core.v1.PortStatus atomic)"},
    {"core.v1.LoadBalancerStatus", R"(ingress []core.v1.LoadBalancerIngress atomic)"},
    {"core.v1.LocalObjectReference", R"(atomic
name string)"},
    {"core.v1.LocalVolumeSource", R"(fsType string
path string ="" required)"},
    {"core.v1.ModifyVolumeStatus", R"(status string ="" required enum:InProgress|Infeasible|Pending
targetVolumeAttributesClassName string)"},
    {"core.v1.NFSVolumeSource", R"(path string ="" required
readOnly boolean
server string ="" required)"},
    {"core.v1.Namespace", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.NamespaceSpec ={}
status core.v1.NamespaceStatus ={})"},
    {"core.v1.NamespaceCondition", R"(lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"core.v1.NamespaceSpec", R"(finalizers []string atomic)"},
    {"core.v1.NamespaceStatus", R"(conditions []core.v1.NamespaceCondition keys:type merge:type
phase string enum:Active|Terminating)"},
    {"core.v1.Node", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.NodeSpec ={}
status core.v1.NodeStatus ={})"},
    {"core.v1.NodeAddress", R"(address string ="" required
type string ="" required)"},
    {"core.v1.NodeAffinity", R"(preferredDuringSchedulingIgnoredDuringExecution []core.v1.PreferredSchedulingTerm atomic
requiredDuringSchedulingIgnoredDuringExecution core.v1.NodeSelector)"},
    {"core.v1.NodeAllocatableResourceClaimStatus", R"(containers []string set
resourceClaimName string ="" required
resources {}quantity =null required)"},
    {"core.v1.NodeCondition", R"(lastHeartbeatTime time
lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"core.v1.NodeConfigSource", R"(configMap core.v1.ConfigMapNodeConfigSource)"},
    {"core.v1.NodeConfigStatus", R"(active core.v1.NodeConfigSource
assigned core.v1.NodeConfigSource
error string
lastKnownGood core.v1.NodeConfigSource)"},
    {"core.v1.NodeDaemonEndpoints", R"(kubeletEndpoint core.v1.DaemonEndpoint ={})"},
    {"core.v1.NodeFeatures", R"(supplementalGroupsPolicy boolean)"},
    {"core.v1.NodeRuntimeHandler", R"(features core.v1.NodeRuntimeHandlerFeatures
name string)"},
    {"core.v1.NodeRuntimeHandlerFeatures", R"(recursiveReadOnlyMounts boolean
userNamespaces boolean)"},
    {"core.v1.NodeSelector", R"(atomic
nodeSelectorTerms []core.v1.NodeSelectorTerm =null required atomic)"},
    {"core.v1.NodeSelectorRequirement", R"(key string ="" required
operator string ="" required enum:DoesNotExist|Exists|Gt|In|Lt|NotIn
values []string atomic)"},
    {"core.v1.NodeSelectorTerm", R"(atomic
matchExpressions []core.v1.NodeSelectorRequirement atomic
matchFields []core.v1.NodeSelectorRequirement atomic)"},
    {"core.v1.NodeSpec", R"(configSource core.v1.NodeConfigSource
externalID string
podCIDR string
podCIDRs []string set merge
providerID string
taints []core.v1.Taint atomic
unschedulable boolean)"},
    {"core.v1.NodeStatus", R"(addresses []core.v1.NodeAddress keys:type merge:type
allocatable {}quantity
capacity {}quantity
conditions []core.v1.NodeCondition keys:type merge:type
config core.v1.NodeConfigStatus
daemonEndpoints core.v1.NodeDaemonEndpoints ={}
declaredFeatures []string atomic
features core.v1.NodeFeatures
images []core.v1.ContainerImage atomic
nodeInfo core.v1.NodeSystemInfo ={}
phase string enum:Pending|Running|Terminated
runtimeHandlers []core.v1.NodeRuntimeHandler atomic
volumesAttached []core.v1.AttachedVolume atomic
volumesInUse []string atomic)"},
    {"core.v1.NodeSwapStatus", R"(capacity int64)"},
    {"core.v1.NodeSystemInfo", R"(architecture string ="" required
bootID string ="" required
containerRuntimeVersion string ="" required
kernelVersion string ="" required
kubeProxyVersion string ="" required
kubeletVersion string ="" required
machineID string ="" required
operatingSystem string ="" required
osImage string ="" required
swap core.v1.NodeSwapStatus
systemUUID string ="" required)"},
    {"core.v1.ObjectFieldSelector", R"(atomic
apiVersion string
fieldPath string ="" required)"},
    {"core.v1.ObjectReference", R"(atomic
apiVersion string
fieldPath string
kind string
name string
namespace string
resourceVersion string
uid string)"},
    {"core.v1.PersistentVolume", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.PersistentVolumeSpec ={}
status core.v1.PersistentVolumeStatus ={})"},
    {"core.v1.PersistentVolumeClaim", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.PersistentVolumeClaimSpec ={}
status core.v1.PersistentVolumeClaimStatus ={})"},
    {"core.v1.PersistentVolumeClaimCondition", R"(lastProbeTime time
lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"core.v1.PersistentVolumeClaimSpec", R"(accessModes []string atomic
dataSource core.v1.TypedLocalObjectReference
dataSourceRef core.v1.TypedObjectReference
resources core.v1.VolumeResourceRequirements ={}
selector meta.v1.LabelSelector
storageClassName string keep
volumeAttributesClassName string keep
volumeMode string enum:Block|Filesystem
volumeName string)"},
    {"core.v1.PersistentVolumeClaimStatus", R"(accessModes []string atomic
allocatedResourceStatuses {}string granular
allocatedResources {}quantity
capacity {}quantity
conditions []core.v1.PersistentVolumeClaimCondition keys:type merge:type
currentVolumeAttributesClassName string
modifyVolumeStatus core.v1.ModifyVolumeStatus
phase string enum:Bound|Lost|Pending)"},
    {"core.v1.PersistentVolumeClaimTemplate", R"(metadata meta.v1.ObjectMeta ={}
spec core.v1.PersistentVolumeClaimSpec ={} required)"},
    {"core.v1.PersistentVolumeClaimVolumeSource", R"(claimName string ="" required
readOnly boolean)"},
    {"core.v1.PersistentVolumeSpec", R"(accessModes []string atomic
awsElasticBlockStore core.v1.AWSElasticBlockStoreVolumeSource
azureDisk core.v1.AzureDiskVolumeSource
azureFile core.v1.AzureFilePersistentVolumeSource
capacity {}quantity
cephfs core.v1.CephFSPersistentVolumeSource
cinder core.v1.CinderPersistentVolumeSource
claimRef core.v1.ObjectReference granular
csi core.v1.CSIPersistentVolumeSource
fc core.v1.FCVolumeSource
flexVolume core.v1.FlexPersistentVolumeSource
flocker core.v1.FlockerVolumeSource
gcePersistentDisk core.v1.GCEPersistentDiskVolumeSource
glusterfs core.v1.GlusterfsPersistentVolumeSource
hostPath core.v1.HostPathVolumeSource
iscsi core.v1.ISCSIPersistentVolumeSource
local core.v1.LocalVolumeSource
mountOptions []string atomic
nfs core.v1.NFSVolumeSource
nodeAffinity core.v1.VolumeNodeAffinity
persistentVolumeReclaimPolicy string enum:Delete|Recycle|Retain
photonPersistentDisk core.v1.PhotonPersistentDiskVolumeSource
portworxVolume core.v1.PortworxVolumeSource
quobyte core.v1.QuobyteVolumeSource
rbd core.v1.RBDPersistentVolumeSource
scaleIO core.v1.ScaleIOPersistentVolumeSource
storageClassName string keep
storageos core.v1.StorageOSPersistentVolumeSource
volumeAttributesClassName string keep
volumeMode string enum:Block|Filesystem
vsphereVolume core.v1.VsphereVirtualDiskVolumeSource)"},
    {"core.v1.PersistentVolumeStatus", R"(lastPhaseTransitionTime time
message string
phase string enum:Available|Bound|Failed|Pending|Released
reason string)"},
    {"core.v1.PhotonPersistentDiskVolumeSource", R"(fsType string
pdID string ="" required)"},
    {"core.v1.Pod", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.PodSpec ={}
status core.v1.PodStatus ={})"},
    {"core.v1.PodAffinity", R"(preferredDuringSchedulingIgnoredDuringExecution []core.v1.WeightedPodAffinityTerm atomic
requiredDuringSchedulingIgnoredDuringExecution []core.v1.PodAffinityTerm atomic)"},
    {"core.v1.PodAffinityTerm", R"(labelSelector meta.v1.LabelSelector
matchLabelKeys []string atomic
mismatchLabelKeys []string atomic
namespaceSelector meta.v1.LabelSelector
namespaces []string atomic
topologyKey string ="" required)"},
    {"core.v1.PodAntiAffinity", R"(preferredDuringSchedulingIgnoredDuringExecution []core.v1.WeightedPodAffinityTerm atomic
requiredDuringSchedulingIgnoredDuringExecution []core.v1.PodAffinityTerm atomic)"},
    {"core.v1.PodCertificateProjection", R"(certificateChainPath string
credentialBundlePath string
keyPath string
keyType string =null required
maxExpirationSeconds int32
signerName string =null required
userAnnotations {}string)"},
    {"core.v1.PodCondition", R"(lastProbeTime time
lastTransitionTime time
message string
observedGeneration int64
reason string
status string ="" required
type string ="" required)"},
    {"core.v1.PodDNSConfig", R"(nameservers []string atomic
options []core.v1.PodDNSConfigOption atomic
searches []string atomic)"},
    {"core.v1.PodDNSConfigOption", R"(name string
value string)"},
    {"core.v1.PodExtendedResourceClaimStatus", R"(requestMappings []core.v1.ContainerExtendedResourceRequest =null required atomic
resourceClaimName string ="" required)"},
    {"core.v1.PodIP", R"(ip string ="" required)"},
    {"core.v1.PodOS", R"(name string ="" required)"},
    {"core.v1.PodReadinessGate", R"(conditionType string ="" required)"},
    {"core.v1.PodResourceClaim", R"(name string ="" required
resourceClaimName string
resourceClaimTemplateName string)"},
    {"core.v1.PodResourceClaimStatus", R"(name string ="" required
resourceClaimName string)"},
    {"core.v1.PodSchedulingGate", R"(name string ="" required)"},
    {"core.v1.PodSchedulingGroup", R"(podGroupName string)"},
    {"core.v1.PodSecurityContext", R"(appArmorProfile core.v1.AppArmorProfile
fsGroup int64
fsGroupChangePolicy string enum:Always|OnRootMismatch
runAsGroup int64
runAsNonRoot boolean
runAsUser int64
seLinuxChangePolicy string
seLinuxOptions core.v1.SELinuxOptions
seccompProfile core.v1.SeccompProfile
supplementalGroups []int64 atomic
supplementalGroupsPolicy string enum:Merge|Strict
sysctls []core.v1.Sysctl atomic
windowsOptions core.v1.WindowsSecurityContextOptions)"},
    {"core.v1.PodSpec", R"(activeDeadlineSeconds int64
affinity core.v1.Affinity
automountServiceAccountToken boolean
containers []core.v1.Container =null required keys:name merge:name
dnsConfig core.v1.PodDNSConfig
dnsPolicy string enum:ClusterFirst|ClusterFirstWithHostNet|Default|None
enableServiceLinks boolean
ephemeralContainers []core.v1.EphemeralContainer keys:name merge:name
hostAliases []core.v1.HostAlias keys:ip merge:ip
hostIPC boolean
hostNetwork boolean
hostPID boolean
hostUsers boolean
hostname string
hostnameOverride string
imagePullSecrets []core.v1.LocalObjectReference keys:name merge:name
initContainers []core.v1.Container keys:name merge:name
nodeName string
nodeSelector {}string atomic
os core.v1.PodOS
overhead {}quantity
preemptionPolicy string enum:Never|PreemptLowerPriority
priority int32
priorityClassName string
readinessGates []core.v1.PodReadinessGate atomic
resourceClaims []core.v1.PodResourceClaim keys:name merge:name retain
resources core.v1.ResourceRequirements
restartPolicy string enum:Always|Never|OnFailure
runtimeClassName string keep
schedulerName string
schedulingGates []core.v1.PodSchedulingGate keys:name merge:name
schedulingGroup core.v1.PodSchedulingGroup
securityContext core.v1.PodSecurityContext
serviceAccount string
serviceAccountName string
setHostnameAsFQDN boolean
shareProcessNamespace boolean
subdomain string
terminationGracePeriodSeconds int64
tolerations []core.v1.Toleration atomic
topologySpreadConstraints []core.v1.TopologySpreadConstraint keys:topologyKey,whenUnsatisfiable merge:topologyKey
volumes []core.v1.Volume keys:name merge:name retain)"},
    {"core.v1.PodStatus", R"(allocatedResources {}quantity
conditions []core.v1.PodCondition keys:type merge:type
containerStatuses []core.v1.ContainerStatus atomic
ephemeralContainerStatuses []core.v1.ContainerStatus atomic
extendedResourceClaimStatus core.v1.PodExtendedResourceClaimStatus
hostIP string
hostIPs []core.v1.HostIP atomic merge:ip
initContainerStatuses []core.v1.ContainerStatus atomic
message string
nodeAllocatableResourceClaimStatuses []core.v1.NodeAllocatableResourceClaimStatus atomic
nominatedNodeName string
observedGeneration int64
phase string enum:Failed|Pending|Running|Succeeded|Unknown
podIP string
podIPs []core.v1.PodIP keys:ip merge:ip
qosClass string enum:BestEffort|Burstable|Guaranteed
reason string
resize string
resourceClaimStatuses []core.v1.PodResourceClaimStatus keys:name merge:name retain
resources core.v1.ResourceRequirements
startTime time)"},
    {"core.v1.PodTemplate", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
template core.v1.PodTemplateSpec ={})"},
    {"core.v1.PodTemplateSpec", R"(metadata meta.v1.ObjectMeta ={}
spec core.v1.PodSpec ={})"},
    {"core.v1.PortStatus", R"(error string
port int32 =0 required
protocol string ="" required enum:SCTP|TCP|UDP)"},
    {"core.v1.PortworxVolumeSource", R"(fsType string
readOnly boolean
volumeID string ="" required)"},
    {"core.v1.PreferredSchedulingTerm", R"(preference core.v1.NodeSelectorTerm ={} required
weight int32 =0 required)"},
    {"core.v1.Probe", R"(exec core.v1.ExecAction
failureThreshold int32
grpc core.v1.GRPCAction
httpGet core.v1.HTTPGetAction
initialDelaySeconds int32
periodSeconds int32
successThreshold int32
tcpSocket core.v1.TCPSocketAction
terminationGracePeriodSeconds int64
timeoutSeconds int32)"},
    {"core.v1.ProjectedVolumeSource", R"(defaultMode int32
sources []core.v1.VolumeProjection atomic)"},
    {"core.v1.QuobyteVolumeSource", R"(group string
readOnly boolean
registry string ="" required
tenant string
user string
volume string ="" required)"},
    {"core.v1.RBDPersistentVolumeSource", R"(fsType string
image string ="" required
keyring string ="/etc/ceph/keyring"
monitors []string =null required atomic
pool string ="rbd"
readOnly boolean
secretRef core.v1.SecretReference
user string ="admin")"},
    {"core.v1.RBDVolumeSource", R"(fsType string
image string ="" required
keyring string ="/etc/ceph/keyring"
monitors []string =null required atomic
pool string ="rbd"
readOnly boolean
secretRef core.v1.LocalObjectReference
user string ="admin")"},
    {"core.v1.ReplicationController", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.ReplicationControllerSpec ={}
status core.v1.ReplicationControllerStatus ={})"},
    {"core.v1.ReplicationControllerCondition", R"(lastTransitionTime time
message string
reason string
status string ="" required
type string ="" required)"},
    {"core.v1.ReplicationControllerSpec", R"(minReadySeconds int32 =0
replicas int32 =1
selector {}string atomic
template core.v1.PodTemplateSpec)"},
    {"core.v1.ReplicationControllerStatus", R"(availableReplicas int32
conditions []core.v1.ReplicationControllerCondition keys:type merge:type
fullyLabeledReplicas int32
observedGeneration int64
readyReplicas int32
replicas int32 =0 required)"},
    {"core.v1.ResourceClaim", R"(name string ="" required
request string)"},
    {"core.v1.ResourceFieldSelector", R"(atomic
containerName string
divisor quantity
resource string ="" required)"},
    {"core.v1.ResourceHealth", R"(health string
message string
resourceID string ="" required)"},
    {"core.v1.ResourceQuota", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.ResourceQuotaSpec ={}
status core.v1.ResourceQuotaStatus ={})"},
    {"core.v1.ResourceQuotaSpec", R"(hard {}quantity
scopeSelector core.v1.ScopeSelector
scopes []string atomic)"},
    {"core.v1.ResourceQuotaStatus", R"(hard {}quantity
used {}quantity)"},
    {"core.v1.ResourceRequirements", R"(claims []core.v1.ResourceClaim keys:name
limits {}quantity
requests {}quantity)"},
    {"core.v1.ResourceStatus", R"(name string ="" required
resources []core.v1.ResourceHealth keys:resourceID)"},
    {"core.v1.SELinuxOptions", R"(level string
role string
type string
user string)"},
    {"core.v1.ScaleIOPersistentVolumeSource", R"(fsType string ="xfs"
gateway string ="" required
protectionDomain string
readOnly boolean
secretRef core.v1.SecretReference =null required
sslEnabled boolean
storageMode string ="ThinProvisioned"
storagePool string
system string ="" required
volumeName string)"},
    {"core.v1.ScaleIOVolumeSource", R"(fsType string ="xfs"
gateway string ="" required
protectionDomain string
readOnly boolean
secretRef core.v1.LocalObjectReference =null required
sslEnabled boolean
storageMode string ="ThinProvisioned"
storagePool string
system string ="" required
volumeName string)"},
    {"core.v1.ScopeSelector", R"(atomic
matchExpressions []core.v1.ScopedResourceSelectorRequirement atomic)"},
    {"core.v1.ScopedResourceSelectorRequirement", R"(operator string ="" required enum:DoesNotExist|Exists|In|NotIn
scopeName string ="" required enum:BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass
values []string atomic)"},
    {"core.v1.SeccompProfile", R"(localhostProfile string
type string ="" required enum:Localhost|RuntimeDefault|Unconfined)"},
    {"core.v1.Secret", R"(apiVersion string
data {}bytes
immutable boolean
kind string
metadata meta.v1.ObjectMeta ={}
stringData {}string
type string)"},
    {"core.v1.SecretEnvSource", R"(name string
optional boolean)"},
    {"core.v1.SecretKeySelector", R"(atomic
key string ="" required
name string
optional boolean)"},
    {"core.v1.SecretProjection", R"(items []core.v1.KeyToPath atomic
name string
optional boolean)"},
    {"core.v1.SecretReference", R"(atomic
name string
namespace string)"},
    {"core.v1.SecretVolumeSource", R"(defaultMode int32
items []core.v1.KeyToPath atomic
optional boolean
secretName string)"},
    {"core.v1.SecurityContext", R"(allowPrivilegeEscalation boolean
appArmorProfile core.v1.AppArmorProfile
capabilities core.v1.Capabilities
privileged boolean
procMount string enum:Default|Unmasked
readOnlyRootFilesystem boolean
runAsGroup int64
runAsNonRoot boolean
runAsUser int64
seLinuxOptions core.v1.SELinuxOptions
seccompProfile core.v1.SeccompProfile
windowsOptions core.v1.WindowsSecurityContextOptions)"},
    {"core.v1.Service", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.ServiceSpec ={}
status core.v1.ServiceStatus ={})"},
    {"core.v1.ServiceAccount", R"(apiVersion string
automountServiceAccountToken boolean
imagePullSecrets []core.v1.LocalObjectReference atomic
kind string
metadata meta.v1.ObjectMeta ={}
secrets []core.v1.ObjectReference keys:name merge:name)"},
    {"core.v1.ServiceAccountTokenProjection", R"(audience string
expirationSeconds int64
path string ="" required)"},
    {"core.v1.ServicePort", R"(appProtocol string keep
name string
nodePort int32
port int32 =0 required
protocol string ="TCP" enum:SCTP|TCP|UDP
targetPort int-or-string)"},
    {"core.v1.ServiceSpec", R"(allocateLoadBalancerNodePorts boolean
clusterIP string
clusterIPs []string atomic
externalIPs []string atomic
externalName string
externalTrafficPolicy string enum:Cluster|Local
healthCheckNodePort int32
internalTrafficPolicy string enum:Cluster|Local
ipFamilies []string atomic
ipFamilyPolicy string enum:PreferDualStack|RequireDualStack|SingleStack
loadBalancerClass string keep
loadBalancerIP string
loadBalancerSourceRanges []string atomic
ports []core.v1.ServicePort keys:port,protocol merge:port
publishNotReadyAddresses boolean
selector {}string atomic
sessionAffinity string enum:ClientIP|None
sessionAffinityConfig core.v1.SessionAffinityConfig
trafficDistribution string
type string enum:ClusterIP|ExternalName|LoadBalancer|NodePort)"},
    {"core.v1.ServiceStatus", R"(conditions []meta.v1.Condition keys:type merge:type
loadBalancer core.v1.LoadBalancerStatus ={})"},
    {"core.v1.SessionAffinityConfig", R"(clientIP core.v1.ClientIPConfig)"},
    {"core.v1.SleepAction", R"(seconds int64 =0 required)"},
    {"core.v1.StorageOSPersistentVolumeSource", R"(fsType string
readOnly boolean
secretRef core.v1.ObjectReference
volumeName string
volumeNamespace string)"},
    {"core.v1.StorageOSVolumeSource", R"(fsType string
readOnly boolean
secretRef core.v1.LocalObjectReference
volumeName string
volumeNamespace string)"},
    {"core.v1.Sysctl", R"(name string ="" required
value string ="" required)"},
    {"core.v1.TCPSocketAction", R"(host string
port int-or-string required)"},
    {"core.v1.Taint", R"(effect string ="" required enum:NoExecute|NoSchedule|PreferNoSchedule
key string ="" required
timeAdded time
value string)"},
    {"core.v1.Toleration", R"(effect string enum:NoExecute|NoSchedule|PreferNoSchedule
key string
operator string enum:Equal|Exists|Gt|Lt
tolerationSeconds int64
value string)"},
    {"core.v1.TopologySelectorLabelRequirement", R"(key string ="" required
values []string =null required atomic)"},
    {"core.v1.TopologySelectorTerm", R"(atomic
matchLabelExpressions []core.v1.TopologySelectorLabelRequirement atomic)"},
    {"core.v1.TopologySpreadConstraint", R"(labelSelector meta.v1.LabelSelector
matchLabelKeys []string atomic
maxSkew int32 =0 required
minDomains int32
nodeAffinityPolicy string enum:Honor|Ignore
nodeTaintsPolicy string enum:Honor|Ignore
topologyKey string ="" required
whenUnsatisfiable string ="" required enum:DoNotSchedule|ScheduleAnyway)"},
    {"core.v1.TypedLocalObjectReference", R"(atomic
apiGroup string
kind string ="" required
name string ="" required)"},
    {"core.v1.TypedObjectReference", R"(apiGroup string
kind string ="" required
name string ="" required
namespace string)"},
    {"core.v1.Volume", R"(awsElasticBlockStore core.v1.AWSElasticBlockStoreVolumeSource
azureDisk core.v1.AzureDiskVolumeSource
azureFile core.v1.AzureFileVolumeSource
cephfs core.v1.CephFSVolumeSource
cinder core.v1.CinderVolumeSource
configMap core.v1.ConfigMapVolumeSource
csi core.v1.CSIVolumeSource
downwardAPI core.v1.DownwardAPIVolumeSource
emptyDir core.v1.EmptyDirVolumeSource
ephemeral core.v1.EphemeralVolumeSource
fc core.v1.FCVolumeSource
flexVolume core.v1.FlexVolumeSource
flocker core.v1.FlockerVolumeSource
gcePersistentDisk core.v1.GCEPersistentDiskVolumeSource
gitRepo core.v1.GitRepoVolumeSource
glusterfs core.v1.GlusterfsVolumeSource
hostPath core.v1.HostPathVolumeSource
image core.v1.ImageVolumeSource
iscsi core.v1.ISCSIVolumeSource
name string ="" required
nfs core.v1.NFSVolumeSource
persistentVolumeClaim core.v1.PersistentVolumeClaimVolumeSource
photonPersistentDisk core.v1.PhotonPersistentDiskVolumeSource
portworxVolume core.v1.PortworxVolumeSource
projected core.v1.ProjectedVolumeSource
quobyte core.v1.QuobyteVolumeSource
rbd core.v1.RBDVolumeSource
scaleIO core.v1.ScaleIOVolumeSource
secret core.v1.SecretVolumeSource
storageos core.v1.StorageOSVolumeSource
vsphereVolume core.v1.VsphereVirtualDiskVolumeSource)"},
    {"core.v1.VolumeDevice", R"(devicePath string ="" required
name string ="" required)"},
    {"core.v1.VolumeMount", R"(mountPath string ="" required
mountPropagation string enum:Bidirectional|HostToContainer|None
name string ="" required
readOnly boolean
recursiveReadOnly string
subPath string
subPathExpr string)"},
    {"core.v1.VolumeMountStatus", R"(mountPath string ="" required
name string ="" required
readOnly boolean
recursiveReadOnly string
volumeStatus core.v1.VolumeStatus)"},
    {"core.v1.VolumeNodeAffinity", R"(required core.v1.NodeSelector)"},
    {"core.v1.VolumeProjection", R"(clusterTrustBundle core.v1.ClusterTrustBundleProjection
configMap core.v1.ConfigMapProjection
downwardAPI core.v1.DownwardAPIProjection
podCertificate core.v1.PodCertificateProjection
secret core.v1.SecretProjection
serviceAccountToken core.v1.ServiceAccountTokenProjection)"},
    {"core.v1.VolumeResourceRequirements", R"(limits {}quantity
requests {}quantity)"},
    {"core.v1.VolumeStatus", R"(image core.v1.ImageVolumeStatus)"},
    {"core.v1.VsphereVirtualDiskVolumeSource", R"(fsType string
storagePolicyID string
storagePolicyName string
volumePath string ="" required)"},
    {"core.v1.WeightedPodAffinityTerm", R"(podAffinityTerm core.v1.PodAffinityTerm ={} required
weight int32 =0 required)"},
    {"core.v1.WindowsSecurityContextOptions", R"(gmsaCredentialSpec string
gmsaCredentialSpecName string
hostProcess boolean
runAsUserName string)"},
    {"discovery.v1.Endpoint", R"(addresses []string =null required set
conditions discovery.v1.EndpointConditions ={}
deprecatedTopology {}string
hints discovery.v1.EndpointHints
hostname string
nodeName string
targetRef core.v1.ObjectReference
zone string)"},
    {"discovery.v1.EndpointConditions", R"(ready boolean
serving boolean
terminating boolean)"},
    {"discovery.v1.EndpointHints", R"(forNodes []discovery.v1.ForNode atomic
forZones []discovery.v1.ForZone atomic)"},
    {"discovery.v1.EndpointPort", R"(atomic
appProtocol string keep
name string
port int32
protocol string enum:SCTP|TCP|UDP)"},
    {"discovery.v1.EndpointSlice", R"(addressType string ="" required enum:FQDN|IPv4|IPv6
apiVersion string
endpoints []discovery.v1.Endpoint atomic
kind string
metadata meta.v1.ObjectMeta ={}
ports []discovery.v1.EndpointPort atomic)"},
    {"discovery.v1.ForNode", R"(name string ="" required)"},
    {"discovery.v1.ForZone", R"(name string ="" required)"},
    {"events.v1.Event", R"(action string
apiVersion string
deprecatedCount int32
deprecatedFirstTimestamp time
deprecatedLastTimestamp time
deprecatedSource core.v1.EventSource ={}
eventTime microtime =null required
kind string
metadata meta.v1.ObjectMeta ={}
note string
reason string
regarding core.v1.ObjectReference ={}
related core.v1.ObjectReference
reportingController string
reportingInstance string
series events.v1.EventSeries
type string)"},
    {"events.v1.EventSeries", R"(count int32 =0 required
lastObservedTime microtime =null required)"},
    {"flowcontrol.v1.ExemptPriorityLevelConfiguration", R"(lendablePercent int32
nominalConcurrencyShares int32)"},
    {"flowcontrol.v1.FlowDistinguisherMethod", R"(type string ="" required)"},
    {"flowcontrol.v1.FlowSchema", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec flowcontrol.v1.FlowSchemaSpec ={}
status flowcontrol.v1.FlowSchemaStatus ={})"},
    {"flowcontrol.v1.FlowSchemaCondition", R"(lastTransitionTime time
message string
reason string
status string
type string)"},
    {"flowcontrol.v1.FlowSchemaSpec", R"(distinguisherMethod flowcontrol.v1.FlowDistinguisherMethod
matchingPrecedence int32 =0
priorityLevelConfiguration flowcontrol.v1.PriorityLevelConfigurationReference ={} required
rules []flowcontrol.v1.PolicyRulesWithSubjects atomic)"},
    {"flowcontrol.v1.FlowSchemaStatus", R"(conditions []flowcontrol.v1.FlowSchemaCondition keys:type merge:type)"},
    {"flowcontrol.v1.GroupSubject", R"(name string ="" required)"},
    {"flowcontrol.v1.LimitResponse", R"(queuing flowcontrol.v1.QueuingConfiguration
type string ="" required)"},
    {"flowcontrol.v1.LimitedPriorityLevelConfiguration", R"(borrowingLimitPercent int32
lendablePercent int32
limitResponse flowcontrol.v1.LimitResponse ={}
nominalConcurrencyShares int32)"},
    {"flowcontrol.v1.NonResourcePolicyRule", R"(nonResourceURLs []string =null required set
verbs []string =null required set)"},
    {"flowcontrol.v1.PolicyRulesWithSubjects", R"(nonResourceRules []flowcontrol.v1.NonResourcePolicyRule atomic
resourceRules []flowcontrol.v1.ResourcePolicyRule atomic
subjects []flowcontrol.v1.Subject =null required atomic)"},
    {"flowcontrol.v1.PriorityLevelConfiguration", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec flowcontrol.v1.PriorityLevelConfigurationSpec ={}
status flowcontrol.v1.PriorityLevelConfigurationStatus ={})"},
    {"flowcontrol.v1.PriorityLevelConfigurationCondition", R"(lastTransitionTime time
message string
reason string
status string
type string)"},
    {"flowcontrol.v1.PriorityLevelConfigurationReference", R"(name string ="" required)"},
    {"flowcontrol.v1.PriorityLevelConfigurationSpec", R"(exempt flowcontrol.v1.ExemptPriorityLevelConfiguration
limited flowcontrol.v1.LimitedPriorityLevelConfiguration
type string ="" required)"},
    {"flowcontrol.v1.PriorityLevelConfigurationStatus", R"(conditions []flowcontrol.v1.PriorityLevelConfigurationCondition keys:type merge:type)"},
    {"flowcontrol.v1.QueuingConfiguration", R"(handSize int32 =0
queueLengthLimit int32 =0
queues int32 =0)"},
    {"flowcontrol.v1.ResourcePolicyRule", R"(apiGroups []string =null required set
clusterScope boolean
namespaces []string set
resources []string =null required set
verbs []string =null required set)"},
    {"flowcontrol.v1.ServiceAccountSubject", R"(name string ="" required
namespace string ="" required)"},
    {"flowcontrol.v1.Subject", R"(group flowcontrol.v1.GroupSubject
kind string ="" required
serviceAccount flowcontrol.v1.ServiceAccountSubject
user flowcontrol.v1.UserSubject)"},
    {"flowcontrol.v1.UserSubject", R"(name string ="" required)"},
    {"meta.v1.Condition", R"(lastTransitionTime time =null required
message string ="" required
observedGeneration int64
reason string ="" required
status string ="" required
type string ="" required)"},
    {"meta.v1.DeleteOptions", R"(apiVersion string
dryRun []string atomic
gracePeriodSeconds int64
ignoreStoreReadErrorWithClusterBreakingPotential boolean
kind string
orphanDependents boolean
preconditions meta.v1.Preconditions
propagationPolicy string)"},
    {"meta.v1.FieldSelectorRequirement", R"(key string ="" required
operator string ="" required
values []string atomic)"},
    {"meta.v1.LabelSelector", R"(atomic
matchExpressions []meta.v1.LabelSelectorRequirement atomic
matchLabels {}string)"},
    {"meta.v1.LabelSelectorRequirement", R"(key string ="" required
operator string ="" required
values []string atomic)"},
    {"meta.v1.ListMeta", R"(continue string
remainingItemCount int64
resourceVersion string
selfLink string
shardInfo meta.v1.ShardInfo)"},
    {"meta.v1.ManagedFieldsEntry", R"(apiVersion string
fieldsType string
fieldsV1 object
manager string
operation string
subresource string
time time)"},
    {"meta.v1.ObjectMeta", R"(annotations {}string
creationTimestamp time
deletionGracePeriodSeconds int64
deletionTimestamp time
finalizers []string set merge
generateName string
generation int64
labels {}string
managedFields []meta.v1.ManagedFieldsEntry atomic
name string
namespace string
ownerReferences []meta.v1.OwnerReference keys:uid merge:uid
resourceVersion string
selfLink string
uid string)"},
    {"meta.v1.OwnerReference", R"(atomic
apiVersion string ="" required
blockOwnerDeletion boolean
controller boolean
kind string ="" required
name string ="" required
uid string ="" required)"},
    {"meta.v1.Preconditions", R"(resourceVersion string
uid string)"},
    {"meta.v1.ShardInfo", R"(selector string ="" required)"},
    {"meta.v1.Status", R"(apiVersion string
code int32
details meta.v1.StatusDetails
kind string
message string
metadata meta.v1.ListMeta ={}
reason string
status string)"},
    {"meta.v1.StatusCause", R"(field string
message string
reason string)"},
    {"meta.v1.StatusDetails", R"(causes []meta.v1.StatusCause atomic
group string
kind string
name string
retryAfterSeconds int32
uid string)"},
    {"networking.v1.HTTPIngressPath", R"(backend networking.v1.IngressBackend ={} required
path string
pathType string =null required enum:Exact|ImplementationSpecific|Prefix)"},
    {"networking.v1.HTTPIngressRuleValue", R"(paths []networking.v1.HTTPIngressPath =null required atomic)"},
    {"networking.v1.IPAddress", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec networking.v1.IPAddressSpec ={} required)"},
    {"networking.v1.IPAddressSpec", R"(parentRef networking.v1.ParentReference =null required)"},
    {"networking.v1.IPBlock", R"(cidr string ="" required
except []string atomic)"},
    {"networking.v1.Ingress", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec networking.v1.IngressSpec ={}
status networking.v1.IngressStatus ={})"},
    {"networking.v1.IngressBackend", R"(resource core.v1.TypedLocalObjectReference
service networking.v1.IngressServiceBackend)"},
    {"networking.v1.IngressClass", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec networking.v1.IngressClassSpec ={})"},
    {"networking.v1.IngressClassParametersReference", R"(apiGroup string
kind string ="" required
name string ="" required
namespace string
scope string)"},
    {"networking.v1.IngressClassSpec", R"(controller string
parameters networking.v1.IngressClassParametersReference)"},
    {"networking.v1.IngressLoadBalancerIngress", R"(hostname string
ip string
ports []networking.v1.IngressPortStatus atomic)"},
    {"networking.v1.IngressLoadBalancerStatus", R"(ingress []networking.v1.IngressLoadBalancerIngress atomic)"},
    {"networking.v1.IngressPortStatus", R"(error string
port int32 =0 required
protocol string ="" required enum:SCTP|TCP|UDP)"},
    {"networking.v1.IngressRule", R"(host string
http networking.v1.HTTPIngressRuleValue)"},
    {"networking.v1.IngressServiceBackend", R"(name string ="" required
port networking.v1.ServiceBackendPort ={})"},
    {"networking.v1.IngressSpec", R"(defaultBackend networking.v1.IngressBackend
ingressClassName string keep
rules []networking.v1.IngressRule atomic
tls []networking.v1.IngressTLS atomic)"},
    {"networking.v1.IngressStatus", R"(loadBalancer networking.v1.IngressLoadBalancerStatus ={})"},
    {"networking.v1.IngressTLS", R"(hosts []string atomic
secretName string)"},
    {"networking.v1.NetworkPolicy", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec networking.v1.NetworkPolicySpec ={})"},
    {"networking.v1.NetworkPolicyEgressRule", R"(ports []networking.v1.NetworkPolicyPort atomic
to []networking.v1.NetworkPolicyPeer atomic)"},
    {"networking.v1.NetworkPolicyIngressRule", R"(from []networking.v1.NetworkPolicyPeer atomic
ports []networking.v1.NetworkPolicyPort atomic)"},
    {"networking.v1.NetworkPolicyPeer", R"(ipBlock networking.v1.IPBlock
namespaceSelector meta.v1.LabelSelector
podSelector meta.v1.LabelSelector)"},
    {"networking.v1.NetworkPolicyPort", R"(endPort int32
port int-or-string
protocol string enum:SCTP|TCP|UDP)"},
    {"networking.v1.NetworkPolicySpec", R"(egress []networking.v1.NetworkPolicyEgressRule atomic
ingress []networking.v1.NetworkPolicyIngressRule atomic
podSelector meta.v1.LabelSelector ={}
policyTypes []string atomic)"},
    {"networking.v1.ParentReference", R"(group string
name string =null required
namespace string
resource string =null required)"},
    {"networking.v1.ServiceBackendPort", R"(atomic
name string
number int32)"},
    {"networking.v1.ServiceCIDR", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec networking.v1.ServiceCIDRSpec ={}
status networking.v1.ServiceCIDRStatus ={})"},
    {"networking.v1.ServiceCIDRSpec", R"(cidrs []string atomic)"},
    {"networking.v1.ServiceCIDRStatus", R"(conditions []meta.v1.Condition keys:type merge:type)"},
    {"node.v1.Overhead", R"(podFixed {}quantity)"},
    {"node.v1.RuntimeClass", R"(apiVersion string
handler string ="" required
kind string
metadata meta.v1.ObjectMeta ={}
overhead node.v1.Overhead
scheduling node.v1.Scheduling)"},
    {"node.v1.Scheduling", R"(nodeSelector {}string atomic
tolerations []core.v1.Toleration atomic)"},
    {"policy.v1.Eviction", R"(apiVersion string
deleteOptions meta.v1.DeleteOptions
kind string
metadata meta.v1.ObjectMeta ={})"},
    {"policy.v1.PodDisruptionBudget", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec policy.v1.PodDisruptionBudgetSpec ={}
status policy.v1.PodDisruptionBudgetStatus ={})"},
    {"policy.v1.PodDisruptionBudgetSpec", R"(maxUnavailable int-or-string
minAvailable int-or-string
selector meta.v1.LabelSelector replace
unhealthyPodEvictionPolicy string enum:AlwaysAllow|IfHealthyBudget)"},
    {"policy.v1.PodDisruptionBudgetStatus", R"(conditions []meta.v1.Condition keys:type merge:type
currentHealthy int32 =0
desiredHealthy int32 =0
disruptedPods {}time
disruptionsAllowed int32 =0
expectedPods int32 =0
observedGeneration int64)"},
    {"rbac.v1.AggregationRule", R"(clusterRoleSelectors []meta.v1.LabelSelector atomic)"},
    {"rbac.v1.ClusterRole", R"(aggregationRule rbac.v1.AggregationRule
apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
rules []rbac.v1.PolicyRule =null atomic)"},
    {"rbac.v1.ClusterRoleBinding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
roleRef rbac.v1.RoleRef ={} required
subjects []rbac.v1.Subject atomic)"},
    {"rbac.v1.PolicyRule", R"(apiGroups []string atomic
nonResourceURLs []string atomic
resourceNames []string atomic
resources []string atomic
verbs []string =null required atomic)"},
    {"rbac.v1.Role", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
rules []rbac.v1.PolicyRule =null atomic)"},
    {"rbac.v1.RoleBinding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
roleRef rbac.v1.RoleRef ={} required
subjects []rbac.v1.Subject atomic)"},
    {"rbac.v1.RoleRef", R"(atomic
apiGroup string =""
kind string ="" required
name string ="" required)"},
    {"rbac.v1.Subject", R"(atomic
apiGroup string
kind string ="" required
name string ="" required
namespace string)"},
    {"resource.v1.AllocatedDeviceStatus", R"(conditions []meta.v1.Condition keys:type
data object
device string ="" required
driver string ="" required
networkData resource.v1.NetworkDeviceData
pool string ="" required
shareID string)"},
    {"resource.v1.AllocationResult", R"(allocationTimestamp time
devices resource.v1.DeviceAllocationResult ={}
nodeSelector core.v1.NodeSelector)"},
    {"resource.v1.CELDeviceSelector", R"(expression string ="" required)"},
    {"resource.v1.CapacityRequestPolicy", R"(default quantity
validRange resource.v1.CapacityRequestPolicyRange
validValues []quantity atomic)"},
    {"resource.v1.CapacityRequestPolicyRange", R"(max quantity
min quantity required
step quantity)"},
    {"resource.v1.CapacityRequirements", R"(requests {}quantity)"},
    {"resource.v1.Counter", R"(value quantity required)"},
    {"resource.v1.CounterSet", R"(counters {}resource.v1.Counter =null required
name string ="" required)"},
    {"resource.v1.Device", R"(allNodes boolean
allowMultipleAllocations boolean
attributes {}resource.v1.DeviceAttribute
bindingConditions []string atomic
bindingFailureConditions []string atomic
bindsToNode boolean
capacity {}resource.v1.DeviceCapacity
consumesCounters []resource.v1.DeviceCounterConsumption atomic
name string ="" required
nodeAllocatableResourceMappings {}resource.v1.NodeAllocatableResourceMapping
nodeName string
nodeSelector core.v1.NodeSelector
taints []resource.v1.DeviceTaint atomic)"},
    {"resource.v1.DeviceAllocationConfiguration", R"(opaque resource.v1.OpaqueDeviceConfiguration
requests []string atomic
source string ="" required enum:FromClaim|FromClass)"},
    {"resource.v1.DeviceAllocationResult", R"(config []resource.v1.DeviceAllocationConfiguration atomic
results []resource.v1.DeviceRequestAllocationResult atomic)"},
    {"resource.v1.DeviceAttribute", R"(bool boolean
bools []boolean atomic
int int64
ints []int64 atomic
string string
strings []string atomic
version string
versions []string atomic)"},
    {"resource.v1.DeviceCapacity", R"(requestPolicy resource.v1.CapacityRequestPolicy
value quantity required)"},
    {"resource.v1.DeviceClaim", R"(config []resource.v1.DeviceClaimConfiguration atomic
constraints []resource.v1.DeviceConstraint atomic
requests []resource.v1.DeviceRequest atomic)"},
    {"resource.v1.DeviceClaimConfiguration", R"(opaque resource.v1.OpaqueDeviceConfiguration
requests []string atomic)"},
    {"resource.v1.DeviceClass", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec resource.v1.DeviceClassSpec ={} required)"},
    {"resource.v1.DeviceClassConfiguration", R"(opaque resource.v1.OpaqueDeviceConfiguration)"},
    {"resource.v1.DeviceClassSpec", R"(config []resource.v1.DeviceClassConfiguration atomic
extendedResourceName string
selectors []resource.v1.DeviceSelector atomic)"},
    {"resource.v1.DeviceConstraint", R"(distinctAttribute string
matchAttribute string
requests []string atomic)"},
    {"resource.v1.DeviceCounterConsumption", R"(counterSet string ="" required
counters {}resource.v1.Counter =null required)"},
    {"resource.v1.DeviceRequest", R"(exactly resource.v1.ExactDeviceRequest
firstAvailable []resource.v1.DeviceSubRequest atomic
name string ="" required)"},
    {"resource.v1.DeviceRequestAllocationResult", R"(adminAccess boolean
bindingConditions []string atomic
bindingFailureConditions []string atomic
consumedCapacity {}quantity
device string ="" required
driver string ="" required
pool string ="" required
request string ="" required
shareID string
tolerations []resource.v1.DeviceToleration atomic)"},
    {"resource.v1.DeviceSelector", R"(cel resource.v1.CELDeviceSelector)"},
    {"resource.v1.DeviceSubRequest", R"(allocationMode string enum:All|ExactCount
capacity resource.v1.CapacityRequirements
count int64
deviceClassName string ="" required
name string ="" required
selectors []resource.v1.DeviceSelector atomic
tolerations []resource.v1.DeviceToleration atomic)"},
    {"resource.v1.DeviceTaint", R"(effect string ="" required enum:NoExecute|NoSchedule|None
key string ="" required
timeAdded time
value string)"},
    {"resource.v1.DeviceToleration", R"(effect string enum:NoExecute|NoSchedule|None
key string
operator string ="Equal" enum:Equal|Exists
tolerationSeconds int64
value string)"},
    {"resource.v1.ExactDeviceRequest", R"(adminAccess boolean
allocationMode string enum:All|ExactCount
capacity resource.v1.CapacityRequirements
count int64
deviceClassName string ="" required
selectors []resource.v1.DeviceSelector atomic
tolerations []resource.v1.DeviceToleration atomic)"},
    {"resource.v1.NetworkDeviceData", R"(hardwareAddress string
interfaceName string
ips []string atomic)"},
    {"resource.v1.NodeAllocatableResourceMapping", R"(allocationMultiplier quantity
capacityKey string)"},
    {"resource.v1.OpaqueDeviceConfiguration", R"(driver string ="" required
parameters object =null required)"},
    {"resource.v1.ResourceClaim", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec resource.v1.ResourceClaimSpec ={} required
status resource.v1.ResourceClaimStatus ={})"},
    {"resource.v1.ResourceClaimConsumerReference", R"(apiGroup string
name string ="" required
resource string ="" required
uid string ="" required)"},
    {"resource.v1.ResourceClaimSpec", R"(devices resource.v1.DeviceClaim ={})"},
    {"resource.v1.ResourceClaimStatus", R"(allocation resource.v1.AllocationResult
devices []resource.v1.AllocatedDeviceStatus keys:driver,device,pool,shareID
reservedFor []resource.v1.ResourceClaimConsumerReference keys:uid merge:uid)"},
    {"resource.v1.ResourceClaimTemplate", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec resource.v1.ResourceClaimTemplateSpec ={} required)"},
    {"resource.v1.ResourceClaimTemplateSpec", R"(metadata meta.v1.ObjectMeta ={}
spec resource.v1.ResourceClaimSpec ={} required)"},
    {"resource.v1.ResourcePool", R"(generation int64 =0 required
name string ="" required
resourceSliceCount int64 =0 required)"},
    {"resource.v1.ResourceSlice", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec resource.v1.ResourceSliceSpec ={} required)"},
    {"resource.v1.ResourceSliceSpec", R"(allNodes boolean
devices []resource.v1.Device atomic
driver string ="" required
nodeName string
nodeSelector core.v1.NodeSelector
perDeviceNodeSelection boolean
pool resource.v1.ResourcePool ={} required
sharedCounters []resource.v1.CounterSet atomic)"},
    {"scheduling.v1.PriorityClass", R"(apiVersion string
description string
globalDefault boolean
kind string
metadata meta.v1.ObjectMeta ={}
preemptionPolicy string enum:Never|PreemptLowerPriority
value int32 =0)"},
    {"storage.v1.CSIDriver", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec storage.v1.CSIDriverSpec ={} required)"},
    {"storage.v1.CSIDriverSpec", R"(attachRequired boolean
fsGroupPolicy string
nodeAllocatableUpdatePeriodSeconds int64
podInfoOnMount boolean
preventPodSchedulingIfMissing boolean
requiresRepublish boolean
seLinuxMount boolean
serviceAccountTokenInSecrets boolean
storageCapacity boolean
tokenRequests []storage.v1.TokenRequest atomic
volumeLifecycleModes []string set)"},
    {"storage.v1.CSINode", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec storage.v1.CSINodeSpec ={} required)"},
    {"storage.v1.CSINodeDriver", R"(allocatable storage.v1.VolumeNodeResources
name string ="" required
nodeID string ="" required
topologyKeys []string atomic)"},
    {"storage.v1.CSINodeSpec", R"(drivers []storage.v1.CSINodeDriver =null required keys:name merge:name)"},
    {"storage.v1.CSIStorageCapacity", R"(apiVersion string
capacity quantity
kind string
maximumVolumeSize quantity
metadata meta.v1.ObjectMeta ={}
nodeTopology meta.v1.LabelSelector
storageClassName string ="" required)"},
    {"storage.v1.StorageClass", R"(allowVolumeExpansion boolean
allowedTopologies []core.v1.TopologySelectorTerm atomic
apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
mountOptions []string atomic
parameters {}string
provisioner string ="" required
reclaimPolicy string enum:Delete|Recycle|Retain
volumeBindingMode string enum:Immediate|WaitForFirstConsumer)"},
    {"storage.v1.TokenRequest", R"(audience string ="" required
expirationSeconds int64)"},
    {"storage.v1.VolumeAttachment", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec storage.v1.VolumeAttachmentSpec ={} required
status storage.v1.VolumeAttachmentStatus ={})"},
    {"storage.v1.VolumeAttachmentSource", R"(inlineVolumeSpec core.v1.PersistentVolumeSpec
persistentVolumeName string)"},
    {"storage.v1.VolumeAttachmentSpec", R"(attacher string ="" required
nodeName string ="" required
source storage.v1.VolumeAttachmentSource ={} required)"},
    {"storage.v1.VolumeAttachmentStatus", R"(attachError storage.v1.VolumeError
attached boolean =false required
attachmentMetadata {}string
detachError storage.v1.VolumeError)"},
    {"storage.v1.VolumeAttributesClass", R"(apiVersion string
driverName string ="" required
kind string
metadata meta.v1.ObjectMeta ={}
parameters {}string)"},
    {"storage.v1.VolumeError", R"(errorCode int32
message string
time time)"},
    {"storage.v1.VolumeNodeResources", R"(count int32)"},
};
// clang-format on

}  // namespace

std::span<const TypeFacts> builtin_types() noexcept { return all_types; }

}  // namespace pintle::apiserver
