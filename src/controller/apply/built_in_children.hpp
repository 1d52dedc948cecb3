// SPDX-License-Identifier: Apache-2.0
// Intents of the built-in kinds. Their lists have few members, as in manifests that people write; the server adds the
// defaults.
#pragma once

#include <string_view>

namespace pintle {

inline constexpr std::string_view built_in_children[] = {
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","namespace":"default","labels":{"a":"b"}},"spec":{
      "containers":[
        {"name":"c","image":"nginx:1.2","args":["-a","-b"],"ports":[{"containerPort":80},{"containerPort":80,"protocol":"UDP"}],
         "env":[{"name":"A","value":"1"},{"name":"P","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],
         "envFrom":[{"configMapRef":{"name":"m"}}],"livenessProbe":{"httpGet":{"path":"/","port":"web"}},
         "resources":{"limits":{"cpu":"1000m","memory":"1024Mi"},"requests":{"cpu":"0.5"}},
         "volumeMounts":[{"name":"v","mountPath":"/v"},{"name":"m","mountPath":"/m"}],
         "volumeDevices":[],"command":[]}],
      "initContainers":[{"name":"i","image":"b","env":[{"name":"E","value":"e"}]}],
      "imagePullSecrets":[{"name":"r"}],"hostAliases":[{"ip":"10.0.0.1","hostnames":["h"]}],
      "tolerations":[{"key":"k","operator":"Exists"}],"nodeSelector":{"n":"1"},
      "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule",
        "labelSelector":{"matchLabels":{"a":"b"}}}],
      "readinessGates":[{"conditionType":"g.example.com/g"}],
      "volumes":[{"name":"v","emptyDir":{}},{"name":"m","configMap":{"name":"m","items":[{"key":"k","path":"p"}]}},
        {"name":"p","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}]}})",
    R"({"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"x","namespace":"default"},"template":{
      "metadata":{"labels":{"a":"b"},"creationTimestamp":null},
      "spec":{"containers":[{"name":"c","image":"nginx","ports":[{"containerPort":80}]}]}}})",
    R"({"apiVersion":"v1","kind":"ReplicationController","metadata":{"name":"x","namespace":"default"},"spec":{
      "selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},
      "spec":{"containers":[{"name":"c","image":"nginx","ports":[{"containerPort":80}]}]}}}})",
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x","namespace":"default"},"spec":{
      "selector":{"matchLabels":{"a":"b"}},"strategy":{"rollingUpdate":{"maxSurge":"25%"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{
        "containers":[{"name":"c","image":"nginx","ports":[{"containerPort":80,"name":"http"}],
          "env":[{"name":"A","value":"1"},{"name":"B","value":"2"}],
          "readinessProbe":{"tcpSocket":{"port":80}},"resources":{"limits":{"memory":"0.5Gi"}}}],
        "volumes":[{"name":"s","secret":{"secretName":"s"}},{"name":"h","hostPath":{"path":"/x"}}]}}}})",
    R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"x","namespace":"default"},"spec":{
      "selector":{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"nginx"}]}}}})",
    R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"x","namespace":"default"},"spec":{
      "serviceName":"s","selector":{"matchLabels":{"a":"b"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"nginx"}]}},
      "volumeClaimTemplates":[{"metadata":{"name":"v"},"spec":{"accessModes":["ReadWriteOnce"],
        "resources":{"requests":{"storage":"1024Mi"}}}}]}})",
    R"({"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"x","namespace":"default"},"spec":{
      "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{
        "containers":[{"name":"c","image":"nginx","ports":[{"containerPort":80,"hostPort":80}]}],"hostNetwork":true}}}})",
    R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"x","namespace":"default"},"spec":{
      "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"nginx"}]}},
      "podFailurePolicy":{"rules":[{"action":"FailJob","onExitCodes":{"operator":"In","values":[1,2]}}]}}})",
    R"({"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"x","namespace":"default"},"spec":{
      "schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never",
      "containers":[{"name":"c","image":"nginx","env":[{"name":"A","value":"1"}]}]}}}}}})",
    R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"x","namespace":"default"},"spec":{"type":"NodePort",
      "selector":{"a":"b"},"ports":[{"port":80,"name":"http"},{"port":443,"name":"tls","targetPort":"https"}],
      "externalIPs":["1.2.3.4"]}})",
    R"({"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"y","namespace":"default"},"subsets":[
      {"addresses":[{"ip":"10.1.1.1"}],"ports":[{"port":80}]}]})",
    R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"x","namespace":"default"},
      "addressType":"IPv4","endpoints":[{"addresses":["10.1.1.1"]}],"ports":[{"port":80}]})",
    R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"x","namespace":"default"},
      "stringData":{"a":"b"},"data":{"c":"ZA=="}})",
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"default"},
      "data":{"a":"b"},"binaryData":{"c":"ZA=="}})",
    R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"x","namespace":"default"},
      "imagePullSecrets":[{"name":"r"}],"secrets":[{"name":"s"}]})",
    R"({"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"x","namespace":"default"},"spec":{
      "limits":[{"type":"Container","default":{"cpu":"1000m"}}]}})",
    R"({"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"x","namespace":"default"},"spec":{
      "hard":{"pods":"9k"},"scopes":["NotTerminating"]}})",
    R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"x","namespace":"default"},"spec":{
      "accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1024Mi"}}}})",
    R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"x"},"spec":{
      "capacity":{"storage":"1024Mi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"},"mountOptions":["a"]}})",
    R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"x"},"spec":{
      "taints":[{"key":"k","effect":"NoSchedule"}],"podCIDRs":["10.1.0.0/24"],"podCIDR":"10.1.0.0/24"}})",
    R"({"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"x","namespace":"default"},"spec":{
      "tls":[{"hosts":["x.example.com"]}],"rules":[{"host":"x.example.com","http":{"paths":[
        {"path":"/","pathType":"Prefix","backend":{"service":{"name":"s","port":{"number":80}}}}]}}]}})",
    R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"x","namespace":"default"},"spec":{
      "podSelector":{},"ingress":[{"ports":[{"port":80}],"from":[{"podSelector":{"matchLabels":{"a":"b"}}}]}],
      "egress":[{"to":[{"ipBlock":{"cidr":"10.0.0.0/8"}}]}]}})",
    R"({"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"x","namespace":"default"},
      "spec":{"maxReplicas":3,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"x"},
      "metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":5}}}]}})",
    R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"x","namespace":"default"},"spec":{
      "minAvailable":"50%","selector":{"matchLabels":{"a":"b"}}}})",
    R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"x","namespace":"default"},
      "rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get","list"]}]})",
    R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"x"},
      "rules":[{"nonResourceURLs":["/x"],"verbs":["get"]}]})",
    R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"x","namespace":"default"},
      "roleRef":{"kind":"Role","name":"x","apiGroup":"rbac.authorization.k8s.io"},
      "subjects":[{"kind":"User","name":"u"},{"kind":"ServiceAccount","name":"sa","namespace":"default"}]})",
    R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"x"},
      "roleRef":{"kind":"ClusterRole","name":"x","apiGroup":"rbac.authorization.k8s.io"},
      "subjects":[{"kind":"Group","name":"g"}]})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"x"},"provisioner":"x.example.com/p",
      "mountOptions":["a"],"allowedTopologies":[{"matchLabelExpressions":[{"key":"z","values":["1"]}]}]})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","metadata":{"name":"x.example.com"},"spec":{
      "volumeLifecycleModes":["Persistent","Ephemeral"],"tokenRequests":[{"audience":"a"}]}})",
    R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{"name":"x"},"spec":{
      "drivers":[{"name":"d.example.com","nodeID":"n","topologyKeys":["z"]}]}})",
    R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"x"},
      "webhooks":[{"name":"a.example.com","admissionReviewVersions":["v1"],"sideEffects":"None",
        "clientConfig":{"url":"https://127.0.0.1:1/x"},"failurePolicy":"Ignore","rules":[{"apiGroups":["x.example.com"],
        "apiVersions":["v1"],"operations":["CREATE"],"resources":["xs"]}]}]})",
    R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"x"},
      "webhooks":[{"name":"a.example.com","admissionReviewVersions":["v1"],"sideEffects":"None",
        "clientConfig":{"service":{"name":"s","namespace":"default"}},"failurePolicy":"Ignore",
        "matchConditions":[{"name":"m","expression":"true"}],"rules":[{"apiGroups":["x.example.com"],
        "apiVersions":["v1"],"operations":["CREATE"],"resources":["xs"]}]}]})",
    R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"x"},"spec":{
      "matchConstraints":{"resourceRules":[{"apiGroups":["x.example.com"],"apiVersions":["v1"],"operations":["CREATE"],
        "resources":["xs"]}]},"matchConditions":[{"name":"m","expression":"true"}],
      "variables":[{"name":"v","expression":"1"}],"validations":[{"expression":"variables.v == 1"}]}})",
    R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"x"},
      "spec":{"policyName":"x","validationActions":["Deny","Audit"]}})",
    R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"xs.example.org"},
      "spec":{"group":"example.org","scope":"Namespaced","names":{"kind":"X","plural":"xs"},"versions":[
        {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},
         "additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":".a"}]}]}})",
    R"({"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"x"},"handler":"h",
      "scheduling":{"tolerations":[{"key":"k","operator":"Exists"}]}})",
    R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","namespace":"default"},"spec":{
      "holderIdentity":"a"}})",
    R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"x"},"value":5})",
    R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"PriorityLevelConfiguration","metadata":{"name":"x"},"spec":{
      "type":"Limited","limited":{"nominalConcurrencyShares":5,"limitResponse":{"type":"Reject"}}}})",
    R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"FlowSchema","metadata":{"name":"x"},"spec":{
      "priorityLevelConfiguration":{"name":"x"},"rules":[{"subjects":[{"kind":"User","user":{"name":"u"}}],
      "resourceRules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"],"namespaces":["default"]}]}]}})",
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"x","namespace":"default"},"spec":{
      "devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"d.example.com"}}]}}})",
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{"name":"x","namespace":"default"},
      "spec":{"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"d.example.com"}}]}}}})",
    R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"x.example.com"},"spec":{
      "selectors":[{"cel":{"expression":"true"}}]}})",
    R"({"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"x"},"spec":{
      "request":"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUFBPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K","signerName":"example.com/s","usages":["client auth"]}})",
};

}  // namespace pintle
