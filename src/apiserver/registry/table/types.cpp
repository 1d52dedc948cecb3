// The types that built-in kinds are made of, by name. Written by scripts/generate-kinds; do not edit.
#include "table.hpp"

namespace pintle::apiserver {
namespace {

// clang-format off
constexpr TypeFacts all_types[] = {
    {"admissionregistration.v1.ApplyConfiguration", R"(expression string)"},
    {"admissionregistration.v1.AuditAnnotation", R"(key string =""
valueExpression string ="")"},
    {"admissionregistration.v1.ExpressionWarning", R"(fieldRef string =""
warning string ="")"},
    {"admissionregistration.v1.JSONPatch", R"(expression string)"},
    {"admissionregistration.v1.MatchCondition", R"(expression string =""
name string ="")"},
    {"admissionregistration.v1.MatchResources", R"(atomic
excludeResourceRules []admissionregistration.v1.NamedRuleWithOperations
matchPolicy string enum:Equivalent|Exact
namespaceSelector meta.v1.LabelSelector
objectSelector meta.v1.LabelSelector
resourceRules []admissionregistration.v1.NamedRuleWithOperations)"},
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
mutations []admissionregistration.v1.Mutation
paramKind admissionregistration.v1.ParamKind
reinvocationPolicy string enum:IfNeeded|Never
variables []admissionregistration.v1.Variable)"},
    {"admissionregistration.v1.MutatingWebhook", R"(admissionReviewVersions []string =null
clientConfig admissionregistration.v1.WebhookClientConfig ={}
failurePolicy string enum:Fail|Ignore
matchConditions []admissionregistration.v1.MatchCondition keys:name merge:name
matchPolicy string enum:Equivalent|Exact
name string =""
namespaceSelector meta.v1.LabelSelector
objectSelector meta.v1.LabelSelector
reinvocationPolicy string enum:IfNeeded|Never
rules []admissionregistration.v1.RuleWithOperations
sideEffects string =null enum:None|NoneOnDryRun|Some|Unknown
timeoutSeconds integer)"},
    {"admissionregistration.v1.MutatingWebhookConfiguration", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
webhooks []admissionregistration.v1.MutatingWebhook keys:name merge:name)"},
    {"admissionregistration.v1.Mutation", R"(applyConfiguration admissionregistration.v1.ApplyConfiguration
jsonPatch admissionregistration.v1.JSONPatch
patchType string ="" enum:ApplyConfiguration|JSONPatch)"},
    {"admissionregistration.v1.NamedRuleWithOperations", R"(atomic
apiGroups []string
apiVersions []string
operations []string
resourceNames []string
resources []string
scope string enum:*|Cluster|Namespaced)"},
    {"admissionregistration.v1.ParamKind", R"(atomic
apiVersion string
kind string)"},
    {"admissionregistration.v1.ParamRef", R"(atomic
name string
namespace string
parameterNotFoundAction string
selector meta.v1.LabelSelector)"},
    {"admissionregistration.v1.RuleWithOperations", R"(apiGroups []string
apiVersions []string
operations []string
resources []string
scope string enum:*|Cluster|Namespaced)"},
    {"admissionregistration.v1.ServiceReference", R"(name string =""
namespace string =""
path string
port integer)"},
    {"admissionregistration.v1.TypeChecking", R"(expressionWarnings []admissionregistration.v1.ExpressionWarning)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicy", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec admissionregistration.v1.ValidatingAdmissionPolicySpec ={}
status admissionregistration.v1.ValidatingAdmissionPolicyStatus ={})"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyBinding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec ={})"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec", R"(matchResources admissionregistration.v1.MatchResources
paramRef admissionregistration.v1.ParamRef
policyName string =null
validationActions []string =null set)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicySpec", R"(auditAnnotations []admissionregistration.v1.AuditAnnotation
failurePolicy string enum:Fail|Ignore
matchConditions []admissionregistration.v1.MatchCondition keys:name merge:name
matchConstraints admissionregistration.v1.MatchResources
paramKind admissionregistration.v1.ParamKind
validations []admissionregistration.v1.Validation
variables []admissionregistration.v1.Variable keys:name merge:name)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyStatus", R"(conditions []meta.v1.Condition keys:type
observedGeneration integer
typeChecking admissionregistration.v1.TypeChecking)"},
    {"admissionregistration.v1.ValidatingWebhook", R"(admissionReviewVersions []string =null
clientConfig admissionregistration.v1.WebhookClientConfig ={}
failurePolicy string enum:Fail|Ignore
matchConditions []admissionregistration.v1.MatchCondition keys:name merge:name
matchPolicy string enum:Equivalent|Exact
name string =""
namespaceSelector meta.v1.LabelSelector
objectSelector meta.v1.LabelSelector
rules []admissionregistration.v1.RuleWithOperations
sideEffects string =null enum:None|NoneOnDryRun|Some|Unknown
timeoutSeconds integer)"},
    {"admissionregistration.v1.ValidatingWebhookConfiguration", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
webhooks []admissionregistration.v1.ValidatingWebhook keys:name merge:name)"},
    {"admissionregistration.v1.Validation", R"(expression string =""
message string
messageExpression string
reason string)"},
    {"admissionregistration.v1.Variable", R"(atomic
expression string =""
name string ="")"},
    {"admissionregistration.v1.WebhookClientConfig", R"(caBundle bytes
service admissionregistration.v1.ServiceReference
url string)"},
    {"apiextensions.v1.CustomResourceColumnDefinition", R"(description string
format string
jsonPath string =""
name string =""
priority integer
type string ="")"},
    {"apiextensions.v1.CustomResourceConversion", R"(strategy string =""
webhook apiextensions.v1.WebhookConversion)"},
    {"apiextensions.v1.CustomResourceDefinition", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apiextensions.v1.CustomResourceDefinitionSpec ={}
status apiextensions.v1.CustomResourceDefinitionStatus ={})"},
    {"apiextensions.v1.CustomResourceDefinitionCondition", R"(lastTransitionTime time
message string
observedGeneration integer
reason string
status string =""
type string ="")"},
    {"apiextensions.v1.CustomResourceDefinitionNames", R"(categories []string
kind string =""
listKind string
plural string =""
shortNames []string
singular string)"},
    {"apiextensions.v1.CustomResourceDefinitionSpec", R"(conversion apiextensions.v1.CustomResourceConversion
group string =""
names apiextensions.v1.CustomResourceDefinitionNames ={}
preserveUnknownFields boolean
scope string =""
versions []apiextensions.v1.CustomResourceDefinitionVersion =null)"},
    {"apiextensions.v1.CustomResourceDefinitionStatus", R"(acceptedNames apiextensions.v1.CustomResourceDefinitionNames ={}
conditions []apiextensions.v1.CustomResourceDefinitionCondition keys:type
observedGeneration integer
storedVersions []string)"},
    {"apiextensions.v1.CustomResourceDefinitionVersion", R"(additionalPrinterColumns []apiextensions.v1.CustomResourceColumnDefinition
deprecated boolean
deprecationWarning string
name string =""
schema apiextensions.v1.CustomResourceValidation
selectableFields []apiextensions.v1.SelectableField
served boolean =false
storage boolean =false
subresources apiextensions.v1.CustomResourceSubresources)"},
    {"apiextensions.v1.CustomResourceSubresourceScale", R"(labelSelectorPath string
specReplicasPath string =""
statusReplicasPath string ="")"},
    {"apiextensions.v1.CustomResourceSubresources", R"(scale apiextensions.v1.CustomResourceSubresourceScale
status any)"},
    {"apiextensions.v1.CustomResourceValidation", R"(openAPIV3Schema any)"},
    {"apiextensions.v1.SelectableField", R"(jsonPath string ="")"},
    {"apiextensions.v1.ServiceReference", R"(name string =""
namespace string =""
path string
port integer)"},
    {"apiextensions.v1.WebhookClientConfig", R"(caBundle bytes
service apiextensions.v1.ServiceReference
url string)"},
    {"apiextensions.v1.WebhookConversion", R"(clientConfig apiextensions.v1.WebhookClientConfig
conversionReviewVersions []string =null)"},
    {"apiregistration.v1.APIService", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apiregistration.v1.APIServiceSpec ={}
status apiregistration.v1.APIServiceStatus ={})"},
    {"apiregistration.v1.APIServiceCondition", R"(lastTransitionTime time
message string
reason string
status string =""
type string ="")"},
    {"apiregistration.v1.APIServiceSpec", R"(caBundle bytes atomic
group string
groupPriorityMinimum integer =0
insecureSkipTLSVerify boolean
service apiregistration.v1.ServiceReference
version string
versionPriority integer =0)"},
    {"apiregistration.v1.APIServiceStatus", R"(conditions []apiregistration.v1.APIServiceCondition keys:type merge:type)"},
    {"apiregistration.v1.ServiceReference", R"(name string
namespace string
port integer)"},
    {"apps.v1.ControllerRevision", R"(apiVersion string
data any
kind string
metadata meta.v1.ObjectMeta ={}
revision integer =0)"},
    {"apps.v1.DaemonSet", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apps.v1.DaemonSetSpec ={}
status apps.v1.DaemonSetStatus ={})"},
    {"apps.v1.DaemonSetCondition", R"(lastTransitionTime time
message string
reason string
status string =""
type string ="")"},
    {"apps.v1.DaemonSetSpec", R"(minReadySeconds integer
revisionHistoryLimit integer
selector meta.v1.LabelSelector =null
template core.v1.PodTemplateSpec ={}
updateStrategy apps.v1.DaemonSetUpdateStrategy ={})"},
    {"apps.v1.DaemonSetStatus", R"(collisionCount integer
conditions []apps.v1.DaemonSetCondition keys:type merge:type
currentNumberScheduled integer =0
desiredNumberScheduled integer =0
numberAvailable integer
numberMisscheduled integer =0
numberReady integer =0
numberUnavailable integer
observedGeneration integer
updatedNumberScheduled integer)"},
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
status string =""
type string ="")"},
    {"apps.v1.DeploymentSpec", R"(minReadySeconds integer
paused boolean
progressDeadlineSeconds integer
replicas integer
revisionHistoryLimit integer
selector meta.v1.LabelSelector =null
strategy apps.v1.DeploymentStrategy ={} retain
template core.v1.PodTemplateSpec ={})"},
    {"apps.v1.DeploymentStatus", R"(availableReplicas integer
collisionCount integer
conditions []apps.v1.DeploymentCondition keys:type merge:type
observedGeneration integer
readyReplicas integer
replicas integer
terminatingReplicas integer
unavailableReplicas integer
updatedReplicas integer)"},
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
status string =""
type string ="")"},
    {"apps.v1.ReplicaSetSpec", R"(minReadySeconds integer
replicas integer
selector meta.v1.LabelSelector =null
template core.v1.PodTemplateSpec ={})"},
    {"apps.v1.ReplicaSetStatus", R"(availableReplicas integer
conditions []apps.v1.ReplicaSetCondition keys:type merge:type
fullyLabeledReplicas integer
observedGeneration integer
readyReplicas integer
replicas integer =0
terminatingReplicas integer)"},
    {"apps.v1.RollingUpdateDaemonSet", R"(maxSurge int-or-string
maxUnavailable int-or-string)"},
    {"apps.v1.RollingUpdateDeployment", R"(maxSurge int-or-string
maxUnavailable int-or-string)"},
    {"apps.v1.RollingUpdateStatefulSetStrategy", R"(maxUnavailable int-or-string
partition integer)"},
    {"apps.v1.StatefulSet", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec apps.v1.StatefulSetSpec ={}
status apps.v1.StatefulSetStatus ={})"},
    {"apps.v1.StatefulSetCondition", R"(lastTransitionTime time
message string
reason string
status string =""
type string ="")"},
    {"apps.v1.StatefulSetOrdinals", R"(start integer =0)"},
    {"apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy", R"(whenDeleted string
whenScaled string)"},
    {"apps.v1.StatefulSetSpec", R"(minReadySeconds integer
ordinals apps.v1.StatefulSetOrdinals
persistentVolumeClaimRetentionPolicy apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy
podManagementPolicy string enum:OrderedReady|Parallel
replicas integer
revisionHistoryLimit integer
selector meta.v1.LabelSelector =null
serviceName string =""
template core.v1.PodTemplateSpec ={}
updateStrategy apps.v1.StatefulSetUpdateStrategy ={}
volumeClaimTemplates []core.v1.PersistentVolumeClaim)"},
    {"apps.v1.StatefulSetStatus", R"(availableReplicas integer =0
collisionCount integer
conditions []apps.v1.StatefulSetCondition keys:type merge:type
currentReplicas integer
currentRevision string
observedGeneration integer
readyReplicas integer
replicas integer =0
updateRevision string
updatedReplicas integer)"},
    {"apps.v1.StatefulSetUpdateStrategy", R"(rollingUpdate apps.v1.RollingUpdateStatefulSetStrategy
type string enum:OnDelete|RollingUpdate)"},
    {"authentication.v1.SelfSubjectReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
status authentication.v1.SelfSubjectReviewStatus ={})"},
    {"authentication.v1.SelfSubjectReviewStatus", R"(userInfo authentication.v1.UserInfo ={})"},
    {"authentication.v1.TokenReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authentication.v1.TokenReviewSpec ={}
status authentication.v1.TokenReviewStatus ={})"},
    {"authentication.v1.TokenReviewSpec", R"(audiences []string
token string =null)"},
    {"authentication.v1.TokenReviewStatus", R"(audiences []string
authenticated boolean
error string
user authentication.v1.UserInfo ={})"},
    {"authentication.v1.UserInfo", R"(extra {}[]string
groups []string
uid string
username string)"},
    {"authorization.v1.FieldSelectorAttributes", R"(rawSelector string
requirements []meta.v1.FieldSelectorRequirement)"},
    {"authorization.v1.LabelSelectorAttributes", R"(rawSelector string
requirements []meta.v1.LabelSelectorRequirement)"},
    {"authorization.v1.LocalSubjectAccessReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authorization.v1.SubjectAccessReviewSpec ={}
status authorization.v1.SubjectAccessReviewStatus ={})"},
    {"authorization.v1.NonResourceAttributes", R"(path string
verb string)"},
    {"authorization.v1.NonResourceRule", R"(nonResourceURLs []string
verbs []string =null)"},
    {"authorization.v1.ResourceAttributes", R"(fieldSelector authorization.v1.FieldSelectorAttributes
group string
labelSelector authorization.v1.LabelSelectorAttributes
name string
namespace string
resource string
subresource string
verb string
version string)"},
    {"authorization.v1.ResourceRule", R"(apiGroups []string
resourceNames []string
resources []string
verbs []string =null)"},
    {"authorization.v1.SelfSubjectAccessReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authorization.v1.SelfSubjectAccessReviewSpec ={}
status authorization.v1.SubjectAccessReviewStatus ={})"},
    {"authorization.v1.SelfSubjectAccessReviewSpec", R"(nonResourceAttributes authorization.v1.NonResourceAttributes
resourceAttributes authorization.v1.ResourceAttributes)"},
    {"authorization.v1.SelfSubjectRulesReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authorization.v1.SelfSubjectRulesReviewSpec ={}
status authorization.v1.SubjectRulesReviewStatus ={})"},
    {"authorization.v1.SelfSubjectRulesReviewSpec", R"(namespace string)"},
    {"authorization.v1.SubjectAccessReview", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec authorization.v1.SubjectAccessReviewSpec ={}
status authorization.v1.SubjectAccessReviewStatus ={})"},
    {"authorization.v1.SubjectAccessReviewSpec", R"(extra {}[]string
groups []string
nonResourceAttributes authorization.v1.NonResourceAttributes
resourceAttributes authorization.v1.ResourceAttributes
uid string
user string)"},
    {"authorization.v1.SubjectAccessReviewStatus", R"(allowed boolean =false
denied boolean
evaluationError string
reason string)"},
    {"authorization.v1.SubjectRulesReviewStatus", R"(evaluationError string
incomplete boolean =false
nonResourceRules []authorization.v1.NonResourceRule =null
resourceRules []authorization.v1.ResourceRule =null)"},
    {"autoscaling.v1.CrossVersionObjectReference", R"(atomic
apiVersion string
kind string =""
name string ="")"},
    {"autoscaling.v1.HorizontalPodAutoscaler", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec autoscaling.v1.HorizontalPodAutoscalerSpec ={}
status autoscaling.v1.HorizontalPodAutoscalerStatus ={})"},
    {"autoscaling.v1.HorizontalPodAutoscalerSpec", R"(maxReplicas integer =0
minReplicas integer
scaleTargetRef autoscaling.v1.CrossVersionObjectReference ={}
targetCPUUtilizationPercentage integer)"},
    {"autoscaling.v1.HorizontalPodAutoscalerStatus", R"(currentCPUUtilizationPercentage integer
currentReplicas integer =0
desiredReplicas integer =0
lastScaleTime time
observedGeneration integer)"},
    {"autoscaling.v2.ContainerResourceMetricSource", R"(container string =""
name string =""
target autoscaling.v2.MetricTarget ={})"},
    {"autoscaling.v2.ContainerResourceMetricStatus", R"(container string =""
current autoscaling.v2.MetricValueStatus ={}
name string ="")"},
    {"autoscaling.v2.CrossVersionObjectReference", R"(apiVersion string
kind string =""
name string ="")"},
    {"autoscaling.v2.ExternalMetricSource", R"(metric autoscaling.v2.MetricIdentifier ={}
target autoscaling.v2.MetricTarget ={})"},
    {"autoscaling.v2.ExternalMetricStatus", R"(current autoscaling.v2.MetricValueStatus ={}
metric autoscaling.v2.MetricIdentifier ={})"},
    {"autoscaling.v2.HPAScalingPolicy", R"(periodSeconds integer =0
type string =""
value integer =0)"},
    {"autoscaling.v2.HPAScalingRules", R"(policies []autoscaling.v2.HPAScalingPolicy
selectPolicy string
stabilizationWindowSeconds integer
tolerance quantity)"},
    {"autoscaling.v2.HorizontalPodAutoscaler", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec autoscaling.v2.HorizontalPodAutoscalerSpec ={}
status autoscaling.v2.HorizontalPodAutoscalerStatus ={})"},
    {"autoscaling.v2.HorizontalPodAutoscalerBehavior", R"(scaleDown autoscaling.v2.HPAScalingRules
scaleUp autoscaling.v2.HPAScalingRules)"},
    {"autoscaling.v2.HorizontalPodAutoscalerCondition", R"(lastTransitionTime time
message string
reason string
status string =""
type string ="")"},
    {"autoscaling.v2.HorizontalPodAutoscalerSpec", R"(behavior autoscaling.v2.HorizontalPodAutoscalerBehavior
maxReplicas integer =0
metrics []autoscaling.v2.MetricSpec
minReplicas integer
scaleTargetRef autoscaling.v2.CrossVersionObjectReference ={})"},
    {"autoscaling.v2.HorizontalPodAutoscalerStatus", R"(conditions []autoscaling.v2.HorizontalPodAutoscalerCondition keys:type merge:type
currentMetrics []autoscaling.v2.MetricStatus =null
currentReplicas integer
desiredReplicas integer =0
lastScaleTime time
observedGeneration integer)"},
    {"autoscaling.v2.MetricIdentifier", R"(name string =""
selector meta.v1.LabelSelector)"},
    {"autoscaling.v2.MetricSpec", R"(containerResource autoscaling.v2.ContainerResourceMetricSource
external autoscaling.v2.ExternalMetricSource
object autoscaling.v2.ObjectMetricSource
pods autoscaling.v2.PodsMetricSource
resource autoscaling.v2.ResourceMetricSource
type string ="")"},
    {"autoscaling.v2.MetricStatus", R"(containerResource autoscaling.v2.ContainerResourceMetricStatus
external autoscaling.v2.ExternalMetricStatus
object autoscaling.v2.ObjectMetricStatus
pods autoscaling.v2.PodsMetricStatus
resource autoscaling.v2.ResourceMetricStatus
type string ="")"},
    {"autoscaling.v2.MetricTarget", R"(averageUtilization integer
averageValue quantity
type string =""
value quantity)"},
    {"autoscaling.v2.MetricValueStatus", R"(averageUtilization integer
averageValue quantity
value quantity)"},
    {"autoscaling.v2.ObjectMetricSource", R"(describedObject autoscaling.v2.CrossVersionObjectReference ={}
metric autoscaling.v2.MetricIdentifier ={}
target autoscaling.v2.MetricTarget ={})"},
    {"autoscaling.v2.ObjectMetricStatus", R"(current autoscaling.v2.MetricValueStatus ={}
describedObject autoscaling.v2.CrossVersionObjectReference ={}
metric autoscaling.v2.MetricIdentifier ={})"},
    {"autoscaling.v2.PodsMetricSource", R"(metric autoscaling.v2.MetricIdentifier ={}
target autoscaling.v2.MetricTarget ={})"},
    {"autoscaling.v2.PodsMetricStatus", R"(current autoscaling.v2.MetricValueStatus ={}
metric autoscaling.v2.MetricIdentifier ={})"},
    {"autoscaling.v2.ResourceMetricSource", R"(name string =""
target autoscaling.v2.MetricTarget ={})"},
    {"autoscaling.v2.ResourceMetricStatus", R"(current autoscaling.v2.MetricValueStatus ={}
name string ="")"},
    {"batch.v1.CronJob", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec batch.v1.CronJobSpec ={}
status batch.v1.CronJobStatus ={})"},
    {"batch.v1.CronJobSpec", R"(concurrencyPolicy string enum:Allow|Forbid|Replace
failedJobsHistoryLimit integer
jobTemplate batch.v1.JobTemplateSpec ={}
schedule string =""
startingDeadlineSeconds integer
successfulJobsHistoryLimit integer
suspend boolean
timeZone string)"},
    {"batch.v1.CronJobStatus", R"(active []core.v1.ObjectReference
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
status string =""
type string ="")"},
    {"batch.v1.JobSpec", R"(activeDeadlineSeconds integer
backoffLimit integer
backoffLimitPerIndex integer
completionMode string enum:Indexed|NonIndexed
completions integer
managedBy string
manualSelector boolean
maxFailedIndexes integer
parallelism integer
podFailurePolicy batch.v1.PodFailurePolicy
podReplacementPolicy string enum:Failed|TerminatingOrFailed
selector meta.v1.LabelSelector
successPolicy batch.v1.SuccessPolicy
suspend boolean
template core.v1.PodTemplateSpec ={}
ttlSecondsAfterFinished integer)"},
    {"batch.v1.JobStatus", R"(active integer
completedIndexes string
completionTime time
conditions []batch.v1.JobCondition merge:type
failed integer
failedIndexes string
ready integer
startTime time
succeeded integer
terminating integer
uncountedTerminatedPods batch.v1.UncountedTerminatedPods)"},
    {"batch.v1.JobTemplateSpec", R"(metadata meta.v1.ObjectMeta ={}
spec batch.v1.JobSpec ={})"},
    {"batch.v1.PodFailurePolicy", R"(rules []batch.v1.PodFailurePolicyRule =null)"},
    {"batch.v1.PodFailurePolicyOnExitCodesRequirement", R"(containerName string
operator string ="" enum:In|NotIn
values []integer =null set)"},
    {"batch.v1.PodFailurePolicyOnPodConditionsPattern", R"(status string =""
type string ="")"},
    {"batch.v1.PodFailurePolicyRule", R"(action string ="" enum:Count|FailIndex|FailJob|Ignore
onExitCodes batch.v1.PodFailurePolicyOnExitCodesRequirement
onPodConditions []batch.v1.PodFailurePolicyOnPodConditionsPattern)"},
    {"batch.v1.SuccessPolicy", R"(rules []batch.v1.SuccessPolicyRule =null)"},
    {"batch.v1.SuccessPolicyRule", R"(succeededCount integer
succeededIndexes string)"},
    {"batch.v1.UncountedTerminatedPods", R"(failed []string set
succeeded []string set)"},
    {"certificates.v1.CertificateSigningRequest", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec certificates.v1.CertificateSigningRequestSpec ={}
status certificates.v1.CertificateSigningRequestStatus ={})"},
    {"certificates.v1.CertificateSigningRequestCondition", R"(lastTransitionTime time
lastUpdateTime time
message string
reason string
status string =""
type string ="")"},
    {"certificates.v1.CertificateSigningRequestSpec", R"(expirationSeconds integer
extra {}[]string
groups []string
request bytes =null
signerName string =""
uid string
usages []string
username string)"},
    {"certificates.v1.CertificateSigningRequestStatus", R"(certificate bytes
conditions []certificates.v1.CertificateSigningRequestCondition keys:type)"},
    {"coordination.v1.Lease", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec coordination.v1.LeaseSpec ={})"},
    {"coordination.v1.LeaseSpec", R"(acquireTime microtime
holderIdentity string keep
leaseDurationSeconds integer
leaseTransitions integer
preferredHolder string keep
renewTime microtime
strategy string keep)"},
    {"core.v1.AWSElasticBlockStoreVolumeSource", R"(fsType string
partition integer
readOnly boolean
volumeID string ="")"},
    {"core.v1.Affinity", R"(nodeAffinity core.v1.NodeAffinity
podAffinity core.v1.PodAffinity
podAntiAffinity core.v1.PodAntiAffinity)"},
    {"core.v1.AppArmorProfile", R"(localhostProfile string
type string ="" enum:Localhost|RuntimeDefault|Unconfined)"},
    {"core.v1.AttachedVolume", R"(devicePath string =""
name string ="")"},
    {"core.v1.AzureDiskVolumeSource", R"(cachingMode string ="ReadWrite" enum:None|ReadOnly|ReadWrite
diskName string =""
diskURI string =""
fsType string ="ext4"
kind string ="Shared" enum:Dedicated|Managed|Shared
readOnly boolean =false)"},
    {"core.v1.AzureFilePersistentVolumeSource", R"(readOnly boolean
secretName string =""
secretNamespace string
shareName string ="")"},
    {"core.v1.AzureFileVolumeSource", R"(readOnly boolean
secretName string =""
shareName string ="")"},
    {"core.v1.Binding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
target core.v1.ObjectReference ={})"},
    {"core.v1.CSIPersistentVolumeSource", R"(controllerExpandSecretRef core.v1.SecretReference
controllerPublishSecretRef core.v1.SecretReference
driver string =""
fsType string
nodeExpandSecretRef core.v1.SecretReference
nodePublishSecretRef core.v1.SecretReference
nodeStageSecretRef core.v1.SecretReference
readOnly boolean
volumeAttributes {}string
volumeHandle string ="")"},
    {"core.v1.CSIVolumeSource", R"(driver string =""
fsType string
nodePublishSecretRef core.v1.LocalObjectReference
readOnly boolean
volumeAttributes {}string)"},
    {"core.v1.Capabilities", R"(add []string
drop []string)"},
    {"core.v1.CephFSPersistentVolumeSource", R"(monitors []string =null
path string
readOnly boolean
secretFile string
secretRef core.v1.SecretReference
user string)"},
    {"core.v1.CephFSVolumeSource", R"(monitors []string =null
path string
readOnly boolean
secretFile string
secretRef core.v1.LocalObjectReference
user string)"},
    {"core.v1.CinderPersistentVolumeSource", R"(fsType string
readOnly boolean
secretRef core.v1.SecretReference
volumeID string ="")"},
    {"core.v1.CinderVolumeSource", R"(fsType string
readOnly boolean
secretRef core.v1.LocalObjectReference
volumeID string ="")"},
    {"core.v1.ClientIPConfig", R"(timeoutSeconds integer)"},
    {"core.v1.ClusterTrustBundleProjection", R"(labelSelector meta.v1.LabelSelector
name string
optional boolean
path string =""
signerName string)"},
    {"core.v1.ComponentCondition", R"(error string
message string
status string =""
type string ="")"},
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
key string =""
name string
optional boolean)"},
    {"core.v1.ConfigMapNodeConfigSource", R"(kubeletConfigKey string =""
name string =""
namespace string =""
resourceVersion string
uid string)"},
    {"core.v1.ConfigMapProjection", R"(items []core.v1.KeyToPath
name string
optional boolean)"},
    {"core.v1.ConfigMapVolumeSource", R"(defaultMode integer
items []core.v1.KeyToPath
name string
optional boolean)"},
    {"core.v1.Container", R"(args []string
command []string
env []core.v1.EnvVar keys:name merge:name
envFrom []core.v1.EnvFromSource
image string
imagePullPolicy string enum:Always|IfNotPresent|Never
lifecycle core.v1.Lifecycle
livenessProbe core.v1.Probe
name string =""
ports []core.v1.ContainerPort keys:containerPort,protocol merge:containerPort
readinessProbe core.v1.Probe
resizePolicy []core.v1.ContainerResizePolicy
resources core.v1.ResourceRequirements ={}
restartPolicy string
restartPolicyRules []core.v1.ContainerRestartRule
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
    {"core.v1.ContainerExtendedResourceRequest", R"(containerName string =""
requestName string =""
resourceName string ="")"},
    {"core.v1.ContainerImage", R"(names []string
sizeBytes integer)"},
    {"core.v1.ContainerPort", R"(containerPort integer =0
hostIP string
hostPort integer
name string
protocol string ="TCP" enum:SCTP|TCP|UDP)"},
    {"core.v1.ContainerResizePolicy", R"(resourceName string =""
restartPolicy string ="")"},
    {"core.v1.ContainerRestartRule", R"(action string =null
exitCodes core.v1.ContainerRestartRuleOnExitCodes)"},
    {"core.v1.ContainerRestartRuleOnExitCodes", R"(operator string =null
values []integer set)"},
    {"core.v1.ContainerState", R"(running core.v1.ContainerStateRunning
terminated core.v1.ContainerStateTerminated
waiting core.v1.ContainerStateWaiting)"},
    {"core.v1.ContainerStateRunning", R"(startedAt time)"},
    {"core.v1.ContainerStateTerminated", R"(containerID string
exitCode integer =0
finishedAt time
message string
reason string
signal integer
startedAt time)"},
    {"core.v1.ContainerStateWaiting", R"(message string
reason string)"},
    {"core.v1.ContainerStatus", R"(allocatedResources {}quantity
allocatedResourcesStatus []core.v1.ResourceStatus keys:name merge:name
containerID string
image string =""
imageID string =""
lastState core.v1.ContainerState ={}
name string =""
ready boolean =false
resources core.v1.ResourceRequirements
restartCount integer =0
started boolean
state core.v1.ContainerState ={}
stopSignal string enum:SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ
user core.v1.ContainerUser
volumeMounts []core.v1.VolumeMountStatus keys:mountPath merge:mountPath)"},
    {"core.v1.ContainerUser", R"(linux core.v1.LinuxContainerUser)"},
    {"core.v1.DaemonEndpoint", R"(Port integer =0)"},
    {"core.v1.DownwardAPIProjection", R"(items []core.v1.DownwardAPIVolumeFile)"},
    {"core.v1.DownwardAPIVolumeFile", R"(fieldRef core.v1.ObjectFieldSelector
mode integer
path string =""
resourceFieldRef core.v1.ResourceFieldSelector)"},
    {"core.v1.DownwardAPIVolumeSource", R"(defaultMode integer
items []core.v1.DownwardAPIVolumeFile)"},
    {"core.v1.EmptyDirVolumeSource", R"(medium string
sizeLimit quantity)"},
    {"core.v1.EndpointAddress", R"(atomic
hostname string
ip string =""
nodeName string
targetRef core.v1.ObjectReference)"},
    {"core.v1.EndpointPort", R"(atomic
appProtocol string keep
name string
port integer =0
protocol string enum:SCTP|TCP|UDP)"},
    {"core.v1.EndpointSubset", R"(addresses []core.v1.EndpointAddress
notReadyAddresses []core.v1.EndpointAddress
ports []core.v1.EndpointPort)"},
    {"core.v1.Endpoints", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
subsets []core.v1.EndpointSubset)"},
    {"core.v1.EnvFromSource", R"(configMapRef core.v1.ConfigMapEnvSource
prefix string
secretRef core.v1.SecretEnvSource)"},
    {"core.v1.EnvVar", R"(name string =""
value string
valueFrom core.v1.EnvVarSource)"},
    {"core.v1.EnvVarSource", R"(configMapKeyRef core.v1.ConfigMapKeySelector
fieldRef core.v1.ObjectFieldSelector
fileKeyRef core.v1.FileKeySelector
resourceFieldRef core.v1.ResourceFieldSelector
secretKeyRef core.v1.SecretKeySelector)"},
    {"core.v1.EphemeralContainer", R"(args []string
command []string
env []core.v1.EnvVar keys:name merge:name
envFrom []core.v1.EnvFromSource
image string
imagePullPolicy string enum:Always|IfNotPresent|Never
lifecycle core.v1.Lifecycle
livenessProbe core.v1.Probe
name string =""
ports []core.v1.ContainerPort keys:containerPort,protocol merge:containerPort
readinessProbe core.v1.Probe
resizePolicy []core.v1.ContainerResizePolicy
resources core.v1.ResourceRequirements ={}
restartPolicy string
restartPolicyRules []core.v1.ContainerRestartRule
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
count integer
eventTime microtime
firstTimestamp time
involvedObject core.v1.ObjectReference ={}
kind string
lastTimestamp time
message string
metadata meta.v1.ObjectMeta ={}
reason string
related core.v1.ObjectReference
reportingComponent string =""
reportingInstance string =""
series core.v1.EventSeries
source core.v1.EventSource ={}
type string)"},
    {"core.v1.EventSeries", R"(count integer
lastObservedTime microtime)"},
    {"core.v1.EventSource", R"(component string
host string)"},
    {"core.v1.ExecAction", R"(command []string)"},
    {"core.v1.FCVolumeSource", R"(fsType string
lun integer
readOnly boolean
targetWWNs []string
wwids []string)"},
    {"core.v1.FileKeySelector", R"(atomic
key string =""
optional boolean =false
path string =""
volumeName string ="")"},
    {"core.v1.FlexPersistentVolumeSource", R"(driver string =""
fsType string
options {}string
readOnly boolean
secretRef core.v1.SecretReference)"},
    {"core.v1.FlexVolumeSource", R"(driver string =""
fsType string
options {}string
readOnly boolean
secretRef core.v1.LocalObjectReference)"},
    {"core.v1.FlockerVolumeSource", R"(datasetName string
datasetUUID string)"},
    {"core.v1.GCEPersistentDiskVolumeSource", R"(fsType string
partition integer
pdName string =""
readOnly boolean)"},
    {"core.v1.GRPCAction", R"(port integer =0
service string ="")"},
    {"core.v1.GitRepoVolumeSource", R"(directory string
repository string =""
revision string)"},
    {"core.v1.GlusterfsPersistentVolumeSource", R"(endpoints string =""
endpointsNamespace string
path string =""
readOnly boolean)"},
    {"core.v1.GlusterfsVolumeSource", R"(endpoints string =""
path string =""
readOnly boolean)"},
    {"core.v1.HTTPGetAction", R"(host string
httpHeaders []core.v1.HTTPHeader
path string
port int-or-string
scheme string enum:HTTP|HTTPS)"},
    {"core.v1.HTTPHeader", R"(name string =""
value string ="")"},
    {"core.v1.HostAlias", R"(hostnames []string
ip string ="")"},
    {"core.v1.HostIP", R"(ip string ="")"},
    {"core.v1.HostPathVolumeSource", R"(path string =""
type string enum:|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket keep)"},
    {"core.v1.ISCSIPersistentVolumeSource", R"(chapAuthDiscovery boolean
chapAuthSession boolean
fsType string
initiatorName string
iqn string =""
iscsiInterface string ="default"
lun integer =0
portals []string
readOnly boolean
secretRef core.v1.SecretReference
targetPortal string ="")"},
    {"core.v1.ISCSIVolumeSource", R"(chapAuthDiscovery boolean
chapAuthSession boolean
fsType string
initiatorName string
iqn string =""
iscsiInterface string ="default"
lun integer =0
portals []string
readOnly boolean
secretRef core.v1.LocalObjectReference
targetPortal string ="")"},
    {"core.v1.ImageVolumeSource", R"(pullPolicy string enum:Always|IfNotPresent|Never
reference string)"},
    {"core.v1.ImageVolumeStatus", R"(imageRef string =null)"},
    {"core.v1.KeyToPath", R"(key string =""
mode integer
path string ="")"},
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
type string ="")"},
    {"core.v1.LimitRangeSpec", R"(limits []core.v1.LimitRangeItem =null)"},
    {"core.v1.LinuxContainerUser", R"(gid integer =0
supplementalGroups []integer
uid integer =0)"},
    {"core.v1.LoadBalancerIngress", R"(hostname string
ip string
ipMode string
ports []core.v1.PortStatus)"},
    {"core.v1.LoadBalancerStatus", R"(ingress []core.v1.LoadBalancerIngress)"},
    {"core.v1.LocalObjectReference", R"(atomic
name string)"},
    {"core.v1.LocalVolumeSource", R"(fsType string
path string ="")"},
    {"core.v1.ModifyVolumeStatus", R"(status string ="" enum:InProgress|Infeasible|Pending
targetVolumeAttributesClassName string)"},
    {"core.v1.NFSVolumeSource", R"(path string =""
readOnly boolean
server string ="")"},
    {"core.v1.Namespace", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.NamespaceSpec ={}
status core.v1.NamespaceStatus ={})"},
    {"core.v1.NamespaceCondition", R"(lastTransitionTime time
message string
reason string
status string =""
type string ="")"},
    {"core.v1.NamespaceSpec", R"(finalizers []string)"},
    {"core.v1.NamespaceStatus", R"(conditions []core.v1.NamespaceCondition keys:type merge:type
phase string enum:Active|Terminating)"},
    {"core.v1.Node", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.NodeSpec ={}
status core.v1.NodeStatus ={})"},
    {"core.v1.NodeAddress", R"(address string =""
type string ="")"},
    {"core.v1.NodeAffinity", R"(preferredDuringSchedulingIgnoredDuringExecution []core.v1.PreferredSchedulingTerm
requiredDuringSchedulingIgnoredDuringExecution core.v1.NodeSelector)"},
    {"core.v1.NodeAllocatableResourceClaimStatus", R"(containers []string set
resourceClaimName string =""
resources {}quantity =null)"},
    {"core.v1.NodeCondition", R"(lastHeartbeatTime time
lastTransitionTime time
message string
reason string
status string =""
type string ="")"},
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
nodeSelectorTerms []core.v1.NodeSelectorTerm =null)"},
    {"core.v1.NodeSelectorRequirement", R"(key string =""
operator string ="" enum:DoesNotExist|Exists|Gt|In|Lt|NotIn
values []string)"},
    {"core.v1.NodeSelectorTerm", R"(atomic
matchExpressions []core.v1.NodeSelectorRequirement
matchFields []core.v1.NodeSelectorRequirement)"},
    {"core.v1.NodeSpec", R"(configSource core.v1.NodeConfigSource
externalID string
podCIDR string
podCIDRs []string set merge
providerID string
taints []core.v1.Taint
unschedulable boolean)"},
    {"core.v1.NodeStatus", R"(addresses []core.v1.NodeAddress keys:type merge:type
allocatable {}quantity
capacity {}quantity
conditions []core.v1.NodeCondition keys:type merge:type
config core.v1.NodeConfigStatus
daemonEndpoints core.v1.NodeDaemonEndpoints ={}
declaredFeatures []string
features core.v1.NodeFeatures
images []core.v1.ContainerImage
nodeInfo core.v1.NodeSystemInfo ={}
phase string enum:Pending|Running|Terminated
runtimeHandlers []core.v1.NodeRuntimeHandler
volumesAttached []core.v1.AttachedVolume
volumesInUse []string)"},
    {"core.v1.NodeSwapStatus", R"(capacity integer)"},
    {"core.v1.NodeSystemInfo", R"(architecture string =""
bootID string =""
containerRuntimeVersion string =""
kernelVersion string =""
kubeProxyVersion string =""
kubeletVersion string =""
machineID string =""
operatingSystem string =""
osImage string =""
swap core.v1.NodeSwapStatus
systemUUID string ="")"},
    {"core.v1.ObjectFieldSelector", R"(atomic
apiVersion string
fieldPath string ="")"},
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
status string =""
type string ="")"},
    {"core.v1.PersistentVolumeClaimSpec", R"(accessModes []string
dataSource core.v1.TypedLocalObjectReference
dataSourceRef core.v1.TypedObjectReference
resources core.v1.VolumeResourceRequirements ={}
selector meta.v1.LabelSelector
storageClassName string keep
volumeAttributesClassName string keep
volumeMode string enum:Block|Filesystem
volumeName string)"},
    {"core.v1.PersistentVolumeClaimStatus", R"(accessModes []string
allocatedResourceStatuses {}string
allocatedResources {}quantity
capacity {}quantity
conditions []core.v1.PersistentVolumeClaimCondition keys:type merge:type
currentVolumeAttributesClassName string
modifyVolumeStatus core.v1.ModifyVolumeStatus
phase string enum:Bound|Lost|Pending)"},
    {"core.v1.PersistentVolumeClaimTemplate", R"(metadata meta.v1.ObjectMeta ={}
spec core.v1.PersistentVolumeClaimSpec ={})"},
    {"core.v1.PersistentVolumeClaimVolumeSource", R"(claimName string =""
readOnly boolean)"},
    {"core.v1.PersistentVolumeSpec", R"(accessModes []string
awsElasticBlockStore core.v1.AWSElasticBlockStoreVolumeSource
azureDisk core.v1.AzureDiskVolumeSource
azureFile core.v1.AzureFilePersistentVolumeSource
capacity {}quantity
cephfs core.v1.CephFSPersistentVolumeSource
cinder core.v1.CinderPersistentVolumeSource
claimRef core.v1.ObjectReference
csi core.v1.CSIPersistentVolumeSource
fc core.v1.FCVolumeSource
flexVolume core.v1.FlexPersistentVolumeSource
flocker core.v1.FlockerVolumeSource
gcePersistentDisk core.v1.GCEPersistentDiskVolumeSource
glusterfs core.v1.GlusterfsPersistentVolumeSource
hostPath core.v1.HostPathVolumeSource
iscsi core.v1.ISCSIPersistentVolumeSource
local core.v1.LocalVolumeSource
mountOptions []string
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
pdID string ="")"},
    {"core.v1.Pod", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.PodSpec ={}
status core.v1.PodStatus ={})"},
    {"core.v1.PodAffinity", R"(preferredDuringSchedulingIgnoredDuringExecution []core.v1.WeightedPodAffinityTerm
requiredDuringSchedulingIgnoredDuringExecution []core.v1.PodAffinityTerm)"},
    {"core.v1.PodAffinityTerm", R"(labelSelector meta.v1.LabelSelector
matchLabelKeys []string
mismatchLabelKeys []string
namespaceSelector meta.v1.LabelSelector
namespaces []string
topologyKey string ="")"},
    {"core.v1.PodAntiAffinity", R"(preferredDuringSchedulingIgnoredDuringExecution []core.v1.WeightedPodAffinityTerm
requiredDuringSchedulingIgnoredDuringExecution []core.v1.PodAffinityTerm)"},
    {"core.v1.PodCertificateProjection", R"(certificateChainPath string
credentialBundlePath string
keyPath string
keyType string =null
maxExpirationSeconds integer
signerName string =null
userAnnotations {}string)"},
    {"core.v1.PodCondition", R"(lastProbeTime time
lastTransitionTime time
message string
observedGeneration integer
reason string
status string =""
type string ="")"},
    {"core.v1.PodDNSConfig", R"(nameservers []string
options []core.v1.PodDNSConfigOption
searches []string)"},
    {"core.v1.PodDNSConfigOption", R"(name string
value string)"},
    {"core.v1.PodExtendedResourceClaimStatus", R"(requestMappings []core.v1.ContainerExtendedResourceRequest =null
resourceClaimName string ="")"},
    {"core.v1.PodIP", R"(ip string ="")"},
    {"core.v1.PodOS", R"(name string ="")"},
    {"core.v1.PodReadinessGate", R"(conditionType string ="")"},
    {"core.v1.PodResourceClaim", R"(name string =""
resourceClaimName string
resourceClaimTemplateName string)"},
    {"core.v1.PodResourceClaimStatus", R"(name string =""
resourceClaimName string)"},
    {"core.v1.PodSchedulingGate", R"(name string ="")"},
    {"core.v1.PodSchedulingGroup", R"(podGroupName string)"},
    {"core.v1.PodSecurityContext", R"(appArmorProfile core.v1.AppArmorProfile
fsGroup integer
fsGroupChangePolicy string enum:Always|OnRootMismatch
runAsGroup integer
runAsNonRoot boolean
runAsUser integer
seLinuxChangePolicy string
seLinuxOptions core.v1.SELinuxOptions
seccompProfile core.v1.SeccompProfile
supplementalGroups []integer
supplementalGroupsPolicy string enum:Merge|Strict
sysctls []core.v1.Sysctl
windowsOptions core.v1.WindowsSecurityContextOptions)"},
    {"core.v1.PodSpec", R"(activeDeadlineSeconds integer
affinity core.v1.Affinity
automountServiceAccountToken boolean
containers []core.v1.Container =null keys:name merge:name
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
priority integer
priorityClassName string
readinessGates []core.v1.PodReadinessGate
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
terminationGracePeriodSeconds integer
tolerations []core.v1.Toleration
topologySpreadConstraints []core.v1.TopologySpreadConstraint keys:topologyKey,whenUnsatisfiable merge:topologyKey
volumes []core.v1.Volume keys:name merge:name retain)"},
    {"core.v1.PodStatus", R"(allocatedResources {}quantity
conditions []core.v1.PodCondition keys:type merge:type
containerStatuses []core.v1.ContainerStatus
ephemeralContainerStatuses []core.v1.ContainerStatus
extendedResourceClaimStatus core.v1.PodExtendedResourceClaimStatus
hostIP string
hostIPs []core.v1.HostIP merge:ip
initContainerStatuses []core.v1.ContainerStatus
message string
nodeAllocatableResourceClaimStatuses []core.v1.NodeAllocatableResourceClaimStatus
nominatedNodeName string
observedGeneration integer
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
port integer =0
protocol string ="" enum:SCTP|TCP|UDP)"},
    {"core.v1.PortworxVolumeSource", R"(fsType string
readOnly boolean
volumeID string ="")"},
    {"core.v1.PreferredSchedulingTerm", R"(preference core.v1.NodeSelectorTerm ={}
weight integer =0)"},
    {"core.v1.Probe", R"(exec core.v1.ExecAction
failureThreshold integer
grpc core.v1.GRPCAction
httpGet core.v1.HTTPGetAction
initialDelaySeconds integer
periodSeconds integer
successThreshold integer
tcpSocket core.v1.TCPSocketAction
terminationGracePeriodSeconds integer
timeoutSeconds integer)"},
    {"core.v1.ProjectedVolumeSource", R"(defaultMode integer
sources []core.v1.VolumeProjection)"},
    {"core.v1.QuobyteVolumeSource", R"(group string
readOnly boolean
registry string =""
tenant string
user string
volume string ="")"},
    {"core.v1.RBDPersistentVolumeSource", R"(fsType string
image string =""
keyring string ="/etc/ceph/keyring"
monitors []string =null
pool string ="rbd"
readOnly boolean
secretRef core.v1.SecretReference
user string ="admin")"},
    {"core.v1.RBDVolumeSource", R"(fsType string
image string =""
keyring string ="/etc/ceph/keyring"
monitors []string =null
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
status string =""
type string ="")"},
    {"core.v1.ReplicationControllerSpec", R"(minReadySeconds integer =0
replicas integer =1
selector {}string atomic
template core.v1.PodTemplateSpec)"},
    {"core.v1.ReplicationControllerStatus", R"(availableReplicas integer
conditions []core.v1.ReplicationControllerCondition keys:type merge:type
fullyLabeledReplicas integer
observedGeneration integer
readyReplicas integer
replicas integer =0)"},
    {"core.v1.ResourceClaim", R"(name string =""
request string)"},
    {"core.v1.ResourceFieldSelector", R"(atomic
containerName string
divisor quantity
resource string ="")"},
    {"core.v1.ResourceHealth", R"(health string
message string
resourceID string ="")"},
    {"core.v1.ResourceQuota", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec core.v1.ResourceQuotaSpec ={}
status core.v1.ResourceQuotaStatus ={})"},
    {"core.v1.ResourceQuotaSpec", R"(hard {}quantity
scopeSelector core.v1.ScopeSelector
scopes []string)"},
    {"core.v1.ResourceQuotaStatus", R"(hard {}quantity
used {}quantity)"},
    {"core.v1.ResourceRequirements", R"(claims []core.v1.ResourceClaim keys:name
limits {}quantity
requests {}quantity)"},
    {"core.v1.ResourceStatus", R"(name string =""
resources []core.v1.ResourceHealth keys:resourceID)"},
    {"core.v1.SELinuxOptions", R"(level string
role string
type string
user string)"},
    {"core.v1.ScaleIOPersistentVolumeSource", R"(fsType string ="xfs"
gateway string =""
protectionDomain string
readOnly boolean
secretRef core.v1.SecretReference =null
sslEnabled boolean
storageMode string ="ThinProvisioned"
storagePool string
system string =""
volumeName string)"},
    {"core.v1.ScaleIOVolumeSource", R"(fsType string ="xfs"
gateway string =""
protectionDomain string
readOnly boolean
secretRef core.v1.LocalObjectReference =null
sslEnabled boolean
storageMode string ="ThinProvisioned"
storagePool string
system string =""
volumeName string)"},
    {"core.v1.ScopeSelector", R"(atomic
matchExpressions []core.v1.ScopedResourceSelectorRequirement)"},
    {"core.v1.ScopedResourceSelectorRequirement", R"(operator string ="" enum:DoesNotExist|Exists|In|NotIn
scopeName string ="" enum:BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass
values []string)"},
    {"core.v1.SeccompProfile", R"(localhostProfile string
type string ="" enum:Localhost|RuntimeDefault|Unconfined)"},
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
key string =""
name string
optional boolean)"},
    {"core.v1.SecretProjection", R"(items []core.v1.KeyToPath
name string
optional boolean)"},
    {"core.v1.SecretReference", R"(atomic
name string
namespace string)"},
    {"core.v1.SecretVolumeSource", R"(defaultMode integer
items []core.v1.KeyToPath
optional boolean
secretName string)"},
    {"core.v1.SecurityContext", R"(allowPrivilegeEscalation boolean
appArmorProfile core.v1.AppArmorProfile
capabilities core.v1.Capabilities
privileged boolean
procMount string enum:Default|Unmasked
readOnlyRootFilesystem boolean
runAsGroup integer
runAsNonRoot boolean
runAsUser integer
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
imagePullSecrets []core.v1.LocalObjectReference
kind string
metadata meta.v1.ObjectMeta ={}
secrets []core.v1.ObjectReference keys:name merge:name)"},
    {"core.v1.ServiceAccountTokenProjection", R"(audience string
expirationSeconds integer
path string ="")"},
    {"core.v1.ServicePort", R"(appProtocol string keep
name string
nodePort integer
port integer =0
protocol string ="TCP" enum:SCTP|TCP|UDP
targetPort int-or-string)"},
    {"core.v1.ServiceSpec", R"(allocateLoadBalancerNodePorts boolean
clusterIP string
clusterIPs []string
externalIPs []string
externalName string
externalTrafficPolicy string enum:Cluster|Local
healthCheckNodePort integer
internalTrafficPolicy string enum:Cluster|Local
ipFamilies []string
ipFamilyPolicy string enum:PreferDualStack|RequireDualStack|SingleStack
loadBalancerClass string keep
loadBalancerIP string
loadBalancerSourceRanges []string
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
    {"core.v1.SleepAction", R"(seconds integer =0)"},
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
    {"core.v1.Sysctl", R"(name string =""
value string ="")"},
    {"core.v1.TCPSocketAction", R"(host string
port int-or-string)"},
    {"core.v1.Taint", R"(effect string ="" enum:NoExecute|NoSchedule|PreferNoSchedule
key string =""
timeAdded time
value string)"},
    {"core.v1.Toleration", R"(effect string enum:NoExecute|NoSchedule|PreferNoSchedule
key string
operator string enum:Equal|Exists|Gt|Lt
tolerationSeconds integer
value string)"},
    {"core.v1.TopologySelectorLabelRequirement", R"(key string =""
values []string =null)"},
    {"core.v1.TopologySelectorTerm", R"(atomic
matchLabelExpressions []core.v1.TopologySelectorLabelRequirement)"},
    {"core.v1.TopologySpreadConstraint", R"(labelSelector meta.v1.LabelSelector
matchLabelKeys []string
maxSkew integer =0
minDomains integer
nodeAffinityPolicy string enum:Honor|Ignore
nodeTaintsPolicy string enum:Honor|Ignore
topologyKey string =""
whenUnsatisfiable string ="" enum:DoNotSchedule|ScheduleAnyway)"},
    {"core.v1.TypedLocalObjectReference", R"(atomic
apiGroup string
kind string =""
name string ="")"},
    {"core.v1.TypedObjectReference", R"(apiGroup string
kind string =""
name string =""
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
name string =""
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
    {"core.v1.VolumeDevice", R"(devicePath string =""
name string ="")"},
    {"core.v1.VolumeMount", R"(mountPath string =""
mountPropagation string enum:Bidirectional|HostToContainer|None
name string =""
readOnly boolean
recursiveReadOnly string
subPath string
subPathExpr string)"},
    {"core.v1.VolumeMountStatus", R"(mountPath string =""
name string =""
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
volumePath string ="")"},
    {"core.v1.WeightedPodAffinityTerm", R"(podAffinityTerm core.v1.PodAffinityTerm ={}
weight integer =0)"},
    {"core.v1.WindowsSecurityContextOptions", R"(gmsaCredentialSpec string
gmsaCredentialSpecName string
hostProcess boolean
runAsUserName string)"},
    {"discovery.v1.Endpoint", R"(addresses []string =null set
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
    {"discovery.v1.EndpointHints", R"(forNodes []discovery.v1.ForNode
forZones []discovery.v1.ForZone)"},
    {"discovery.v1.EndpointPort", R"(atomic
appProtocol string keep
name string
port integer
protocol string enum:SCTP|TCP|UDP)"},
    {"discovery.v1.EndpointSlice", R"(addressType string ="" enum:FQDN|IPv4|IPv6
apiVersion string
endpoints []discovery.v1.Endpoint
kind string
metadata meta.v1.ObjectMeta ={}
ports []discovery.v1.EndpointPort)"},
    {"discovery.v1.ForNode", R"(name string ="")"},
    {"discovery.v1.ForZone", R"(name string ="")"},
    {"events.v1.Event", R"(action string
apiVersion string
deprecatedCount integer
deprecatedFirstTimestamp time
deprecatedLastTimestamp time
deprecatedSource core.v1.EventSource ={}
eventTime microtime =null
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
    {"events.v1.EventSeries", R"(count integer =0
lastObservedTime microtime =null)"},
    {"flowcontrol.v1.ExemptPriorityLevelConfiguration", R"(lendablePercent integer
nominalConcurrencyShares integer)"},
    {"flowcontrol.v1.FlowDistinguisherMethod", R"(type string ="")"},
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
matchingPrecedence integer =0
priorityLevelConfiguration flowcontrol.v1.PriorityLevelConfigurationReference ={}
rules []flowcontrol.v1.PolicyRulesWithSubjects)"},
    {"flowcontrol.v1.FlowSchemaStatus", R"(conditions []flowcontrol.v1.FlowSchemaCondition keys:type merge:type)"},
    {"flowcontrol.v1.GroupSubject", R"(name string ="")"},
    {"flowcontrol.v1.LimitResponse", R"(queuing flowcontrol.v1.QueuingConfiguration
type string ="")"},
    {"flowcontrol.v1.LimitedPriorityLevelConfiguration", R"(borrowingLimitPercent integer
lendablePercent integer
limitResponse flowcontrol.v1.LimitResponse ={}
nominalConcurrencyShares integer)"},
    {"flowcontrol.v1.NonResourcePolicyRule", R"(nonResourceURLs []string =null set
verbs []string =null set)"},
    {"flowcontrol.v1.PolicyRulesWithSubjects", R"(nonResourceRules []flowcontrol.v1.NonResourcePolicyRule
resourceRules []flowcontrol.v1.ResourcePolicyRule
subjects []flowcontrol.v1.Subject =null)"},
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
    {"flowcontrol.v1.PriorityLevelConfigurationReference", R"(name string ="")"},
    {"flowcontrol.v1.PriorityLevelConfigurationSpec", R"(exempt flowcontrol.v1.ExemptPriorityLevelConfiguration
limited flowcontrol.v1.LimitedPriorityLevelConfiguration
type string ="")"},
    {"flowcontrol.v1.PriorityLevelConfigurationStatus", R"(conditions []flowcontrol.v1.PriorityLevelConfigurationCondition keys:type merge:type)"},
    {"flowcontrol.v1.QueuingConfiguration", R"(handSize integer =0
queueLengthLimit integer =0
queues integer =0)"},
    {"flowcontrol.v1.ResourcePolicyRule", R"(apiGroups []string =null set
clusterScope boolean
namespaces []string set
resources []string =null set
verbs []string =null set)"},
    {"flowcontrol.v1.ServiceAccountSubject", R"(name string =""
namespace string ="")"},
    {"flowcontrol.v1.Subject", R"(group flowcontrol.v1.GroupSubject
kind string =""
serviceAccount flowcontrol.v1.ServiceAccountSubject
user flowcontrol.v1.UserSubject)"},
    {"flowcontrol.v1.UserSubject", R"(name string ="")"},
    {"meta.v1.Condition", R"(lastTransitionTime time =null
message string =""
observedGeneration integer
reason string =""
status string =""
type string ="")"},
    {"meta.v1.FieldSelectorRequirement", R"(key string =""
operator string =""
values []string)"},
    {"meta.v1.LabelSelector", R"(atomic
matchExpressions []meta.v1.LabelSelectorRequirement
matchLabels {}string)"},
    {"meta.v1.LabelSelectorRequirement", R"(key string =""
operator string =""
values []string)"},
    {"meta.v1.ManagedFieldsEntry", R"(apiVersion string
fieldsType string
fieldsV1 any
manager string
operation string
subresource string
time time)"},
    {"meta.v1.ObjectMeta", R"(annotations {}string
creationTimestamp time
deletionGracePeriodSeconds integer
deletionTimestamp time
finalizers []string set merge
generateName string
generation integer
labels {}string
managedFields []meta.v1.ManagedFieldsEntry
name string
namespace string
ownerReferences []meta.v1.OwnerReference keys:uid merge:uid
resourceVersion string
selfLink string
uid string)"},
    {"meta.v1.OwnerReference", R"(atomic
apiVersion string =""
blockOwnerDeletion boolean
controller boolean
kind string =""
name string =""
uid string ="")"},
    {"networking.v1.HTTPIngressPath", R"(backend networking.v1.IngressBackend ={}
path string
pathType string =null enum:Exact|ImplementationSpecific|Prefix)"},
    {"networking.v1.HTTPIngressRuleValue", R"(paths []networking.v1.HTTPIngressPath =null)"},
    {"networking.v1.IPAddress", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec networking.v1.IPAddressSpec ={})"},
    {"networking.v1.IPAddressSpec", R"(parentRef networking.v1.ParentReference =null)"},
    {"networking.v1.IPBlock", R"(cidr string =""
except []string)"},
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
kind string =""
name string =""
namespace string
scope string)"},
    {"networking.v1.IngressClassSpec", R"(controller string
parameters networking.v1.IngressClassParametersReference)"},
    {"networking.v1.IngressLoadBalancerIngress", R"(hostname string
ip string
ports []networking.v1.IngressPortStatus)"},
    {"networking.v1.IngressLoadBalancerStatus", R"(ingress []networking.v1.IngressLoadBalancerIngress)"},
    {"networking.v1.IngressPortStatus", R"(error string
port integer =0
protocol string ="" enum:SCTP|TCP|UDP)"},
    {"networking.v1.IngressRule", R"(host string
http networking.v1.HTTPIngressRuleValue)"},
    {"networking.v1.IngressServiceBackend", R"(name string =""
port networking.v1.ServiceBackendPort ={})"},
    {"networking.v1.IngressSpec", R"(defaultBackend networking.v1.IngressBackend
ingressClassName string keep
rules []networking.v1.IngressRule
tls []networking.v1.IngressTLS)"},
    {"networking.v1.IngressStatus", R"(loadBalancer networking.v1.IngressLoadBalancerStatus ={})"},
    {"networking.v1.IngressTLS", R"(hosts []string
secretName string)"},
    {"networking.v1.NetworkPolicy", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec networking.v1.NetworkPolicySpec ={})"},
    {"networking.v1.NetworkPolicyEgressRule", R"(ports []networking.v1.NetworkPolicyPort
to []networking.v1.NetworkPolicyPeer)"},
    {"networking.v1.NetworkPolicyIngressRule", R"(from []networking.v1.NetworkPolicyPeer
ports []networking.v1.NetworkPolicyPort)"},
    {"networking.v1.NetworkPolicyPeer", R"(ipBlock networking.v1.IPBlock
namespaceSelector meta.v1.LabelSelector
podSelector meta.v1.LabelSelector)"},
    {"networking.v1.NetworkPolicyPort", R"(endPort integer
port int-or-string
protocol string enum:SCTP|TCP|UDP)"},
    {"networking.v1.NetworkPolicySpec", R"(egress []networking.v1.NetworkPolicyEgressRule
ingress []networking.v1.NetworkPolicyIngressRule
podSelector meta.v1.LabelSelector ={}
policyTypes []string)"},
    {"networking.v1.ParentReference", R"(group string
name string =null
namespace string
resource string =null)"},
    {"networking.v1.ServiceBackendPort", R"(atomic
name string
number integer)"},
    {"networking.v1.ServiceCIDR", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec networking.v1.ServiceCIDRSpec ={}
status networking.v1.ServiceCIDRStatus ={})"},
    {"networking.v1.ServiceCIDRSpec", R"(cidrs []string)"},
    {"networking.v1.ServiceCIDRStatus", R"(conditions []meta.v1.Condition keys:type merge:type)"},
    {"node.v1.Overhead", R"(podFixed {}quantity)"},
    {"node.v1.RuntimeClass", R"(apiVersion string
handler string =""
kind string
metadata meta.v1.ObjectMeta ={}
overhead node.v1.Overhead
scheduling node.v1.Scheduling)"},
    {"node.v1.Scheduling", R"(nodeSelector {}string atomic
tolerations []core.v1.Toleration)"},
    {"policy.v1.PodDisruptionBudget", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec policy.v1.PodDisruptionBudgetSpec ={}
status policy.v1.PodDisruptionBudgetStatus ={})"},
    {"policy.v1.PodDisruptionBudgetSpec", R"(maxUnavailable int-or-string
minAvailable int-or-string
selector meta.v1.LabelSelector
unhealthyPodEvictionPolicy string enum:AlwaysAllow|IfHealthyBudget)"},
    {"policy.v1.PodDisruptionBudgetStatus", R"(conditions []meta.v1.Condition keys:type merge:type
currentHealthy integer =0
desiredHealthy integer =0
disruptedPods {}time
disruptionsAllowed integer =0
expectedPods integer =0
observedGeneration integer)"},
    {"rbac.v1.AggregationRule", R"(clusterRoleSelectors []meta.v1.LabelSelector)"},
    {"rbac.v1.ClusterRole", R"(aggregationRule rbac.v1.AggregationRule
apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
rules []rbac.v1.PolicyRule =null)"},
    {"rbac.v1.ClusterRoleBinding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
roleRef rbac.v1.RoleRef ={}
subjects []rbac.v1.Subject)"},
    {"rbac.v1.PolicyRule", R"(apiGroups []string
nonResourceURLs []string
resourceNames []string
resources []string
verbs []string =null)"},
    {"rbac.v1.Role", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
rules []rbac.v1.PolicyRule =null)"},
    {"rbac.v1.RoleBinding", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
roleRef rbac.v1.RoleRef ={}
subjects []rbac.v1.Subject)"},
    {"rbac.v1.RoleRef", R"(atomic
apiGroup string =""
kind string =""
name string ="")"},
    {"rbac.v1.Subject", R"(atomic
apiGroup string
kind string =""
name string =""
namespace string)"},
    {"resource.v1.AllocatedDeviceStatus", R"(conditions []meta.v1.Condition keys:type
data any
device string =""
driver string =""
networkData resource.v1.NetworkDeviceData
pool string =""
shareID string)"},
    {"resource.v1.AllocationResult", R"(allocationTimestamp time
devices resource.v1.DeviceAllocationResult ={}
nodeSelector core.v1.NodeSelector)"},
    {"resource.v1.CELDeviceSelector", R"(expression string ="")"},
    {"resource.v1.CapacityRequestPolicy", R"(default quantity
validRange resource.v1.CapacityRequestPolicyRange
validValues []quantity)"},
    {"resource.v1.CapacityRequestPolicyRange", R"(max quantity
min quantity
step quantity)"},
    {"resource.v1.CapacityRequirements", R"(requests {}quantity)"},
    {"resource.v1.Counter", R"(value quantity)"},
    {"resource.v1.CounterSet", R"(counters {}resource.v1.Counter =null
name string ="")"},
    {"resource.v1.Device", R"(allNodes boolean
allowMultipleAllocations boolean
attributes {}resource.v1.DeviceAttribute
bindingConditions []string
bindingFailureConditions []string
bindsToNode boolean
capacity {}resource.v1.DeviceCapacity
consumesCounters []resource.v1.DeviceCounterConsumption
name string =""
nodeAllocatableResourceMappings {}resource.v1.NodeAllocatableResourceMapping
nodeName string
nodeSelector core.v1.NodeSelector
taints []resource.v1.DeviceTaint)"},
    {"resource.v1.DeviceAllocationConfiguration", R"(opaque resource.v1.OpaqueDeviceConfiguration
requests []string
source string ="" enum:FromClaim|FromClass)"},
    {"resource.v1.DeviceAllocationResult", R"(config []resource.v1.DeviceAllocationConfiguration
results []resource.v1.DeviceRequestAllocationResult)"},
    {"resource.v1.DeviceAttribute", R"(bool boolean
bools []boolean
int integer
ints []integer
string string
strings []string
version string
versions []string)"},
    {"resource.v1.DeviceCapacity", R"(requestPolicy resource.v1.CapacityRequestPolicy
value quantity)"},
    {"resource.v1.DeviceClaim", R"(config []resource.v1.DeviceClaimConfiguration
constraints []resource.v1.DeviceConstraint
requests []resource.v1.DeviceRequest)"},
    {"resource.v1.DeviceClaimConfiguration", R"(opaque resource.v1.OpaqueDeviceConfiguration
requests []string)"},
    {"resource.v1.DeviceClass", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec resource.v1.DeviceClassSpec ={})"},
    {"resource.v1.DeviceClassConfiguration", R"(opaque resource.v1.OpaqueDeviceConfiguration)"},
    {"resource.v1.DeviceClassSpec", R"(config []resource.v1.DeviceClassConfiguration
extendedResourceName string
selectors []resource.v1.DeviceSelector)"},
    {"resource.v1.DeviceConstraint", R"(distinctAttribute string
matchAttribute string
requests []string)"},
    {"resource.v1.DeviceCounterConsumption", R"(counterSet string =""
counters {}resource.v1.Counter =null)"},
    {"resource.v1.DeviceRequest", R"(exactly resource.v1.ExactDeviceRequest
firstAvailable []resource.v1.DeviceSubRequest
name string ="")"},
    {"resource.v1.DeviceRequestAllocationResult", R"(adminAccess boolean
bindingConditions []string
bindingFailureConditions []string
consumedCapacity {}quantity
device string =""
driver string =""
pool string =""
request string =""
shareID string
tolerations []resource.v1.DeviceToleration)"},
    {"resource.v1.DeviceSelector", R"(cel resource.v1.CELDeviceSelector)"},
    {"resource.v1.DeviceSubRequest", R"(allocationMode string enum:All|ExactCount
capacity resource.v1.CapacityRequirements
count integer
deviceClassName string =""
name string =""
selectors []resource.v1.DeviceSelector
tolerations []resource.v1.DeviceToleration)"},
    {"resource.v1.DeviceTaint", R"(effect string ="" enum:NoExecute|NoSchedule|None
key string =""
timeAdded time
value string)"},
    {"resource.v1.DeviceToleration", R"(effect string enum:NoExecute|NoSchedule|None
key string
operator string ="Equal" enum:Equal|Exists
tolerationSeconds integer
value string)"},
    {"resource.v1.ExactDeviceRequest", R"(adminAccess boolean
allocationMode string enum:All|ExactCount
capacity resource.v1.CapacityRequirements
count integer
deviceClassName string =""
selectors []resource.v1.DeviceSelector
tolerations []resource.v1.DeviceToleration)"},
    {"resource.v1.NetworkDeviceData", R"(hardwareAddress string
interfaceName string
ips []string)"},
    {"resource.v1.NodeAllocatableResourceMapping", R"(allocationMultiplier quantity
capacityKey string)"},
    {"resource.v1.OpaqueDeviceConfiguration", R"(driver string =""
parameters any =null)"},
    {"resource.v1.ResourceClaim", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec resource.v1.ResourceClaimSpec ={}
status resource.v1.ResourceClaimStatus ={})"},
    {"resource.v1.ResourceClaimConsumerReference", R"(apiGroup string
name string =""
resource string =""
uid string ="")"},
    {"resource.v1.ResourceClaimSpec", R"(devices resource.v1.DeviceClaim ={})"},
    {"resource.v1.ResourceClaimStatus", R"(allocation resource.v1.AllocationResult
devices []resource.v1.AllocatedDeviceStatus keys:driver,device,pool,shareID
reservedFor []resource.v1.ResourceClaimConsumerReference keys:uid merge:uid)"},
    {"resource.v1.ResourceClaimTemplate", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec resource.v1.ResourceClaimTemplateSpec ={})"},
    {"resource.v1.ResourceClaimTemplateSpec", R"(metadata meta.v1.ObjectMeta ={}
spec resource.v1.ResourceClaimSpec ={})"},
    {"resource.v1.ResourcePool", R"(generation integer =0
name string =""
resourceSliceCount integer =0)"},
    {"resource.v1.ResourceSlice", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec resource.v1.ResourceSliceSpec ={})"},
    {"resource.v1.ResourceSliceSpec", R"(allNodes boolean
devices []resource.v1.Device
driver string =""
nodeName string
nodeSelector core.v1.NodeSelector
perDeviceNodeSelection boolean
pool resource.v1.ResourcePool ={}
sharedCounters []resource.v1.CounterSet)"},
    {"scheduling.v1.PriorityClass", R"(apiVersion string
description string
globalDefault boolean
kind string
metadata meta.v1.ObjectMeta ={}
preemptionPolicy string enum:Never|PreemptLowerPriority
value integer =0)"},
    {"storage.v1.CSIDriver", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec storage.v1.CSIDriverSpec ={})"},
    {"storage.v1.CSIDriverSpec", R"(attachRequired boolean
fsGroupPolicy string
nodeAllocatableUpdatePeriodSeconds integer
podInfoOnMount boolean
preventPodSchedulingIfMissing boolean
requiresRepublish boolean
seLinuxMount boolean
serviceAccountTokenInSecrets boolean
storageCapacity boolean
tokenRequests []storage.v1.TokenRequest
volumeLifecycleModes []string set)"},
    {"storage.v1.CSINode", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec storage.v1.CSINodeSpec ={})"},
    {"storage.v1.CSINodeDriver", R"(allocatable storage.v1.VolumeNodeResources
name string =""
nodeID string =""
topologyKeys []string)"},
    {"storage.v1.CSINodeSpec", R"(drivers []storage.v1.CSINodeDriver =null keys:name merge:name)"},
    {"storage.v1.CSIStorageCapacity", R"(apiVersion string
capacity quantity
kind string
maximumVolumeSize quantity
metadata meta.v1.ObjectMeta ={}
nodeTopology meta.v1.LabelSelector
storageClassName string ="")"},
    {"storage.v1.StorageClass", R"(allowVolumeExpansion boolean
allowedTopologies []core.v1.TopologySelectorTerm
apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
mountOptions []string
parameters {}string
provisioner string =""
reclaimPolicy string enum:Delete|Recycle|Retain
volumeBindingMode string enum:Immediate|WaitForFirstConsumer)"},
    {"storage.v1.TokenRequest", R"(audience string =""
expirationSeconds integer)"},
    {"storage.v1.VolumeAttachment", R"(apiVersion string
kind string
metadata meta.v1.ObjectMeta ={}
spec storage.v1.VolumeAttachmentSpec ={}
status storage.v1.VolumeAttachmentStatus ={})"},
    {"storage.v1.VolumeAttachmentSource", R"(inlineVolumeSpec core.v1.PersistentVolumeSpec
persistentVolumeName string)"},
    {"storage.v1.VolumeAttachmentSpec", R"(attacher string =""
nodeName string =""
source storage.v1.VolumeAttachmentSource ={})"},
    {"storage.v1.VolumeAttachmentStatus", R"(attachError storage.v1.VolumeError
attached boolean =false
attachmentMetadata {}string
detachError storage.v1.VolumeError)"},
    {"storage.v1.VolumeAttributesClass", R"(apiVersion string
driverName string =""
kind string
metadata meta.v1.ObjectMeta ={}
parameters {}string)"},
    {"storage.v1.VolumeError", R"(errorCode integer
message string
time time)"},
    {"storage.v1.VolumeNodeResources", R"(count integer)"},
};
// clang-format on

}  // namespace

std::span<const TypeFacts> builtin_types() noexcept { return all_types; }

}  // namespace pintle::apiserver
