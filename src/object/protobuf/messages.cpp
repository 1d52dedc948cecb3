// The protobuf messages of built-in kinds, by name. Written by scripts/generate-protobuf; do not edit.
#include "messages.hpp"

namespace pintle {
namespace {

// clang-format off
constexpr json::MessageFacts all_messages[] = {
    {"admissionregistration.v1.ApplyConfiguration", R"(1 expression string omit)"},
    {"admissionregistration.v1.AuditAnnotation", R"(1 key string
2 valueExpression string)"},
    {"admissionregistration.v1.ExpressionWarning", R"(2 fieldRef string
3 warning string)"},
    {"admissionregistration.v1.JSONPatch", R"(1 expression string omit)"},
    {"admissionregistration.v1.MatchCondition", R"(1 name string
2 expression string)"},
    {"admissionregistration.v1.MatchResources", R"(1 namespaceSelector meta.v1.LabelSelector
2 objectSelector meta.v1.LabelSelector
3 resourceRules []admissionregistration.v1.NamedRuleWithOperations
4 excludeResourceRules []admissionregistration.v1.NamedRuleWithOperations
7 matchPolicy string)"},
    {"admissionregistration.v1.MutatingAdmissionPolicy", R"(1 metadata meta.v1.ObjectMeta
2 spec admissionregistration.v1.MutatingAdmissionPolicySpec)"},
    {"admissionregistration.v1.MutatingAdmissionPolicyBinding", R"(1 metadata meta.v1.ObjectMeta
2 spec admissionregistration.v1.MutatingAdmissionPolicyBindingSpec)"},
    {"admissionregistration.v1.MutatingAdmissionPolicyBindingSpec", R"(1 policyName string omit
2 paramRef admissionregistration.v1.ParamRef
3 matchResources admissionregistration.v1.MatchResources)"},
    {"admissionregistration.v1.MutatingAdmissionPolicySpec", R"(1 paramKind admissionregistration.v1.ParamKind
2 matchConstraints admissionregistration.v1.MatchResources
3 variables []admissionregistration.v1.Variable
4 mutations []admissionregistration.v1.Mutation
5 failurePolicy string
6 matchConditions []admissionregistration.v1.MatchCondition
7 reinvocationPolicy string omit)"},
    {"admissionregistration.v1.MutatingWebhook", R"(1 name string
2 clientConfig admissionregistration.v1.WebhookClientConfig
3 rules []admissionregistration.v1.RuleWithOperations
4 failurePolicy string
5 namespaceSelector meta.v1.LabelSelector
6 sideEffects string null
7 timeoutSeconds int
8 admissionReviewVersions []string null
9 matchPolicy string
10 reinvocationPolicy string
11 objectSelector meta.v1.LabelSelector
12 matchConditions []admissionregistration.v1.MatchCondition)"},
    {"admissionregistration.v1.MutatingWebhookConfiguration", R"(1 metadata meta.v1.ObjectMeta
2 webhooks []admissionregistration.v1.MutatingWebhook)"},
    {"admissionregistration.v1.Mutation", R"(2 patchType string
3 applyConfiguration admissionregistration.v1.ApplyConfiguration
4 jsonPatch admissionregistration.v1.JSONPatch)"},
    {"admissionregistration.v1.NamedRuleWithOperations", R"(1 resourceNames []string
2 - admissionregistration.v1.RuleWithOperations)"},
    {"admissionregistration.v1.ParamKind", R"(1 apiVersion string omit
2 kind string omit)"},
    {"admissionregistration.v1.ParamRef", R"(1 name string omit
2 namespace string omit
3 selector meta.v1.LabelSelector
4 parameterNotFoundAction string)"},
    {"admissionregistration.v1.Rule", R"(1 apiGroups []string
2 apiVersions []string
3 resources []string
4 scope string)"},
    {"admissionregistration.v1.RuleWithOperations", R"(1 operations []string
2 - admissionregistration.v1.Rule)"},
    {"admissionregistration.v1.ServiceReference", R"(1 namespace string
2 name string
3 path string
4 port int)"},
    {"admissionregistration.v1.TypeChecking", R"(1 expressionWarnings []admissionregistration.v1.ExpressionWarning)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicy", R"(1 metadata meta.v1.ObjectMeta
2 spec admissionregistration.v1.ValidatingAdmissionPolicySpec
3 status admissionregistration.v1.ValidatingAdmissionPolicyStatus)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyBinding", R"(1 metadata meta.v1.ObjectMeta
2 spec admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec", R"(1 policyName string omit
2 paramRef admissionregistration.v1.ParamRef
3 matchResources admissionregistration.v1.MatchResources
4 validationActions []string)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicySpec", R"(1 paramKind admissionregistration.v1.ParamKind
2 matchConstraints admissionregistration.v1.MatchResources
3 validations []admissionregistration.v1.Validation
4 failurePolicy string
5 auditAnnotations []admissionregistration.v1.AuditAnnotation
6 matchConditions []admissionregistration.v1.MatchCondition
7 variables []admissionregistration.v1.Variable)"},
    {"admissionregistration.v1.ValidatingAdmissionPolicyStatus", R"(1 observedGeneration int omit
2 typeChecking admissionregistration.v1.TypeChecking
3 conditions []meta.v1.Condition)"},
    {"admissionregistration.v1.ValidatingWebhook", R"(1 name string
2 clientConfig admissionregistration.v1.WebhookClientConfig
3 rules []admissionregistration.v1.RuleWithOperations
4 failurePolicy string
5 namespaceSelector meta.v1.LabelSelector
6 sideEffects string null
7 timeoutSeconds int
8 admissionReviewVersions []string null
9 matchPolicy string
10 objectSelector meta.v1.LabelSelector
11 matchConditions []admissionregistration.v1.MatchCondition)"},
    {"admissionregistration.v1.ValidatingWebhookConfiguration", R"(1 metadata meta.v1.ObjectMeta
2 webhooks []admissionregistration.v1.ValidatingWebhook)"},
    {"admissionregistration.v1.Validation", R"(1 expression string
2 message string omit
3 reason string
4 messageExpression string omit)"},
    {"admissionregistration.v1.Variable", R"(1 name string
2 expression string)"},
    {"admissionregistration.v1.WebhookClientConfig", R"(1 service admissionregistration.v1.ServiceReference
2 caBundle bytes
3 url string)"},
    {"apiextensions.v1.CustomResourceColumnDefinition", R"(1 name string
2 type string
3 format string omit
4 description string omit
5 priority int omit
6 jsonPath string)"},
    {"apiextensions.v1.CustomResourceConversion", R"(1 strategy string
2 webhook apiextensions.v1.WebhookConversion)"},
    {"apiextensions.v1.CustomResourceDefinition", R"(1 metadata meta.v1.ObjectMeta
2 spec apiextensions.v1.CustomResourceDefinitionSpec
3 status apiextensions.v1.CustomResourceDefinitionStatus)"},
    {"apiextensions.v1.CustomResourceDefinitionCondition", R"(1 type string
2 status string
3 lastTransitionTime time
4 reason string omit
5 message string omit
6 observedGeneration int omit)"},
    {"apiextensions.v1.CustomResourceDefinitionNames", R"(1 plural string
2 singular string omit
3 shortNames []string
4 kind string
5 listKind string omit
6 categories []string)"},
    {"apiextensions.v1.CustomResourceDefinitionSpec", R"(1 group string
3 names apiextensions.v1.CustomResourceDefinitionNames
4 scope string
7 versions []apiextensions.v1.CustomResourceDefinitionVersion null
9 conversion apiextensions.v1.CustomResourceConversion
10 preserveUnknownFields bool omit)"},
    {"apiextensions.v1.CustomResourceDefinitionStatus", R"(1 conditions []apiextensions.v1.CustomResourceDefinitionCondition null
2 acceptedNames apiextensions.v1.CustomResourceDefinitionNames
3 storedVersions []string null
4 observedGeneration int omit)"},
    {"apiextensions.v1.CustomResourceDefinitionVersion", R"(1 name string
2 served bool
3 storage bool
4 schema apiextensions.v1.CustomResourceValidation
5 subresources apiextensions.v1.CustomResourceSubresources
6 additionalPrinterColumns []apiextensions.v1.CustomResourceColumnDefinition
7 deprecated bool omit
8 deprecationWarning string
9 selectableFields []apiextensions.v1.SelectableField)"},
    {"apiextensions.v1.CustomResourceSubresourceScale", R"(1 specReplicasPath string
2 statusReplicasPath string
3 labelSelectorPath string)"},
    {"apiextensions.v1.CustomResourceSubresourceStatus", R"()"},
    {"apiextensions.v1.CustomResourceSubresources", R"(1 status apiextensions.v1.CustomResourceSubresourceStatus
2 scale apiextensions.v1.CustomResourceSubresourceScale)"},
    {"apiextensions.v1.CustomResourceValidation", R"(1 openAPIV3Schema apiextensions.v1.JSONSchemaProps)"},
    {"apiextensions.v1.ExternalDocumentation", R"(1 description string omit
2 url string omit)"},
    {"apiextensions.v1.JSONSchemaProps", R"(1 id string omit
2 $schema string omit
3 $ref string
4 description string omit
5 type string omit
6 format string omit
7 title string omit
8 default json
9 maximum double
10 exclusiveMaximum bool omit
11 minimum double
12 exclusiveMinimum bool omit
13 maxLength int
14 minLength int
15 pattern string omit
16 maxItems int
17 minItems int
18 uniqueItems bool omit
19 multipleOf double
20 enum []json
21 maxProperties int
22 minProperties int
23 required []string
24 items apiextensions.v1.JSONSchemaPropsOrArray union
25 allOf []apiextensions.v1.JSONSchemaProps
26 oneOf []apiextensions.v1.JSONSchemaProps
27 anyOf []apiextensions.v1.JSONSchemaProps
28 not apiextensions.v1.JSONSchemaProps
29 properties {}apiextensions.v1.JSONSchemaProps
30 additionalProperties apiextensions.v1.JSONSchemaPropsOrBool union
31 patternProperties {}apiextensions.v1.JSONSchemaProps
32 dependencies {}apiextensions.v1.JSONSchemaPropsOrStringArray union
33 additionalItems apiextensions.v1.JSONSchemaPropsOrBool union
34 definitions {}apiextensions.v1.JSONSchemaProps
35 externalDocs apiextensions.v1.ExternalDocumentation
36 example json
37 nullable bool omit
38 x-kubernetes-preserve-unknown-fields bool
39 x-kubernetes-embedded-resource bool omit
40 x-kubernetes-int-or-string bool omit
41 x-kubernetes-list-map-keys []string
42 x-kubernetes-list-type string
43 x-kubernetes-map-type string
44 x-kubernetes-validations []apiextensions.v1.ValidationRule)"},
    {"apiextensions.v1.JSONSchemaPropsOrArray", R"(1 schema apiextensions.v1.JSONSchemaProps
2 jSONSchemas []apiextensions.v1.JSONSchemaProps)"},
    {"apiextensions.v1.JSONSchemaPropsOrBool", R"(1 allows bool
2 schema apiextensions.v1.JSONSchemaProps)"},
    {"apiextensions.v1.JSONSchemaPropsOrStringArray", R"(1 schema apiextensions.v1.JSONSchemaProps
2 property []string)"},
    {"apiextensions.v1.SelectableField", R"(1 jsonPath string)"},
    {"apiextensions.v1.ServiceReference", R"(1 namespace string
2 name string
3 path string
4 port int)"},
    {"apiextensions.v1.ValidationRule", R"(1 rule string
2 message string omit
3 messageExpression string omit
4 reason string
5 fieldPath string omit
6 optionalOldSelf bool)"},
    {"apiextensions.v1.WebhookClientConfig", R"(1 service apiextensions.v1.ServiceReference
2 caBundle bytes
3 url string)"},
    {"apiextensions.v1.WebhookConversion", R"(2 clientConfig apiextensions.v1.WebhookClientConfig
3 conversionReviewVersions []string null)"},
    {"apiregistration.v1.APIService", R"(1 metadata meta.v1.ObjectMeta
2 spec apiregistration.v1.APIServiceSpec
3 status apiregistration.v1.APIServiceStatus)"},
    {"apiregistration.v1.APIServiceCondition", R"(1 type string
2 status string
3 lastTransitionTime time
4 reason string omit
5 message string omit)"},
    {"apiregistration.v1.APIServiceSpec", R"(1 service apiregistration.v1.ServiceReference
2 group string omit
3 version string omit
4 insecureSkipTLSVerify bool omit
5 caBundle bytes
7 groupPriorityMinimum int
8 versionPriority int)"},
    {"apiregistration.v1.APIServiceStatus", R"(1 conditions []apiregistration.v1.APIServiceCondition)"},
    {"apiregistration.v1.ServiceReference", R"(1 namespace string omit
2 name string omit
3 port int)"},
    {"apps.v1.ControllerRevision", R"(1 metadata meta.v1.ObjectMeta
2 data json
3 revision int)"},
    {"apps.v1.DaemonSet", R"(1 metadata meta.v1.ObjectMeta
2 spec apps.v1.DaemonSetSpec
3 status apps.v1.DaemonSetStatus)"},
    {"apps.v1.DaemonSetCondition", R"(1 type string
2 status string
3 lastTransitionTime time
4 reason string omit
5 message string omit)"},
    {"apps.v1.DaemonSetSpec", R"(1 selector meta.v1.LabelSelector null
2 template core.v1.PodTemplateSpec
3 updateStrategy apps.v1.DaemonSetUpdateStrategy
4 minReadySeconds int omit
6 revisionHistoryLimit int)"},
    {"apps.v1.DaemonSetStatus", R"(1 currentNumberScheduled int
2 numberMisscheduled int
3 desiredNumberScheduled int
4 numberReady int
5 observedGeneration int omit
6 updatedNumberScheduled int omit
7 numberAvailable int omit
8 numberUnavailable int omit
9 collisionCount int
10 conditions []apps.v1.DaemonSetCondition)"},
    {"apps.v1.DaemonSetUpdateStrategy", R"(1 type string omit
2 rollingUpdate apps.v1.RollingUpdateDaemonSet)"},
    {"apps.v1.Deployment", R"(1 metadata meta.v1.ObjectMeta
2 spec apps.v1.DeploymentSpec
3 status apps.v1.DeploymentStatus)"},
    {"apps.v1.DeploymentCondition", R"(1 type string
2 status string
4 reason string omit
5 message string omit
6 lastUpdateTime time
7 lastTransitionTime time)"},
    {"apps.v1.DeploymentSpec", R"(1 replicas int
2 selector meta.v1.LabelSelector null
3 template core.v1.PodTemplateSpec
4 strategy apps.v1.DeploymentStrategy
5 minReadySeconds int omit
6 revisionHistoryLimit int
7 paused bool omit
9 progressDeadlineSeconds int)"},
    {"apps.v1.DeploymentStatus", R"(1 observedGeneration int omit
2 replicas int omit
3 updatedReplicas int omit
4 availableReplicas int omit
5 unavailableReplicas int omit
6 conditions []apps.v1.DeploymentCondition
7 readyReplicas int omit
8 collisionCount int
9 terminatingReplicas int)"},
    {"apps.v1.DeploymentStrategy", R"(1 type string omit
2 rollingUpdate apps.v1.RollingUpdateDeployment)"},
    {"apps.v1.ReplicaSet", R"(1 metadata meta.v1.ObjectMeta
2 spec apps.v1.ReplicaSetSpec
3 status apps.v1.ReplicaSetStatus)"},
    {"apps.v1.ReplicaSetCondition", R"(1 type string
2 status string
3 lastTransitionTime time
4 reason string omit
5 message string omit)"},
    {"apps.v1.ReplicaSetSpec", R"(1 replicas int
2 selector meta.v1.LabelSelector null
3 template core.v1.PodTemplateSpec
4 minReadySeconds int omit)"},
    {"apps.v1.ReplicaSetStatus", R"(1 replicas int
2 fullyLabeledReplicas int omit
3 observedGeneration int omit
4 readyReplicas int omit
5 availableReplicas int omit
6 conditions []apps.v1.ReplicaSetCondition
7 terminatingReplicas int)"},
    {"apps.v1.RollingUpdateDaemonSet", R"(1 maxUnavailable int-or-string
2 maxSurge int-or-string)"},
    {"apps.v1.RollingUpdateDeployment", R"(1 maxUnavailable int-or-string
2 maxSurge int-or-string)"},
    {"apps.v1.RollingUpdateStatefulSetStrategy", R"(1 partition int
2 maxUnavailable int-or-string)"},
    {"apps.v1.StatefulSet", R"(1 metadata meta.v1.ObjectMeta
2 spec apps.v1.StatefulSetSpec
3 status apps.v1.StatefulSetStatus)"},
    {"apps.v1.StatefulSetCondition", R"(1 type string
2 status string
3 lastTransitionTime time
4 reason string omit
5 message string omit)"},
    {"apps.v1.StatefulSetOrdinals", R"(1 start int)"},
    {"apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy", R"(1 whenDeleted string omit
2 whenScaled string omit)"},
    {"apps.v1.StatefulSetSpec", R"(1 replicas int
2 selector meta.v1.LabelSelector null
3 template core.v1.PodTemplateSpec
4 volumeClaimTemplates []core.v1.PersistentVolumeClaim kind
5 serviceName string
6 podManagementPolicy string omit
7 updateStrategy apps.v1.StatefulSetUpdateStrategy
8 revisionHistoryLimit int
9 minReadySeconds int omit
10 persistentVolumeClaimRetentionPolicy apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy
11 ordinals apps.v1.StatefulSetOrdinals)"},
    {"apps.v1.StatefulSetStatus", R"(1 observedGeneration int omit
2 replicas int
3 readyReplicas int omit
4 currentReplicas int omit
5 updatedReplicas int omit
6 currentRevision string omit
7 updateRevision string omit
9 collisionCount int
10 conditions []apps.v1.StatefulSetCondition
11 availableReplicas int)"},
    {"apps.v1.StatefulSetUpdateStrategy", R"(1 type string omit
2 rollingUpdate apps.v1.RollingUpdateStatefulSetStrategy)"},
    {"authentication.v1.BoundObjectReference", R"(1 kind string omit
2 apiVersion string omit
3 name string omit
4 uid string omit)"},
    {"authentication.v1.SelfSubjectReview", R"(1 metadata meta.v1.ObjectMeta
2 status authentication.v1.SelfSubjectReviewStatus)"},
    {"authentication.v1.SelfSubjectReviewStatus", R"(1 userInfo authentication.v1.UserInfo)"},
    {"authentication.v1.TokenRequest", R"(1 metadata meta.v1.ObjectMeta
2 spec authentication.v1.TokenRequestSpec
3 status authentication.v1.TokenRequestStatus)"},
    {"authentication.v1.TokenRequestSpec", R"(1 audiences []string null
3 boundObjectRef authentication.v1.BoundObjectReference null
4 expirationSeconds int null)"},
    {"authentication.v1.TokenRequestStatus", R"(1 token string
2 expirationTimestamp time)"},
    {"authentication.v1.TokenReview", R"(1 metadata meta.v1.ObjectMeta
2 spec authentication.v1.TokenReviewSpec
3 status authentication.v1.TokenReviewStatus)"},
    {"authentication.v1.TokenReviewSpec", R"(1 token string omit
2 audiences []string)"},
    {"authentication.v1.TokenReviewStatus", R"(1 authenticated bool omit
2 user authentication.v1.UserInfo
3 error string omit
4 audiences []string)"},
    {"authentication.v1.UserInfo", R"(1 username string omit
2 uid string omit
3 groups []string
4 extra {}list)"},
    {"authorization.v1.FieldSelectorAttributes", R"(1 rawSelector string omit
2 requirements []meta.v1.FieldSelectorRequirement)"},
    {"authorization.v1.LabelSelectorAttributes", R"(1 rawSelector string omit
2 requirements []meta.v1.LabelSelectorRequirement)"},
    {"authorization.v1.LocalSubjectAccessReview", R"(1 metadata meta.v1.ObjectMeta
2 spec authorization.v1.SubjectAccessReviewSpec
3 status authorization.v1.SubjectAccessReviewStatus)"},
    {"authorization.v1.NonResourceAttributes", R"(1 path string omit
2 verb string omit)"},
    {"authorization.v1.NonResourceRule", R"(1 verbs []string null
2 nonResourceURLs []string)"},
    {"authorization.v1.ResourceAttributes", R"(1 namespace string omit
2 verb string omit
3 group string omit
4 version string omit
5 resource string omit
6 subresource string omit
7 name string omit
8 fieldSelector authorization.v1.FieldSelectorAttributes
9 labelSelector authorization.v1.LabelSelectorAttributes)"},
    {"authorization.v1.ResourceRule", R"(1 verbs []string null
2 apiGroups []string
3 resources []string
4 resourceNames []string)"},
    {"authorization.v1.SelfSubjectAccessReview", R"(1 metadata meta.v1.ObjectMeta
2 spec authorization.v1.SelfSubjectAccessReviewSpec
3 status authorization.v1.SubjectAccessReviewStatus)"},
    {"authorization.v1.SelfSubjectAccessReviewSpec", R"(1 resourceAttributes authorization.v1.ResourceAttributes
2 nonResourceAttributes authorization.v1.NonResourceAttributes)"},
    {"authorization.v1.SelfSubjectRulesReview", R"(1 metadata meta.v1.ObjectMeta
2 spec authorization.v1.SelfSubjectRulesReviewSpec
3 status authorization.v1.SubjectRulesReviewStatus)"},
    {"authorization.v1.SelfSubjectRulesReviewSpec", R"(1 namespace string omit)"},
    {"authorization.v1.SubjectAccessReview", R"(1 metadata meta.v1.ObjectMeta
2 spec authorization.v1.SubjectAccessReviewSpec
3 status authorization.v1.SubjectAccessReviewStatus)"},
    {"authorization.v1.SubjectAccessReviewSpec", R"(1 resourceAttributes authorization.v1.ResourceAttributes
2 nonResourceAttributes authorization.v1.NonResourceAttributes
3 user string omit
4 groups []string
5 extra {}list
6 uid string omit)"},
    {"authorization.v1.SubjectAccessReviewStatus", R"(1 allowed bool
2 reason string omit
3 evaluationError string omit
4 denied bool omit)"},
    {"authorization.v1.SubjectRulesReviewStatus", R"(1 resourceRules []authorization.v1.ResourceRule null
2 nonResourceRules []authorization.v1.NonResourceRule null
3 incomplete bool
4 evaluationError string omit)"},
    {"autoscaling.v1.CrossVersionObjectReference", R"(1 kind string
2 name string
3 apiVersion string omit)"},
    {"autoscaling.v1.HorizontalPodAutoscaler", R"(1 metadata meta.v1.ObjectMeta
2 spec autoscaling.v1.HorizontalPodAutoscalerSpec
3 status autoscaling.v1.HorizontalPodAutoscalerStatus)"},
    {"autoscaling.v1.HorizontalPodAutoscalerSpec", R"(1 scaleTargetRef autoscaling.v1.CrossVersionObjectReference
2 minReplicas int
3 maxReplicas int
4 targetCPUUtilizationPercentage int)"},
    {"autoscaling.v1.HorizontalPodAutoscalerStatus", R"(1 observedGeneration int
2 lastScaleTime time
3 currentReplicas int
4 desiredReplicas int
5 currentCPUUtilizationPercentage int)"},
    {"autoscaling.v1.Scale", R"(1 metadata meta.v1.ObjectMeta
2 spec autoscaling.v1.ScaleSpec
3 status autoscaling.v1.ScaleStatus)"},
    {"autoscaling.v1.ScaleSpec", R"(1 replicas int omit)"},
    {"autoscaling.v1.ScaleStatus", R"(1 replicas int
2 selector string omit)"},
    {"autoscaling.v2.ContainerResourceMetricSource", R"(1 name string
2 target autoscaling.v2.MetricTarget
3 container string)"},
    {"autoscaling.v2.ContainerResourceMetricStatus", R"(1 name string
2 current autoscaling.v2.MetricValueStatus
3 container string)"},
    {"autoscaling.v2.CrossVersionObjectReference", R"(1 kind string
2 name string
3 apiVersion string omit)"},
    {"autoscaling.v2.ExternalMetricSource", R"(1 metric autoscaling.v2.MetricIdentifier
2 target autoscaling.v2.MetricTarget)"},
    {"autoscaling.v2.ExternalMetricStatus", R"(1 metric autoscaling.v2.MetricIdentifier
2 current autoscaling.v2.MetricValueStatus)"},
    {"autoscaling.v2.HPAScalingPolicy", R"(1 type string
2 value int
3 periodSeconds int)"},
    {"autoscaling.v2.HPAScalingRules", R"(1 selectPolicy string
2 policies []autoscaling.v2.HPAScalingPolicy
3 stabilizationWindowSeconds int
4 tolerance quantity)"},
    {"autoscaling.v2.HorizontalPodAutoscaler", R"(1 metadata meta.v1.ObjectMeta
2 spec autoscaling.v2.HorizontalPodAutoscalerSpec
3 status autoscaling.v2.HorizontalPodAutoscalerStatus)"},
    {"autoscaling.v2.HorizontalPodAutoscalerBehavior", R"(1 scaleUp autoscaling.v2.HPAScalingRules
2 scaleDown autoscaling.v2.HPAScalingRules)"},
    {"autoscaling.v2.HorizontalPodAutoscalerCondition", R"(1 type string
2 status string
3 lastTransitionTime time
4 reason string omit
5 message string omit)"},
    {"autoscaling.v2.HorizontalPodAutoscalerSpec", R"(1 scaleTargetRef autoscaling.v2.CrossVersionObjectReference
2 minReplicas int
3 maxReplicas int
4 metrics []autoscaling.v2.MetricSpec
5 behavior autoscaling.v2.HorizontalPodAutoscalerBehavior)"},
    {"autoscaling.v2.HorizontalPodAutoscalerStatus", R"(1 observedGeneration int
2 lastScaleTime time
3 currentReplicas int omit
4 desiredReplicas int
5 currentMetrics []autoscaling.v2.MetricStatus null
6 conditions []autoscaling.v2.HorizontalPodAutoscalerCondition)"},
    {"autoscaling.v2.MetricIdentifier", R"(1 name string
2 selector meta.v1.LabelSelector)"},
    {"autoscaling.v2.MetricSpec", R"(1 type string
2 object autoscaling.v2.ObjectMetricSource
3 pods autoscaling.v2.PodsMetricSource
4 resource autoscaling.v2.ResourceMetricSource
5 external autoscaling.v2.ExternalMetricSource
7 containerResource autoscaling.v2.ContainerResourceMetricSource)"},
    {"autoscaling.v2.MetricStatus", R"(1 type string
2 object autoscaling.v2.ObjectMetricStatus
3 pods autoscaling.v2.PodsMetricStatus
4 resource autoscaling.v2.ResourceMetricStatus
5 external autoscaling.v2.ExternalMetricStatus
7 containerResource autoscaling.v2.ContainerResourceMetricStatus)"},
    {"autoscaling.v2.MetricTarget", R"(1 type string
2 value quantity
3 averageValue quantity
4 averageUtilization int)"},
    {"autoscaling.v2.MetricValueStatus", R"(1 value quantity
2 averageValue quantity
3 averageUtilization int)"},
    {"autoscaling.v2.ObjectMetricSource", R"(1 describedObject autoscaling.v2.CrossVersionObjectReference
2 target autoscaling.v2.MetricTarget
3 metric autoscaling.v2.MetricIdentifier)"},
    {"autoscaling.v2.ObjectMetricStatus", R"(1 metric autoscaling.v2.MetricIdentifier
2 current autoscaling.v2.MetricValueStatus
3 describedObject autoscaling.v2.CrossVersionObjectReference)"},
    {"autoscaling.v2.PodsMetricSource", R"(1 metric autoscaling.v2.MetricIdentifier
2 target autoscaling.v2.MetricTarget)"},
    {"autoscaling.v2.PodsMetricStatus", R"(1 metric autoscaling.v2.MetricIdentifier
2 current autoscaling.v2.MetricValueStatus)"},
    {"autoscaling.v2.ResourceMetricSource", R"(1 name string
2 target autoscaling.v2.MetricTarget)"},
    {"autoscaling.v2.ResourceMetricStatus", R"(1 name string
2 current autoscaling.v2.MetricValueStatus)"},
    {"batch.v1.CronJob", R"(1 metadata meta.v1.ObjectMeta
2 spec batch.v1.CronJobSpec
3 status batch.v1.CronJobStatus)"},
    {"batch.v1.CronJobSpec", R"(1 schedule string
2 startingDeadlineSeconds int
3 concurrencyPolicy string omit
4 suspend bool
5 jobTemplate batch.v1.JobTemplateSpec
6 successfulJobsHistoryLimit int
7 failedJobsHistoryLimit int
8 timeZone string)"},
    {"batch.v1.CronJobStatus", R"(1 active []core.v1.ObjectReference
4 lastScheduleTime time
5 lastSuccessfulTime time)"},
    {"batch.v1.Job", R"(1 metadata meta.v1.ObjectMeta
2 spec batch.v1.JobSpec
3 status batch.v1.JobStatus)"},
    {"batch.v1.JobCondition", R"(1 type string
2 status string
3 lastProbeTime time
4 lastTransitionTime time
5 reason string omit
6 message string omit)"},
    {"batch.v1.JobSpec", R"(1 parallelism int
2 completions int
3 activeDeadlineSeconds int
4 selector meta.v1.LabelSelector
5 manualSelector bool
6 template core.v1.PodTemplateSpec
7 backoffLimit int
8 ttlSecondsAfterFinished int
9 completionMode string
10 suspend bool
11 podFailurePolicy batch.v1.PodFailurePolicy
12 backoffLimitPerIndex int
13 maxFailedIndexes int
14 podReplacementPolicy string
15 managedBy string
16 successPolicy batch.v1.SuccessPolicy)"},
    {"batch.v1.JobStatus", R"(1 conditions []batch.v1.JobCondition
2 startTime time
3 completionTime time
4 active int omit
5 succeeded int omit
6 failed int omit
7 completedIndexes string omit
8 uncountedTerminatedPods batch.v1.UncountedTerminatedPods
9 ready int
10 failedIndexes string
11 terminating int)"},
    {"batch.v1.JobTemplateSpec", R"(1 metadata meta.v1.ObjectMeta
2 spec batch.v1.JobSpec)"},
    {"batch.v1.PodFailurePolicy", R"(1 rules []batch.v1.PodFailurePolicyRule null)"},
    {"batch.v1.PodFailurePolicyOnExitCodesRequirement", R"(1 containerName string
2 operator string
3 values []int null)"},
    {"batch.v1.PodFailurePolicyOnPodConditionsPattern", R"(1 type string
2 status string)"},
    {"batch.v1.PodFailurePolicyRule", R"(1 action string
2 onExitCodes batch.v1.PodFailurePolicyOnExitCodesRequirement
3 onPodConditions []batch.v1.PodFailurePolicyOnPodConditionsPattern)"},
    {"batch.v1.SuccessPolicy", R"(1 rules []batch.v1.SuccessPolicyRule null)"},
    {"batch.v1.SuccessPolicyRule", R"(1 succeededIndexes string
2 succeededCount int)"},
    {"batch.v1.UncountedTerminatedPods", R"(1 succeeded []string
2 failed []string)"},
    {"certificates.v1.CertificateSigningRequest", R"(1 metadata meta.v1.ObjectMeta
2 spec certificates.v1.CertificateSigningRequestSpec
3 status certificates.v1.CertificateSigningRequestStatus)"},
    {"certificates.v1.CertificateSigningRequestCondition", R"(1 type string
2 reason string omit
3 message string omit
4 lastUpdateTime time
5 lastTransitionTime time
6 status string)"},
    {"certificates.v1.CertificateSigningRequestSpec", R"(1 request bytes null
2 username string omit
3 uid string omit
4 groups []string
5 usages []string
6 extra {}list
7 signerName string
8 expirationSeconds int)"},
    {"certificates.v1.CertificateSigningRequestStatus", R"(1 conditions []certificates.v1.CertificateSigningRequestCondition
2 certificate bytes)"},
    {"coordination.v1.Lease", R"(1 metadata meta.v1.ObjectMeta
2 spec coordination.v1.LeaseSpec)"},
    {"coordination.v1.LeaseSpec", R"(1 holderIdentity string
2 leaseDurationSeconds int
3 acquireTime microtime
4 renewTime microtime
5 leaseTransitions int
6 strategy string
7 preferredHolder string)"},
    {"core.v1.AWSElasticBlockStoreVolumeSource", R"(1 volumeID string
2 fsType string omit
3 partition int omit
4 readOnly bool omit)"},
    {"core.v1.Affinity", R"(1 nodeAffinity core.v1.NodeAffinity
2 podAffinity core.v1.PodAffinity
3 podAntiAffinity core.v1.PodAntiAffinity)"},
    {"core.v1.AppArmorProfile", R"(1 type string
2 localhostProfile string)"},
    {"core.v1.AttachedVolume", R"(1 name string
2 devicePath string)"},
    {"core.v1.AzureDiskVolumeSource", R"(1 diskName string
2 diskURI string
3 cachingMode string
4 fsType string
5 readOnly bool
6 kind string)"},
    {"core.v1.AzureFilePersistentVolumeSource", R"(1 secretName string
2 shareName string
3 readOnly bool omit
4 secretNamespace string null)"},
    {"core.v1.AzureFileVolumeSource", R"(1 secretName string
2 shareName string
3 readOnly bool omit)"},
    {"core.v1.Binding", R"(1 metadata meta.v1.ObjectMeta
2 target core.v1.ObjectReference)"},
    {"core.v1.CSIPersistentVolumeSource", R"(1 driver string
2 volumeHandle string
3 readOnly bool omit
4 fsType string omit
5 volumeAttributes {}string
6 controllerPublishSecretRef core.v1.SecretReference
7 nodeStageSecretRef core.v1.SecretReference
8 nodePublishSecretRef core.v1.SecretReference
9 controllerExpandSecretRef core.v1.SecretReference
10 nodeExpandSecretRef core.v1.SecretReference)"},
    {"core.v1.CSIVolumeSource", R"(1 driver string
2 readOnly bool
3 fsType string
4 volumeAttributes {}string
5 nodePublishSecretRef core.v1.LocalObjectReference)"},
    {"core.v1.Capabilities", R"(1 add []string
2 drop []string)"},
    {"core.v1.CephFSPersistentVolumeSource", R"(1 monitors []string null
2 path string omit
3 user string omit
4 secretFile string omit
5 secretRef core.v1.SecretReference
6 readOnly bool omit)"},
    {"core.v1.CephFSVolumeSource", R"(1 monitors []string null
2 path string omit
3 user string omit
4 secretFile string omit
5 secretRef core.v1.LocalObjectReference
6 readOnly bool omit)"},
    {"core.v1.CinderPersistentVolumeSource", R"(1 volumeID string
2 fsType string omit
3 readOnly bool omit
4 secretRef core.v1.SecretReference)"},
    {"core.v1.CinderVolumeSource", R"(1 volumeID string
2 fsType string omit
3 readOnly bool omit
4 secretRef core.v1.LocalObjectReference)"},
    {"core.v1.ClientIPConfig", R"(1 timeoutSeconds int)"},
    {"core.v1.ClusterTrustBundleProjection", R"(1 name string
2 signerName string
3 labelSelector meta.v1.LabelSelector
4 path string
5 optional bool)"},
    {"core.v1.ComponentCondition", R"(1 type string
2 status string
3 message string omit
4 error string omit)"},
    {"core.v1.ComponentStatus", R"(1 metadata meta.v1.ObjectMeta
2 conditions []core.v1.ComponentCondition)"},
    {"core.v1.ConfigMap", R"(1 metadata meta.v1.ObjectMeta
2 data {}string
3 binaryData {}bytes
4 immutable bool)"},
    {"core.v1.ConfigMapEnvSource", R"(1 - core.v1.LocalObjectReference
2 optional bool)"},
    {"core.v1.ConfigMapKeySelector", R"(1 - core.v1.LocalObjectReference
2 key string
3 optional bool)"},
    {"core.v1.ConfigMapNodeConfigSource", R"(1 namespace string
2 name string
3 uid string omit
4 resourceVersion string omit
5 kubeletConfigKey string)"},
    {"core.v1.ConfigMapProjection", R"(1 - core.v1.LocalObjectReference
2 items []core.v1.KeyToPath
4 optional bool)"},
    {"core.v1.ConfigMapVolumeSource", R"(1 - core.v1.LocalObjectReference
2 items []core.v1.KeyToPath
3 defaultMode int
4 optional bool)"},
    {"core.v1.Container", R"(1 name string
2 image string omit
3 command []string
4 args []string
5 workingDir string omit
6 ports []core.v1.ContainerPort
7 env []core.v1.EnvVar
8 resources core.v1.ResourceRequirements
9 volumeMounts []core.v1.VolumeMount
10 livenessProbe core.v1.Probe
11 readinessProbe core.v1.Probe
12 lifecycle core.v1.Lifecycle
13 terminationMessagePath string omit
14 imagePullPolicy string omit
15 securityContext core.v1.SecurityContext
16 stdin bool omit
17 stdinOnce bool omit
18 tty bool omit
19 envFrom []core.v1.EnvFromSource
20 terminationMessagePolicy string omit
21 volumeDevices []core.v1.VolumeDevice
22 startupProbe core.v1.Probe
23 resizePolicy []core.v1.ContainerResizePolicy
24 restartPolicy string
25 restartPolicyRules []core.v1.ContainerRestartRule)"},
    {"core.v1.ContainerExtendedResourceRequest", R"(1 containerName string
2 resourceName string
3 requestName string)"},
    {"core.v1.ContainerImage", R"(1 names []string null
2 sizeBytes int omit)"},
    {"core.v1.ContainerPort", R"(1 name string omit
2 hostPort int omit
3 containerPort int
4 protocol string omit
5 hostIP string omit)"},
    {"core.v1.ContainerResizePolicy", R"(1 resourceName string
2 restartPolicy string)"},
    {"core.v1.ContainerRestartRule", R"(1 action string omit
2 exitCodes core.v1.ContainerRestartRuleOnExitCodes)"},
    {"core.v1.ContainerRestartRuleOnExitCodes", R"(1 operator string omit
2 values []int)"},
    {"core.v1.ContainerState", R"(1 waiting core.v1.ContainerStateWaiting
2 running core.v1.ContainerStateRunning
3 terminated core.v1.ContainerStateTerminated)"},
    {"core.v1.ContainerStateRunning", R"(1 startedAt time)"},
    {"core.v1.ContainerStateTerminated", R"(1 exitCode int
2 signal int omit
3 reason string omit
4 message string omit
5 startedAt time
6 finishedAt time
7 containerID string omit)"},
    {"core.v1.ContainerStateWaiting", R"(1 reason string omit
2 message string omit)"},
    {"core.v1.ContainerStatus", R"(1 name string
2 state core.v1.ContainerState
3 lastState core.v1.ContainerState
4 ready bool
5 restartCount int
6 image string
7 imageID string
8 containerID string omit
9 started bool
10 allocatedResources {}quantity
11 resources core.v1.ResourceRequirements
12 volumeMounts []core.v1.VolumeMountStatus
13 user core.v1.ContainerUser
14 allocatedResourcesStatus []core.v1.ResourceStatus
15 stopSignal string)"},
    {"core.v1.ContainerUser", R"(1 linux core.v1.LinuxContainerUser)"},
    {"core.v1.DaemonEndpoint", R"(1 Port int)"},
    {"core.v1.DownwardAPIProjection", R"(1 items []core.v1.DownwardAPIVolumeFile)"},
    {"core.v1.DownwardAPIVolumeFile", R"(1 path string
2 fieldRef core.v1.ObjectFieldSelector
3 resourceFieldRef core.v1.ResourceFieldSelector
4 mode int)"},
    {"core.v1.DownwardAPIVolumeSource", R"(1 items []core.v1.DownwardAPIVolumeFile
2 defaultMode int)"},
    {"core.v1.EmptyDirVolumeSource", R"(1 medium string omit
2 sizeLimit quantity)"},
    {"core.v1.EndpointAddress", R"(1 ip string
2 targetRef core.v1.ObjectReference
3 hostname string omit
4 nodeName string)"},
    {"core.v1.EndpointPort", R"(1 name string omit
2 port int
3 protocol string omit
4 appProtocol string)"},
    {"core.v1.EndpointSubset", R"(1 addresses []core.v1.EndpointAddress
2 notReadyAddresses []core.v1.EndpointAddress
3 ports []core.v1.EndpointPort)"},
    {"core.v1.Endpoints", R"(1 metadata meta.v1.ObjectMeta
2 subsets []core.v1.EndpointSubset)"},
    {"core.v1.EnvFromSource", R"(1 prefix string omit
2 configMapRef core.v1.ConfigMapEnvSource
3 secretRef core.v1.SecretEnvSource)"},
    {"core.v1.EnvVar", R"(1 name string
2 value string omit
3 valueFrom core.v1.EnvVarSource)"},
    {"core.v1.EnvVarSource", R"(1 fieldRef core.v1.ObjectFieldSelector
2 resourceFieldRef core.v1.ResourceFieldSelector
3 configMapKeyRef core.v1.ConfigMapKeySelector
4 secretKeyRef core.v1.SecretKeySelector
5 fileKeyRef core.v1.FileKeySelector)"},
    {"core.v1.EphemeralContainer", R"(1 - core.v1.EphemeralContainerCommon
2 targetContainerName string omit)"},
    {"core.v1.EphemeralContainerCommon", R"(1 name string
2 image string omit
3 command []string
4 args []string
5 workingDir string omit
6 ports []core.v1.ContainerPort
7 env []core.v1.EnvVar
8 resources core.v1.ResourceRequirements
9 volumeMounts []core.v1.VolumeMount
10 livenessProbe core.v1.Probe
11 readinessProbe core.v1.Probe
12 lifecycle core.v1.Lifecycle
13 terminationMessagePath string omit
14 imagePullPolicy string omit
15 securityContext core.v1.SecurityContext
16 stdin bool omit
17 stdinOnce bool omit
18 tty bool omit
19 envFrom []core.v1.EnvFromSource
20 terminationMessagePolicy string omit
21 volumeDevices []core.v1.VolumeDevice
22 startupProbe core.v1.Probe
23 resizePolicy []core.v1.ContainerResizePolicy
24 restartPolicy string
25 restartPolicyRules []core.v1.ContainerRestartRule)"},
    {"core.v1.EphemeralVolumeSource", R"(1 volumeClaimTemplate core.v1.PersistentVolumeClaimTemplate)"},
    {"core.v1.Event", R"(1 metadata meta.v1.ObjectMeta
2 involvedObject core.v1.ObjectReference
3 reason string omit
4 message string omit
5 source core.v1.EventSource
6 firstTimestamp time
7 lastTimestamp time
8 count int omit
9 type string omit
10 eventTime microtime
11 series core.v1.EventSeries
12 action string omit
13 related core.v1.ObjectReference
14 reportingComponent string
15 reportingInstance string)"},
    {"core.v1.EventSeries", R"(1 count int omit
2 lastObservedTime microtime)"},
    {"core.v1.EventSource", R"(1 component string omit
2 host string omit)"},
    {"core.v1.ExecAction", R"(1 command []string)"},
    {"core.v1.FCVolumeSource", R"(1 targetWWNs []string
2 lun int
3 fsType string omit
4 readOnly bool omit
5 wwids []string)"},
    {"core.v1.FileKeySelector", R"(1 volumeName string
2 path string
3 key string
4 optional bool)"},
    {"core.v1.FlexPersistentVolumeSource", R"(1 driver string
2 fsType string omit
3 secretRef core.v1.SecretReference
4 readOnly bool omit
5 options {}string)"},
    {"core.v1.FlexVolumeSource", R"(1 driver string
2 fsType string omit
3 secretRef core.v1.LocalObjectReference
4 readOnly bool omit
5 options {}string)"},
    {"core.v1.FlockerVolumeSource", R"(1 datasetName string omit
2 datasetUUID string omit)"},
    {"core.v1.GCEPersistentDiskVolumeSource", R"(1 pdName string
2 fsType string omit
3 partition int omit
4 readOnly bool omit)"},
    {"core.v1.GRPCAction", R"(1 port int
2 service string null)"},
    {"core.v1.GitRepoVolumeSource", R"(1 repository string
2 revision string omit
3 directory string omit)"},
    {"core.v1.GlusterfsPersistentVolumeSource", R"(1 endpoints string
2 path string
3 readOnly bool omit
4 endpointsNamespace string)"},
    {"core.v1.GlusterfsVolumeSource", R"(1 endpoints string
2 path string
3 readOnly bool omit)"},
    {"core.v1.HTTPGetAction", R"(1 path string omit
2 port int-or-string
3 host string omit
4 scheme string omit
5 httpHeaders []core.v1.HTTPHeader)"},
    {"core.v1.HTTPHeader", R"(1 name string
2 value string)"},
    {"core.v1.HostAlias", R"(1 ip string
2 hostnames []string)"},
    {"core.v1.HostIP", R"(1 ip string)"},
    {"core.v1.HostPathVolumeSource", R"(1 path string
2 type string)"},
    {"core.v1.ISCSIPersistentVolumeSource", R"(1 targetPortal string
2 iqn string
3 lun int
4 iscsiInterface string omit
5 fsType string omit
6 readOnly bool omit
7 portals []string
8 chapAuthDiscovery bool omit
10 secretRef core.v1.SecretReference
11 chapAuthSession bool omit
12 initiatorName string)"},
    {"core.v1.ISCSIVolumeSource", R"(1 targetPortal string
2 iqn string
3 lun int
4 iscsiInterface string omit
5 fsType string omit
6 readOnly bool omit
7 portals []string
8 chapAuthDiscovery bool omit
10 secretRef core.v1.LocalObjectReference
11 chapAuthSession bool omit
12 initiatorName string)"},
    {"core.v1.ImageVolumeSource", R"(1 reference string omit
2 pullPolicy string omit)"},
    {"core.v1.ImageVolumeStatus", R"(1 imageRef string omit)"},
    {"core.v1.KeyToPath", R"(1 key string
2 path string
3 mode int)"},
    {"core.v1.Lifecycle", R"(1 postStart core.v1.LifecycleHandler
2 preStop core.v1.LifecycleHandler
3 stopSignal string)"},
    {"core.v1.LifecycleHandler", R"(1 exec core.v1.ExecAction
2 httpGet core.v1.HTTPGetAction
3 tcpSocket core.v1.TCPSocketAction
4 sleep core.v1.SleepAction)"},
    {"core.v1.LimitRange", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.LimitRangeSpec)"},
    {"core.v1.LimitRangeItem", R"(1 type string
2 max {}quantity
3 min {}quantity
4 default {}quantity
5 defaultRequest {}quantity
6 maxLimitRequestRatio {}quantity)"},
    {"core.v1.LimitRangeSpec", R"(1 limits []core.v1.LimitRangeItem null)"},
    {"core.v1.LinuxContainerUser", R"(1 uid int
2 gid int
3 supplementalGroups []int)"},
    {"core.v1.LoadBalancerIngress", R"(1 ip string omit
2 hostname string omit
3 ipMode string
4 ports []core.v1.PortStatus)"},
    {"core.v1.LoadBalancerStatus", R"(1 ingress []core.v1.LoadBalancerIngress)"},
    {"core.v1.LocalObjectReference", R"(1 name string omit)"},
    {"core.v1.LocalVolumeSource", R"(1 path string
2 fsType string)"},
    {"core.v1.ModifyVolumeStatus", R"(1 targetVolumeAttributesClassName string omit
2 status string)"},
    {"core.v1.NFSVolumeSource", R"(1 server string
2 path string
3 readOnly bool omit)"},
    {"core.v1.Namespace", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.NamespaceSpec
3 status core.v1.NamespaceStatus)"},
    {"core.v1.NamespaceCondition", R"(1 type string
2 status string
4 lastTransitionTime time
5 reason string omit
6 message string omit)"},
    {"core.v1.NamespaceSpec", R"(1 finalizers []string)"},
    {"core.v1.NamespaceStatus", R"(1 phase string omit
2 conditions []core.v1.NamespaceCondition)"},
    {"core.v1.Node", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.NodeSpec
3 status core.v1.NodeStatus)"},
    {"core.v1.NodeAddress", R"(1 type string
2 address string)"},
    {"core.v1.NodeAffinity", R"(1 requiredDuringSchedulingIgnoredDuringExecution core.v1.NodeSelector
2 preferredDuringSchedulingIgnoredDuringExecution []core.v1.PreferredSchedulingTerm)"},
    {"core.v1.NodeAllocatableResourceClaimStatus", R"(1 resourceClaimName string
2 containers []string
3 resources {}quantity null)"},
    {"core.v1.NodeCondition", R"(1 type string
2 status string
3 lastHeartbeatTime time
4 lastTransitionTime time
5 reason string omit
6 message string omit)"},
    {"core.v1.NodeConfigSource", R"(2 configMap core.v1.ConfigMapNodeConfigSource)"},
    {"core.v1.NodeConfigStatus", R"(1 assigned core.v1.NodeConfigSource
2 active core.v1.NodeConfigSource
3 lastKnownGood core.v1.NodeConfigSource
4 error string omit)"},
    {"core.v1.NodeDaemonEndpoints", R"(1 kubeletEndpoint core.v1.DaemonEndpoint)"},
    {"core.v1.NodeFeatures", R"(1 supplementalGroupsPolicy bool)"},
    {"core.v1.NodeRuntimeHandler", R"(1 name string
2 features core.v1.NodeRuntimeHandlerFeatures)"},
    {"core.v1.NodeRuntimeHandlerFeatures", R"(1 recursiveReadOnlyMounts bool
2 userNamespaces bool)"},
    {"core.v1.NodeSelector", R"(1 nodeSelectorTerms []core.v1.NodeSelectorTerm null)"},
    {"core.v1.NodeSelectorRequirement", R"(1 key string
2 operator string
3 values []string)"},
    {"core.v1.NodeSelectorTerm", R"(1 matchExpressions []core.v1.NodeSelectorRequirement
2 matchFields []core.v1.NodeSelectorRequirement)"},
    {"core.v1.NodeSpec", R"(1 podCIDR string omit
2 externalID string omit
3 providerID string omit
4 unschedulable bool omit
5 taints []core.v1.Taint
6 configSource core.v1.NodeConfigSource
7 podCIDRs []string)"},
    {"core.v1.NodeStatus", R"(1 capacity {}quantity
2 allocatable {}quantity
3 phase string omit
4 conditions []core.v1.NodeCondition
5 addresses []core.v1.NodeAddress
6 daemonEndpoints core.v1.NodeDaemonEndpoints
7 nodeInfo core.v1.NodeSystemInfo
8 images []core.v1.ContainerImage
9 volumesInUse []string
10 volumesAttached []core.v1.AttachedVolume
11 config core.v1.NodeConfigStatus
12 runtimeHandlers []core.v1.NodeRuntimeHandler
13 features core.v1.NodeFeatures
14 declaredFeatures []string)"},
    {"core.v1.NodeSwapStatus", R"(1 capacity int)"},
    {"core.v1.NodeSystemInfo", R"(1 machineID string
2 systemUUID string
3 bootID string
4 kernelVersion string
5 osImage string
6 containerRuntimeVersion string
7 kubeletVersion string
8 kubeProxyVersion string
9 operatingSystem string
10 architecture string
11 swap core.v1.NodeSwapStatus)"},
    {"core.v1.ObjectFieldSelector", R"(1 apiVersion string omit
2 fieldPath string)"},
    {"core.v1.ObjectReference", R"(1 kind string omit
2 namespace string omit
3 name string omit
4 uid string omit
5 apiVersion string omit
6 resourceVersion string omit
7 fieldPath string omit)"},
    {"core.v1.PersistentVolume", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.PersistentVolumeSpec
3 status core.v1.PersistentVolumeStatus)"},
    {"core.v1.PersistentVolumeClaim", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.PersistentVolumeClaimSpec
3 status core.v1.PersistentVolumeClaimStatus)"},
    {"core.v1.PersistentVolumeClaimCondition", R"(1 type string
2 status string
3 lastProbeTime time
4 lastTransitionTime time
5 reason string omit
6 message string omit)"},
    {"core.v1.PersistentVolumeClaimSpec", R"(1 accessModes []string
2 resources core.v1.VolumeResourceRequirements
3 volumeName string omit
4 selector meta.v1.LabelSelector
5 storageClassName string
6 volumeMode string
7 dataSource core.v1.TypedLocalObjectReference
8 dataSourceRef core.v1.TypedObjectReference
9 volumeAttributesClassName string)"},
    {"core.v1.PersistentVolumeClaimStatus", R"(1 phase string omit
2 accessModes []string
3 capacity {}quantity
4 conditions []core.v1.PersistentVolumeClaimCondition
5 allocatedResources {}quantity
7 allocatedResourceStatuses {}string
8 currentVolumeAttributesClassName string
9 modifyVolumeStatus core.v1.ModifyVolumeStatus)"},
    {"core.v1.PersistentVolumeClaimTemplate", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.PersistentVolumeClaimSpec)"},
    {"core.v1.PersistentVolumeClaimVolumeSource", R"(1 claimName string
2 readOnly bool omit)"},
    {"core.v1.PersistentVolumeSource", R"(1 gcePersistentDisk core.v1.GCEPersistentDiskVolumeSource
2 awsElasticBlockStore core.v1.AWSElasticBlockStoreVolumeSource
3 hostPath core.v1.HostPathVolumeSource
4 glusterfs core.v1.GlusterfsPersistentVolumeSource
5 nfs core.v1.NFSVolumeSource
6 rbd core.v1.RBDPersistentVolumeSource
7 iscsi core.v1.ISCSIPersistentVolumeSource
8 cinder core.v1.CinderPersistentVolumeSource
9 cephfs core.v1.CephFSPersistentVolumeSource
10 fc core.v1.FCVolumeSource
11 flocker core.v1.FlockerVolumeSource
12 flexVolume core.v1.FlexPersistentVolumeSource
13 azureFile core.v1.AzureFilePersistentVolumeSource
14 vsphereVolume core.v1.VsphereVirtualDiskVolumeSource
15 quobyte core.v1.QuobyteVolumeSource
16 azureDisk core.v1.AzureDiskVolumeSource
17 photonPersistentDisk core.v1.PhotonPersistentDiskVolumeSource
18 portworxVolume core.v1.PortworxVolumeSource
19 scaleIO core.v1.ScaleIOPersistentVolumeSource
20 local core.v1.LocalVolumeSource
21 storageos core.v1.StorageOSPersistentVolumeSource
22 csi core.v1.CSIPersistentVolumeSource)"},
    {"core.v1.PersistentVolumeSpec", R"(1 capacity {}quantity
2 - core.v1.PersistentVolumeSource
3 accessModes []string
4 claimRef core.v1.ObjectReference
5 persistentVolumeReclaimPolicy string omit
6 storageClassName string omit
7 mountOptions []string
8 volumeMode string
9 nodeAffinity core.v1.VolumeNodeAffinity
10 volumeAttributesClassName string)"},
    {"core.v1.PersistentVolumeStatus", R"(1 phase string omit
2 message string omit
3 reason string omit
4 lastPhaseTransitionTime time)"},
    {"core.v1.PhotonPersistentDiskVolumeSource", R"(1 pdID string
2 fsType string omit)"},
    {"core.v1.Pod", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.PodSpec
3 status core.v1.PodStatus)"},
    {"core.v1.PodAffinity", R"(1 requiredDuringSchedulingIgnoredDuringExecution []core.v1.PodAffinityTerm
2 preferredDuringSchedulingIgnoredDuringExecution []core.v1.WeightedPodAffinityTerm)"},
    {"core.v1.PodAffinityTerm", R"(1 labelSelector meta.v1.LabelSelector
2 namespaces []string
3 topologyKey string
4 namespaceSelector meta.v1.LabelSelector
5 matchLabelKeys []string
6 mismatchLabelKeys []string)"},
    {"core.v1.PodAntiAffinity", R"(1 requiredDuringSchedulingIgnoredDuringExecution []core.v1.PodAffinityTerm
2 preferredDuringSchedulingIgnoredDuringExecution []core.v1.WeightedPodAffinityTerm)"},
    {"core.v1.PodCertificateProjection", R"(1 signerName string omit
2 keyType string omit
3 maxExpirationSeconds int
4 credentialBundlePath string omit
5 keyPath string omit
6 certificateChainPath string omit
7 userAnnotations {}string)"},
    {"core.v1.PodCondition", R"(1 type string
2 status string
3 lastProbeTime time
4 lastTransitionTime time
5 reason string omit
6 message string omit
7 observedGeneration int omit)"},
    {"core.v1.PodDNSConfig", R"(1 nameservers []string
2 searches []string
3 options []core.v1.PodDNSConfigOption)"},
    {"core.v1.PodDNSConfigOption", R"(1 name string omit
2 value string)"},
    {"core.v1.PodExtendedResourceClaimStatus", R"(1 requestMappings []core.v1.ContainerExtendedResourceRequest null
2 resourceClaimName string)"},
    {"core.v1.PodIP", R"(1 ip string)"},
    {"core.v1.PodOS", R"(1 name string)"},
    {"core.v1.PodReadinessGate", R"(1 conditionType string)"},
    {"core.v1.PodResourceClaim", R"(1 name string
3 resourceClaimName string
4 resourceClaimTemplateName string)"},
    {"core.v1.PodResourceClaimStatus", R"(1 name string
2 resourceClaimName string)"},
    {"core.v1.PodSchedulingGate", R"(1 name string)"},
    {"core.v1.PodSchedulingGroup", R"(1 podGroupName string)"},
    {"core.v1.PodSecurityContext", R"(1 seLinuxOptions core.v1.SELinuxOptions
2 runAsUser int
3 runAsNonRoot bool
4 supplementalGroups []int
5 fsGroup int
6 runAsGroup int
7 sysctls []core.v1.Sysctl
8 windowsOptions core.v1.WindowsSecurityContextOptions
9 fsGroupChangePolicy string
10 seccompProfile core.v1.SeccompProfile
11 appArmorProfile core.v1.AppArmorProfile
12 supplementalGroupsPolicy string
13 seLinuxChangePolicy string)"},
    {"core.v1.PodSpec", R"(1 volumes []core.v1.Volume
2 containers []core.v1.Container null
3 restartPolicy string omit
4 terminationGracePeriodSeconds int
5 activeDeadlineSeconds int
6 dnsPolicy string omit
7 nodeSelector {}string
8 serviceAccountName string omit
9 serviceAccount string omit
10 nodeName string omit
11 hostNetwork bool omit
12 hostPID bool omit
13 hostIPC bool omit
14 securityContext core.v1.PodSecurityContext
15 imagePullSecrets []core.v1.LocalObjectReference
16 hostname string omit
17 subdomain string omit
18 affinity core.v1.Affinity
19 schedulerName string omit
20 initContainers []core.v1.Container
21 automountServiceAccountToken bool
22 tolerations []core.v1.Toleration
23 hostAliases []core.v1.HostAlias
24 priorityClassName string omit
25 priority int
26 dnsConfig core.v1.PodDNSConfig
27 shareProcessNamespace bool
28 readinessGates []core.v1.PodReadinessGate
29 runtimeClassName string
30 enableServiceLinks bool
31 preemptionPolicy string
32 overhead {}quantity
33 topologySpreadConstraints []core.v1.TopologySpreadConstraint
34 ephemeralContainers []core.v1.EphemeralContainer
35 setHostnameAsFQDN bool
36 os core.v1.PodOS
37 hostUsers bool
38 schedulingGates []core.v1.PodSchedulingGate
39 resourceClaims []core.v1.PodResourceClaim
40 resources core.v1.ResourceRequirements
41 hostnameOverride string
43 schedulingGroup core.v1.PodSchedulingGroup)"},
    {"core.v1.PodStatus", R"(1 phase string omit
2 conditions []core.v1.PodCondition
3 message string omit
4 reason string omit
5 hostIP string omit
6 podIP string omit
7 startTime time
8 containerStatuses []core.v1.ContainerStatus
9 qosClass string omit
10 initContainerStatuses []core.v1.ContainerStatus
11 nominatedNodeName string omit
12 podIPs []core.v1.PodIP
13 ephemeralContainerStatuses []core.v1.ContainerStatus
14 resize string omit
15 resourceClaimStatuses []core.v1.PodResourceClaimStatus
16 hostIPs []core.v1.HostIP
17 observedGeneration int omit
18 extendedResourceClaimStatus core.v1.PodExtendedResourceClaimStatus
19 allocatedResources {}quantity
20 resources core.v1.ResourceRequirements
21 nodeAllocatableResourceClaimStatuses []core.v1.NodeAllocatableResourceClaimStatus)"},
    {"core.v1.PodTemplate", R"(1 metadata meta.v1.ObjectMeta
2 template core.v1.PodTemplateSpec)"},
    {"core.v1.PodTemplateSpec", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.PodSpec)"},
    {"core.v1.PortStatus", R"(1 port int
2 protocol string
3 error string)"},
    {"core.v1.PortworxVolumeSource", R"(1 volumeID string
2 fsType string omit
3 readOnly bool omit)"},
    {"core.v1.PreferredSchedulingTerm", R"(1 weight int
2 preference core.v1.NodeSelectorTerm)"},
    {"core.v1.Probe", R"(1 - core.v1.ProbeHandler
2 initialDelaySeconds int omit
3 timeoutSeconds int omit
4 periodSeconds int omit
5 successThreshold int omit
6 failureThreshold int omit
7 terminationGracePeriodSeconds int)"},
    {"core.v1.ProbeHandler", R"(1 exec core.v1.ExecAction
2 httpGet core.v1.HTTPGetAction
3 tcpSocket core.v1.TCPSocketAction
4 grpc core.v1.GRPCAction)"},
    {"core.v1.ProjectedVolumeSource", R"(1 sources []core.v1.VolumeProjection null
2 defaultMode int)"},
    {"core.v1.QuobyteVolumeSource", R"(1 registry string
2 volume string
3 readOnly bool omit
4 user string omit
5 group string omit
6 tenant string omit)"},
    {"core.v1.RBDPersistentVolumeSource", R"(1 monitors []string null
2 image string
3 fsType string omit
4 pool string omit
5 user string omit
6 keyring string omit
7 secretRef core.v1.SecretReference
8 readOnly bool omit)"},
    {"core.v1.RBDVolumeSource", R"(1 monitors []string null
2 image string
3 fsType string omit
4 pool string omit
5 user string omit
6 keyring string omit
7 secretRef core.v1.LocalObjectReference
8 readOnly bool omit)"},
    {"core.v1.ReplicationController", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.ReplicationControllerSpec
3 status core.v1.ReplicationControllerStatus)"},
    {"core.v1.ReplicationControllerCondition", R"(1 type string
2 status string
3 lastTransitionTime time
4 reason string omit
5 message string omit)"},
    {"core.v1.ReplicationControllerSpec", R"(1 replicas int
2 selector {}string
3 template core.v1.PodTemplateSpec
4 minReadySeconds int omit)"},
    {"core.v1.ReplicationControllerStatus", R"(1 replicas int
2 fullyLabeledReplicas int omit
3 observedGeneration int omit
4 readyReplicas int omit
5 availableReplicas int omit
6 conditions []core.v1.ReplicationControllerCondition)"},
    {"core.v1.ResourceClaim", R"(1 name string
2 request string omit)"},
    {"core.v1.ResourceFieldSelector", R"(1 containerName string omit
2 resource string
3 divisor quantity)"},
    {"core.v1.ResourceHealth", R"(1 resourceID string
2 health string omit
6 message string)"},
    {"core.v1.ResourceQuota", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.ResourceQuotaSpec
3 status core.v1.ResourceQuotaStatus)"},
    {"core.v1.ResourceQuotaSpec", R"(1 hard {}quantity
2 scopes []string
3 scopeSelector core.v1.ScopeSelector)"},
    {"core.v1.ResourceQuotaStatus", R"(1 hard {}quantity
2 used {}quantity)"},
    {"core.v1.ResourceRequirements", R"(1 limits {}quantity
2 requests {}quantity
3 claims []core.v1.ResourceClaim)"},
    {"core.v1.ResourceStatus", R"(1 name string
2 resources []core.v1.ResourceHealth)"},
    {"core.v1.SELinuxOptions", R"(1 user string omit
2 role string omit
3 type string omit
4 level string omit)"},
    {"core.v1.ScaleIOPersistentVolumeSource", R"(1 gateway string
2 system string
3 secretRef core.v1.SecretReference null
4 sslEnabled bool omit
5 protectionDomain string omit
6 storagePool string omit
7 storageMode string omit
8 volumeName string omit
9 fsType string omit
10 readOnly bool omit)"},
    {"core.v1.ScaleIOVolumeSource", R"(1 gateway string
2 system string
3 secretRef core.v1.LocalObjectReference null
4 sslEnabled bool omit
5 protectionDomain string omit
6 storagePool string omit
7 storageMode string omit
8 volumeName string omit
9 fsType string omit
10 readOnly bool omit)"},
    {"core.v1.ScopeSelector", R"(1 matchExpressions []core.v1.ScopedResourceSelectorRequirement)"},
    {"core.v1.ScopedResourceSelectorRequirement", R"(1 scopeName string
2 operator string
3 values []string)"},
    {"core.v1.SeccompProfile", R"(1 type string
2 localhostProfile string)"},
    {"core.v1.Secret", R"(1 metadata meta.v1.ObjectMeta
2 data {}bytes
3 type string omit
4 stringData {}string
5 immutable bool)"},
    {"core.v1.SecretEnvSource", R"(1 - core.v1.LocalObjectReference
2 optional bool)"},
    {"core.v1.SecretKeySelector", R"(1 - core.v1.LocalObjectReference
2 key string
3 optional bool)"},
    {"core.v1.SecretProjection", R"(1 - core.v1.LocalObjectReference
2 items []core.v1.KeyToPath
4 optional bool)"},
    {"core.v1.SecretReference", R"(1 name string omit
2 namespace string omit)"},
    {"core.v1.SecretVolumeSource", R"(1 secretName string omit
2 items []core.v1.KeyToPath
3 defaultMode int
4 optional bool)"},
    {"core.v1.SecurityContext", R"(1 capabilities core.v1.Capabilities
2 privileged bool
3 seLinuxOptions core.v1.SELinuxOptions
4 runAsUser int
5 runAsNonRoot bool
6 readOnlyRootFilesystem bool
7 allowPrivilegeEscalation bool
8 runAsGroup int
9 procMount string
10 windowsOptions core.v1.WindowsSecurityContextOptions
11 seccompProfile core.v1.SeccompProfile
12 appArmorProfile core.v1.AppArmorProfile)"},
    {"core.v1.Service", R"(1 metadata meta.v1.ObjectMeta
2 spec core.v1.ServiceSpec
3 status core.v1.ServiceStatus)"},
    {"core.v1.ServiceAccount", R"(1 metadata meta.v1.ObjectMeta
2 secrets []core.v1.ObjectReference
3 imagePullSecrets []core.v1.LocalObjectReference
4 automountServiceAccountToken bool)"},
    {"core.v1.ServiceAccountTokenProjection", R"(1 audience string omit
2 expirationSeconds int
3 path string)"},
    {"core.v1.ServicePort", R"(1 name string omit
2 protocol string omit
3 port int
4 targetPort int-or-string
5 nodePort int omit
6 appProtocol string)"},
    {"core.v1.ServiceSpec", R"(1 ports []core.v1.ServicePort
2 selector {}string
3 clusterIP string omit
4 type string omit
5 externalIPs []string
7 sessionAffinity string omit
8 loadBalancerIP string omit
9 loadBalancerSourceRanges []string
10 externalName string omit
11 externalTrafficPolicy string omit
12 healthCheckNodePort int omit
13 publishNotReadyAddresses bool omit
14 sessionAffinityConfig core.v1.SessionAffinityConfig
17 ipFamilyPolicy string
18 clusterIPs []string
19 ipFamilies []string
20 allocateLoadBalancerNodePorts bool
21 loadBalancerClass string
22 internalTrafficPolicy string
23 trafficDistribution string)"},
    {"core.v1.ServiceStatus", R"(1 loadBalancer core.v1.LoadBalancerStatus
2 conditions []meta.v1.Condition)"},
    {"core.v1.SessionAffinityConfig", R"(1 clientIP core.v1.ClientIPConfig)"},
    {"core.v1.SleepAction", R"(1 seconds int)"},
    {"core.v1.StorageOSPersistentVolumeSource", R"(1 volumeName string omit
2 volumeNamespace string omit
3 fsType string omit
4 readOnly bool omit
5 secretRef core.v1.ObjectReference)"},
    {"core.v1.StorageOSVolumeSource", R"(1 volumeName string omit
2 volumeNamespace string omit
3 fsType string omit
4 readOnly bool omit
5 secretRef core.v1.LocalObjectReference)"},
    {"core.v1.Sysctl", R"(1 name string
2 value string)"},
    {"core.v1.TCPSocketAction", R"(1 port int-or-string
2 host string omit)"},
    {"core.v1.Taint", R"(1 key string
2 value string omit
3 effect string
4 timeAdded time)"},
    {"core.v1.Toleration", R"(1 key string omit
2 operator string omit
3 value string omit
4 effect string omit
5 tolerationSeconds int)"},
    {"core.v1.TopologySelectorLabelRequirement", R"(1 key string
2 values []string null)"},
    {"core.v1.TopologySelectorTerm", R"(1 matchLabelExpressions []core.v1.TopologySelectorLabelRequirement)"},
    {"core.v1.TopologySpreadConstraint", R"(1 maxSkew int
2 topologyKey string
3 whenUnsatisfiable string
4 labelSelector meta.v1.LabelSelector
5 minDomains int
6 nodeAffinityPolicy string
7 nodeTaintsPolicy string
8 matchLabelKeys []string)"},
    {"core.v1.TypedLocalObjectReference", R"(1 apiGroup string null
2 kind string
3 name string)"},
    {"core.v1.TypedObjectReference", R"(1 apiGroup string null
2 kind string
3 name string
4 namespace string)"},
    {"core.v1.Volume", R"(1 name string
2 - core.v1.VolumeSource)"},
    {"core.v1.VolumeDevice", R"(1 name string
2 devicePath string)"},
    {"core.v1.VolumeMount", R"(1 name string
2 readOnly bool omit
3 mountPath string
4 subPath string omit
5 mountPropagation string
6 subPathExpr string omit
7 recursiveReadOnly string)"},
    {"core.v1.VolumeMountStatus", R"(1 name string
2 mountPath string
3 readOnly bool omit
4 recursiveReadOnly string
5 volumeStatus core.v1.VolumeStatus)"},
    {"core.v1.VolumeNodeAffinity", R"(1 required core.v1.NodeSelector)"},
    {"core.v1.VolumeProjection", R"(1 secret core.v1.SecretProjection
2 downwardAPI core.v1.DownwardAPIProjection
3 configMap core.v1.ConfigMapProjection
4 serviceAccountToken core.v1.ServiceAccountTokenProjection
5 clusterTrustBundle core.v1.ClusterTrustBundleProjection
6 podCertificate core.v1.PodCertificateProjection)"},
    {"core.v1.VolumeResourceRequirements", R"(1 limits {}quantity
2 requests {}quantity)"},
    {"core.v1.VolumeSource", R"(1 hostPath core.v1.HostPathVolumeSource
2 emptyDir core.v1.EmptyDirVolumeSource
3 gcePersistentDisk core.v1.GCEPersistentDiskVolumeSource
4 awsElasticBlockStore core.v1.AWSElasticBlockStoreVolumeSource
5 gitRepo core.v1.GitRepoVolumeSource
6 secret core.v1.SecretVolumeSource
7 nfs core.v1.NFSVolumeSource
8 iscsi core.v1.ISCSIVolumeSource
9 glusterfs core.v1.GlusterfsVolumeSource
10 persistentVolumeClaim core.v1.PersistentVolumeClaimVolumeSource
11 rbd core.v1.RBDVolumeSource
12 flexVolume core.v1.FlexVolumeSource
13 cinder core.v1.CinderVolumeSource
14 cephfs core.v1.CephFSVolumeSource
15 flocker core.v1.FlockerVolumeSource
16 downwardAPI core.v1.DownwardAPIVolumeSource
17 fc core.v1.FCVolumeSource
18 azureFile core.v1.AzureFileVolumeSource
19 configMap core.v1.ConfigMapVolumeSource
20 vsphereVolume core.v1.VsphereVirtualDiskVolumeSource
21 quobyte core.v1.QuobyteVolumeSource
22 azureDisk core.v1.AzureDiskVolumeSource
23 photonPersistentDisk core.v1.PhotonPersistentDiskVolumeSource
24 portworxVolume core.v1.PortworxVolumeSource
25 scaleIO core.v1.ScaleIOVolumeSource
26 projected core.v1.ProjectedVolumeSource
27 storageos core.v1.StorageOSVolumeSource
28 csi core.v1.CSIVolumeSource
29 ephemeral core.v1.EphemeralVolumeSource
30 image core.v1.ImageVolumeSource)"},
    {"core.v1.VolumeStatus", R"(1 image core.v1.ImageVolumeStatus)"},
    {"core.v1.VsphereVirtualDiskVolumeSource", R"(1 volumePath string
2 fsType string omit
3 storagePolicyName string omit
4 storagePolicyID string omit)"},
    {"core.v1.WeightedPodAffinityTerm", R"(1 weight int
2 podAffinityTerm core.v1.PodAffinityTerm)"},
    {"core.v1.WindowsSecurityContextOptions", R"(1 gmsaCredentialSpecName string
2 gmsaCredentialSpec string
3 runAsUserName string
4 hostProcess bool)"},
    {"discovery.v1.Endpoint", R"(1 addresses []string null
2 conditions discovery.v1.EndpointConditions
3 hostname string
4 targetRef core.v1.ObjectReference
5 deprecatedTopology {}string
6 nodeName string
7 zone string
8 hints discovery.v1.EndpointHints)"},
    {"discovery.v1.EndpointConditions", R"(1 ready bool
2 serving bool
3 terminating bool)"},
    {"discovery.v1.EndpointHints", R"(1 forZones []discovery.v1.ForZone
2 forNodes []discovery.v1.ForNode)"},
    {"discovery.v1.EndpointPort", R"(1 name string
2 protocol string
3 port int
4 appProtocol string)"},
    {"discovery.v1.EndpointSlice", R"(1 metadata meta.v1.ObjectMeta
2 endpoints []discovery.v1.Endpoint null
3 ports []discovery.v1.EndpointPort null
4 addressType string)"},
    {"discovery.v1.ForNode", R"(1 name string)"},
    {"discovery.v1.ForZone", R"(1 name string)"},
    {"events.v1.Event", R"(1 metadata meta.v1.ObjectMeta
2 eventTime microtime
3 series events.v1.EventSeries
4 reportingController string omit
5 reportingInstance string omit
6 action string omit
7 reason string omit
8 regarding core.v1.ObjectReference
9 related core.v1.ObjectReference
10 note string omit
11 type string omit
12 deprecatedSource core.v1.EventSource
13 deprecatedFirstTimestamp time
14 deprecatedLastTimestamp time
15 deprecatedCount int omit)"},
    {"events.v1.EventSeries", R"(1 count int
2 lastObservedTime microtime)"},
    {"flowcontrol.v1.ExemptPriorityLevelConfiguration", R"(1 nominalConcurrencyShares int
2 lendablePercent int)"},
    {"flowcontrol.v1.FlowDistinguisherMethod", R"(1 type string)"},
    {"flowcontrol.v1.FlowSchema", R"(1 metadata meta.v1.ObjectMeta
2 spec flowcontrol.v1.FlowSchemaSpec
3 status flowcontrol.v1.FlowSchemaStatus)"},
    {"flowcontrol.v1.FlowSchemaCondition", R"(1 type string omit
2 status string omit
3 lastTransitionTime time
4 reason string omit
5 message string omit)"},
    {"flowcontrol.v1.FlowSchemaSpec", R"(1 priorityLevelConfiguration flowcontrol.v1.PriorityLevelConfigurationReference
2 matchingPrecedence int
3 distinguisherMethod flowcontrol.v1.FlowDistinguisherMethod
4 rules []flowcontrol.v1.PolicyRulesWithSubjects)"},
    {"flowcontrol.v1.FlowSchemaStatus", R"(1 conditions []flowcontrol.v1.FlowSchemaCondition)"},
    {"flowcontrol.v1.GroupSubject", R"(1 name string)"},
    {"flowcontrol.v1.LimitResponse", R"(1 type string
2 queuing flowcontrol.v1.QueuingConfiguration)"},
    {"flowcontrol.v1.LimitedPriorityLevelConfiguration", R"(1 nominalConcurrencyShares int null
2 limitResponse flowcontrol.v1.LimitResponse
3 lendablePercent int
4 borrowingLimitPercent int)"},
    {"flowcontrol.v1.NonResourcePolicyRule", R"(1 verbs []string null
6 nonResourceURLs []string null)"},
    {"flowcontrol.v1.PolicyRulesWithSubjects", R"(1 subjects []flowcontrol.v1.Subject null
2 resourceRules []flowcontrol.v1.ResourcePolicyRule
3 nonResourceRules []flowcontrol.v1.NonResourcePolicyRule)"},
    {"flowcontrol.v1.PriorityLevelConfiguration", R"(1 metadata meta.v1.ObjectMeta
2 spec flowcontrol.v1.PriorityLevelConfigurationSpec
3 status flowcontrol.v1.PriorityLevelConfigurationStatus)"},
    {"flowcontrol.v1.PriorityLevelConfigurationCondition", R"(1 type string omit
2 status string omit
3 lastTransitionTime time
4 reason string omit
5 message string omit)"},
    {"flowcontrol.v1.PriorityLevelConfigurationReference", R"(1 name string)"},
    {"flowcontrol.v1.PriorityLevelConfigurationSpec", R"(1 type string
2 limited flowcontrol.v1.LimitedPriorityLevelConfiguration
3 exempt flowcontrol.v1.ExemptPriorityLevelConfiguration)"},
    {"flowcontrol.v1.PriorityLevelConfigurationStatus", R"(1 conditions []flowcontrol.v1.PriorityLevelConfigurationCondition)"},
    {"flowcontrol.v1.QueuingConfiguration", R"(1 queues int
2 handSize int
3 queueLengthLimit int)"},
    {"flowcontrol.v1.ResourcePolicyRule", R"(1 verbs []string null
2 apiGroups []string null
3 resources []string null
4 clusterScope bool omit
5 namespaces []string null)"},
    {"flowcontrol.v1.ServiceAccountSubject", R"(1 namespace string
2 name string)"},
    {"flowcontrol.v1.Subject", R"(1 kind string
2 user flowcontrol.v1.UserSubject
3 group flowcontrol.v1.GroupSubject
4 serviceAccount flowcontrol.v1.ServiceAccountSubject)"},
    {"flowcontrol.v1.UserSubject", R"(1 name string)"},
    {"meta.v1.Condition", R"(1 type string
2 status string
3 observedGeneration int omit
4 lastTransitionTime time
5 reason string
6 message string)"},
    {"meta.v1.DeleteOptions", R"(1 gracePeriodSeconds int
2 preconditions meta.v1.Preconditions
3 orphanDependents bool
4 propagationPolicy string
5 dryRun []string
6 ignoreStoreReadErrorWithClusterBreakingPotential bool)"},
    {"meta.v1.FieldSelectorRequirement", R"(1 key string
2 operator string
3 values []string)"},
    {"meta.v1.LabelSelector", R"(1 matchLabels {}string
2 matchExpressions []meta.v1.LabelSelectorRequirement)"},
    {"meta.v1.LabelSelectorRequirement", R"(1 key string
2 operator string
3 values []string)"},
    {"meta.v1.ListMeta", R"(1 selfLink string omit
2 resourceVersion string omit
3 continue string omit
4 remainingItemCount int
5 shardInfo meta.v1.ShardInfo)"},
    {"meta.v1.ManagedFieldsEntry", R"(1 manager string omit
2 operation string omit
3 apiVersion string omit
4 time time
6 fieldsType string omit
7 fieldsV1 json
8 subresource string omit)"},
    {"meta.v1.ObjectMeta", R"(1 name string omit
2 generateName string omit
3 namespace string omit
4 selfLink string omit
5 uid string omit
6 resourceVersion string omit
7 generation int omit
8 creationTimestamp time
9 deletionTimestamp time
10 deletionGracePeriodSeconds int
11 labels {}string
12 annotations {}string
13 ownerReferences []meta.v1.OwnerReference
14 finalizers []string
17 managedFields []meta.v1.ManagedFieldsEntry)"},
    {"meta.v1.OwnerReference", R"(1 kind string
3 name string
4 uid string
5 apiVersion string
6 controller bool
7 blockOwnerDeletion bool)"},
    {"meta.v1.PartialObjectMetadata", R"(1 metadata meta.v1.ObjectMeta)"},
    {"meta.v1.Preconditions", R"(1 uid string
2 resourceVersion string)"},
    {"meta.v1.ShardInfo", R"(1 selector string)"},
    {"meta.v1.Status", R"(1 metadata meta.v1.ListMeta
2 status string omit
3 message string omit
4 reason string omit
5 details meta.v1.StatusDetails
6 code int omit)"},
    {"meta.v1.StatusCause", R"(1 reason string omit
2 message string omit
3 field string omit)"},
    {"meta.v1.StatusDetails", R"(1 name string omit
2 group string omit
3 kind string omit
4 causes []meta.v1.StatusCause
5 retryAfterSeconds int omit
6 uid string omit)"},
    {"networking.v1.HTTPIngressPath", R"(1 path string omit
2 backend networking.v1.IngressBackend
3 pathType string null)"},
    {"networking.v1.HTTPIngressRuleValue", R"(1 paths []networking.v1.HTTPIngressPath null)"},
    {"networking.v1.IPAddress", R"(1 metadata meta.v1.ObjectMeta
2 spec networking.v1.IPAddressSpec)"},
    {"networking.v1.IPAddressSpec", R"(1 parentRef networking.v1.ParentReference)"},
    {"networking.v1.IPBlock", R"(1 cidr string
2 except []string)"},
    {"networking.v1.Ingress", R"(1 metadata meta.v1.ObjectMeta
2 spec networking.v1.IngressSpec
3 status networking.v1.IngressStatus)"},
    {"networking.v1.IngressBackend", R"(3 resource core.v1.TypedLocalObjectReference
4 service networking.v1.IngressServiceBackend)"},
    {"networking.v1.IngressClass", R"(1 metadata meta.v1.ObjectMeta
2 spec networking.v1.IngressClassSpec)"},
    {"networking.v1.IngressClassParametersReference", R"(1 apiGroup string
2 kind string
3 name string
4 scope string null
5 namespace string)"},
    {"networking.v1.IngressClassSpec", R"(1 controller string omit
2 parameters networking.v1.IngressClassParametersReference)"},
    {"networking.v1.IngressLoadBalancerIngress", R"(1 ip string omit
2 hostname string omit
4 ports []networking.v1.IngressPortStatus)"},
    {"networking.v1.IngressLoadBalancerStatus", R"(1 ingress []networking.v1.IngressLoadBalancerIngress)"},
    {"networking.v1.IngressPortStatus", R"(1 port int
2 protocol string
3 error string)"},
    {"networking.v1.IngressRule", R"(1 host string omit
2 - networking.v1.IngressRuleValue)"},
    {"networking.v1.IngressRuleValue", R"(1 http networking.v1.HTTPIngressRuleValue)"},
    {"networking.v1.IngressServiceBackend", R"(1 name string
2 port networking.v1.ServiceBackendPort)"},
    {"networking.v1.IngressSpec", R"(1 defaultBackend networking.v1.IngressBackend
2 tls []networking.v1.IngressTLS
3 rules []networking.v1.IngressRule
4 ingressClassName string)"},
    {"networking.v1.IngressStatus", R"(1 loadBalancer networking.v1.IngressLoadBalancerStatus)"},
    {"networking.v1.IngressTLS", R"(1 hosts []string
2 secretName string omit)"},
    {"networking.v1.NetworkPolicy", R"(1 metadata meta.v1.ObjectMeta
2 spec networking.v1.NetworkPolicySpec)"},
    {"networking.v1.NetworkPolicyEgressRule", R"(1 ports []networking.v1.NetworkPolicyPort
2 to []networking.v1.NetworkPolicyPeer)"},
    {"networking.v1.NetworkPolicyIngressRule", R"(1 ports []networking.v1.NetworkPolicyPort
2 from []networking.v1.NetworkPolicyPeer)"},
    {"networking.v1.NetworkPolicyPeer", R"(1 podSelector meta.v1.LabelSelector
2 namespaceSelector meta.v1.LabelSelector
3 ipBlock networking.v1.IPBlock)"},
    {"networking.v1.NetworkPolicyPort", R"(1 protocol string
2 port int-or-string
3 endPort int)"},
    {"networking.v1.NetworkPolicySpec", R"(1 podSelector meta.v1.LabelSelector
2 ingress []networking.v1.NetworkPolicyIngressRule
3 egress []networking.v1.NetworkPolicyEgressRule
4 policyTypes []string)"},
    {"networking.v1.ParentReference", R"(1 group string omit
2 resource string omit
3 namespace string omit
4 name string omit)"},
    {"networking.v1.ServiceBackendPort", R"(1 name string omit
2 number int omit)"},
    {"networking.v1.ServiceCIDR", R"(1 metadata meta.v1.ObjectMeta
2 spec networking.v1.ServiceCIDRSpec
3 status networking.v1.ServiceCIDRStatus)"},
    {"networking.v1.ServiceCIDRSpec", R"(1 cidrs []string)"},
    {"networking.v1.ServiceCIDRStatus", R"(1 conditions []meta.v1.Condition)"},
    {"node.v1.Overhead", R"(1 podFixed {}quantity)"},
    {"node.v1.RuntimeClass", R"(1 metadata meta.v1.ObjectMeta
2 handler string
3 overhead node.v1.Overhead
4 scheduling node.v1.Scheduling)"},
    {"node.v1.Scheduling", R"(1 nodeSelector {}string
2 tolerations []core.v1.Toleration)"},
    {"policy.v1.Eviction", R"(1 metadata meta.v1.ObjectMeta
2 deleteOptions meta.v1.DeleteOptions)"},
    {"policy.v1.PodDisruptionBudget", R"(1 metadata meta.v1.ObjectMeta
2 spec policy.v1.PodDisruptionBudgetSpec
3 status policy.v1.PodDisruptionBudgetStatus)"},
    {"policy.v1.PodDisruptionBudgetSpec", R"(1 minAvailable int-or-string
2 selector meta.v1.LabelSelector
3 maxUnavailable int-or-string
4 unhealthyPodEvictionPolicy string)"},
    {"policy.v1.PodDisruptionBudgetStatus", R"(1 observedGeneration int omit
2 disruptedPods {}time
3 disruptionsAllowed int
4 currentHealthy int
5 desiredHealthy int
6 expectedPods int
7 conditions []meta.v1.Condition)"},
    {"rbac.v1.AggregationRule", R"(1 clusterRoleSelectors []meta.v1.LabelSelector)"},
    {"rbac.v1.ClusterRole", R"(1 metadata meta.v1.ObjectMeta
2 rules []rbac.v1.PolicyRule null
3 aggregationRule rbac.v1.AggregationRule)"},
    {"rbac.v1.ClusterRoleBinding", R"(1 metadata meta.v1.ObjectMeta
2 subjects []rbac.v1.Subject
3 roleRef rbac.v1.RoleRef)"},
    {"rbac.v1.PolicyRule", R"(1 verbs []string null
2 apiGroups []string
3 resources []string
4 resourceNames []string
5 nonResourceURLs []string)"},
    {"rbac.v1.Role", R"(1 metadata meta.v1.ObjectMeta
2 rules []rbac.v1.PolicyRule null)"},
    {"rbac.v1.RoleBinding", R"(1 metadata meta.v1.ObjectMeta
2 subjects []rbac.v1.Subject
3 roleRef rbac.v1.RoleRef)"},
    {"rbac.v1.RoleRef", R"(1 apiGroup string
2 kind string
3 name string)"},
    {"rbac.v1.Subject", R"(1 kind string
2 apiGroup string omit
3 name string
4 namespace string omit)"},
    {"resource.v1.AllocatedDeviceStatus", R"(1 driver string
2 pool string
3 device string
4 conditions []meta.v1.Condition null
5 data json
6 networkData resource.v1.NetworkDeviceData
7 shareID string)"},
    {"resource.v1.AllocationResult", R"(1 devices resource.v1.DeviceAllocationResult
3 nodeSelector core.v1.NodeSelector
5 allocationTimestamp time)"},
    {"resource.v1.CELDeviceSelector", R"(1 expression string)"},
    {"resource.v1.CapacityRequestPolicy", R"(1 default quantity null
3 validValues []quantity
4 validRange resource.v1.CapacityRequestPolicyRange)"},
    {"resource.v1.CapacityRequestPolicyRange", R"(1 min quantity
2 max quantity
3 step quantity)"},
    {"resource.v1.CapacityRequirements", R"(1 requests {}quantity)"},
    {"resource.v1.Counter", R"(1 value quantity)"},
    {"resource.v1.CounterSet", R"(1 name string
2 counters {}resource.v1.Counter)"},
    {"resource.v1.Device", R"(1 name string
2 attributes {}resource.v1.DeviceAttribute
3 capacity {}resource.v1.DeviceCapacity
4 consumesCounters []resource.v1.DeviceCounterConsumption
5 nodeName string
6 nodeSelector core.v1.NodeSelector
7 allNodes bool
8 taints []resource.v1.DeviceTaint
9 bindsToNode bool
10 bindingConditions []string
11 bindingFailureConditions []string
12 allowMultipleAllocations bool
13 nodeAllocatableResourceMappings {}resource.v1.NodeAllocatableResourceMapping)"},
    {"resource.v1.DeviceAllocationConfiguration", R"(1 source string
2 requests []string
3 - resource.v1.DeviceConfiguration)"},
    {"resource.v1.DeviceAllocationResult", R"(1 results []resource.v1.DeviceRequestAllocationResult
2 config []resource.v1.DeviceAllocationConfiguration)"},
    {"resource.v1.DeviceAttribute", R"(2 int int
3 bool bool
4 string string
5 version string
6 ints []int
7 bools []bool
8 strings []string
9 versions []string)"},
    {"resource.v1.DeviceCapacity", R"(1 value quantity
2 requestPolicy resource.v1.CapacityRequestPolicy)"},
    {"resource.v1.DeviceClaim", R"(1 requests []resource.v1.DeviceRequest null
2 constraints []resource.v1.DeviceConstraint
3 config []resource.v1.DeviceClaimConfiguration)"},
    {"resource.v1.DeviceClaimConfiguration", R"(1 requests []string
2 - resource.v1.DeviceConfiguration)"},
    {"resource.v1.DeviceClass", R"(1 metadata meta.v1.ObjectMeta
2 spec resource.v1.DeviceClassSpec)"},
    {"resource.v1.DeviceClassConfiguration", R"(1 - resource.v1.DeviceConfiguration)"},
    {"resource.v1.DeviceClassSpec", R"(1 selectors []resource.v1.DeviceSelector
2 config []resource.v1.DeviceClassConfiguration
4 extendedResourceName string)"},
    {"resource.v1.DeviceConfiguration", R"(1 opaque resource.v1.OpaqueDeviceConfiguration)"},
    {"resource.v1.DeviceConstraint", R"(1 requests []string
2 matchAttribute string
3 distinctAttribute string)"},
    {"resource.v1.DeviceCounterConsumption", R"(1 counterSet string
2 counters {}resource.v1.Counter)"},
    {"resource.v1.DeviceRequest", R"(1 name string
2 exactly resource.v1.ExactDeviceRequest
3 firstAvailable []resource.v1.DeviceSubRequest)"},
    {"resource.v1.DeviceRequestAllocationResult", R"(1 request string
2 driver string
3 pool string
4 device string
5 adminAccess bool
6 tolerations []resource.v1.DeviceToleration
7 bindingConditions []string
8 bindingFailureConditions []string
9 shareID string
10 consumedCapacity {}quantity)"},
    {"resource.v1.DeviceSelector", R"(1 cel resource.v1.CELDeviceSelector)"},
    {"resource.v1.DeviceSubRequest", R"(1 name string
2 deviceClassName string
3 selectors []resource.v1.DeviceSelector
4 allocationMode string omit
5 count int omit
6 tolerations []resource.v1.DeviceToleration
7 capacity resource.v1.CapacityRequirements)"},
    {"resource.v1.DeviceTaint", R"(1 key string
2 value string omit
3 effect string
4 timeAdded time)"},
    {"resource.v1.DeviceToleration", R"(1 key string omit
2 operator string omit
3 value string omit
4 effect string omit
5 tolerationSeconds int)"},
    {"resource.v1.ExactDeviceRequest", R"(1 deviceClassName string
2 selectors []resource.v1.DeviceSelector
3 allocationMode string omit
4 count int omit
5 adminAccess bool
6 tolerations []resource.v1.DeviceToleration
7 capacity resource.v1.CapacityRequirements)"},
    {"resource.v1.NetworkDeviceData", R"(1 interfaceName string omit
2 ips []string
3 hardwareAddress string omit)"},
    {"resource.v1.NodeAllocatableResourceMapping", R"(1 capacityKey string
2 allocationMultiplier quantity)"},
    {"resource.v1.OpaqueDeviceConfiguration", R"(1 driver string
2 parameters json)"},
    {"resource.v1.ResourceClaim", R"(1 metadata meta.v1.ObjectMeta
2 spec resource.v1.ResourceClaimSpec
3 status resource.v1.ResourceClaimStatus)"},
    {"resource.v1.ResourceClaimConsumerReference", R"(1 apiGroup string omit
3 resource string
4 name string
5 uid string)"},
    {"resource.v1.ResourceClaimSpec", R"(1 devices resource.v1.DeviceClaim)"},
    {"resource.v1.ResourceClaimStatus", R"(1 allocation resource.v1.AllocationResult
2 reservedFor []resource.v1.ResourceClaimConsumerReference
4 devices []resource.v1.AllocatedDeviceStatus)"},
    {"resource.v1.ResourceClaimTemplate", R"(1 metadata meta.v1.ObjectMeta
2 spec resource.v1.ResourceClaimTemplateSpec)"},
    {"resource.v1.ResourceClaimTemplateSpec", R"(1 metadata meta.v1.ObjectMeta
2 spec resource.v1.ResourceClaimSpec)"},
    {"resource.v1.ResourcePool", R"(1 name string
2 generation int
3 resourceSliceCount int)"},
    {"resource.v1.ResourceSlice", R"(1 metadata meta.v1.ObjectMeta
2 spec resource.v1.ResourceSliceSpec)"},
    {"resource.v1.ResourceSliceSpec", R"(1 driver string
2 pool resource.v1.ResourcePool
3 nodeName string
4 nodeSelector core.v1.NodeSelector
5 allNodes bool
6 devices []resource.v1.Device
7 perDeviceNodeSelection bool
8 sharedCounters []resource.v1.CounterSet)"},
    {"scheduling.v1.PriorityClass", R"(1 metadata meta.v1.ObjectMeta
2 value int
3 globalDefault bool omit
4 description string omit
5 preemptionPolicy string)"},
    {"storage.v1.CSIDriver", R"(1 metadata meta.v1.ObjectMeta
2 spec storage.v1.CSIDriverSpec)"},
    {"storage.v1.CSIDriverSpec", R"(1 attachRequired bool
2 podInfoOnMount bool
3 volumeLifecycleModes []string
4 storageCapacity bool
5 fsGroupPolicy string
6 tokenRequests []storage.v1.TokenRequest
7 requiresRepublish bool
8 seLinuxMount bool
9 nodeAllocatableUpdatePeriodSeconds int
10 serviceAccountTokenInSecrets bool
11 preventPodSchedulingIfMissing bool)"},
    {"storage.v1.CSINode", R"(1 metadata meta.v1.ObjectMeta
2 spec storage.v1.CSINodeSpec)"},
    {"storage.v1.CSINodeDriver", R"(1 name string
2 nodeID string
3 topologyKeys []string null
4 allocatable storage.v1.VolumeNodeResources)"},
    {"storage.v1.CSINodeSpec", R"(1 drivers []storage.v1.CSINodeDriver null)"},
    {"storage.v1.CSIStorageCapacity", R"(1 metadata meta.v1.ObjectMeta
2 nodeTopology meta.v1.LabelSelector
3 storageClassName string
4 capacity quantity
5 maximumVolumeSize quantity)"},
    {"storage.v1.StorageClass", R"(1 metadata meta.v1.ObjectMeta
2 provisioner string
3 parameters {}string
4 reclaimPolicy string
5 mountOptions []string
6 allowVolumeExpansion bool
7 volumeBindingMode string
8 allowedTopologies []core.v1.TopologySelectorTerm)"},
    {"storage.v1.TokenRequest", R"(1 audience string
2 expirationSeconds int)"},
    {"storage.v1.VolumeAttachment", R"(1 metadata meta.v1.ObjectMeta
2 spec storage.v1.VolumeAttachmentSpec
3 status storage.v1.VolumeAttachmentStatus)"},
    {"storage.v1.VolumeAttachmentSource", R"(1 persistentVolumeName string
2 inlineVolumeSpec core.v1.PersistentVolumeSpec)"},
    {"storage.v1.VolumeAttachmentSpec", R"(1 attacher string
2 source storage.v1.VolumeAttachmentSource
3 nodeName string)"},
    {"storage.v1.VolumeAttachmentStatus", R"(1 attached bool
2 attachmentMetadata {}string
3 attachError storage.v1.VolumeError
4 detachError storage.v1.VolumeError)"},
    {"storage.v1.VolumeAttributesClass", R"(1 metadata meta.v1.ObjectMeta
2 driverName string
3 parameters {}string)"},
    {"storage.v1.VolumeError", R"(1 time time
2 message string omit
3 errorCode int)"},
    {"storage.v1.VolumeNodeResources", R"(1 count int)"},
};
// clang-format on

}  // namespace

std::span<const json::MessageFacts> protobuf_messages() noexcept { return all_messages; }

}  // namespace pintle
