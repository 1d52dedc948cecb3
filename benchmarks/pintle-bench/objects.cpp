// SPDX-License-Identifier: Apache-2.0
#include "objects.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <pintle/base/random.hpp>

namespace pintle::benchmarks {
namespace {

constexpr std::string_view pod_text =
    R"({"metadata":{"name":"@name@","generateName":"@set@-","namespace":"@namespace@","uid":"@uid@",)"
    R"("resourceVersion":"@version@","generation":1,"creationTimestamp":"@time@",)"
    R"("labels":{"app.kubernetes.io/name":"@app@","pod-template-hash":"@hash@","tier":"@tier@"},)"
    R"("annotations":{"checksum/config":"@checksum@","prometheus.io/scrape":"true"},)"
    R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"@set@","uid":"@set_uid@","controller":true,)"
    R"("blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update",)"
    R"("apiVersion":"v1","time":"@time@","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},)"
    R"("f:checksum/config":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},)"
    R"("f:app.kubernetes.io/name":{},"f:pod-template-hash":{},"f:tier":{}},"f:ownerReferences":{".":{},)"
    R"("k:{\"uid\":\"@set_uid@\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:args":{},)"
    R"("f:env":{".":{},"k:{\"name\":\"DB_PASSWORD\"}":{".":{},"f:name":{},"f:valueFrom":{".":{},"f:secretKeyRef":{}}},)"
    R"("k:{\"name\":\"POD_NAME\"}":{".":{},"f:name":{},"f:valueFrom":{".":{},"f:fieldRef":{}}}},"f:image":{},)"
    R"("f:imagePullPolicy":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},)"
    R"("f:containerPort":{},"f:name":{},"f:protocol":{}}},"f:readinessProbe":{".":{},"f:failureThreshold":{},)"
    R"("f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:initialDelaySeconds":{},"f:periodSeconds":{},)"
    R"("f:successThreshold":{},"f:timeoutSeconds":{}},"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}},)"
    R"("f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},)"
    R"("f:volumeMounts":{".":{},"k:{\"mountPath\":\"/etc/app\"}":{".":{},"f:mountPath":{},"f:name":{},"f:readOnly":{}},)"
    R"("k:{\"mountPath\":\"/var/run/secrets/kubernetes.io/serviceaccount\"}":{".":{},"f:mountPath":{},"f:name":{},)"
    R"("f:readOnly":{}}}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:nodeName":{},"f:restartPolicy":{},)"
    R"("f:schedulerName":{},"f:securityContext":{".":{},"f:runAsUser":{}},"f:serviceAccount":{},"f:serviceAccountName":{},)"
    R"("f:terminationGracePeriodSeconds":{},"f:tolerations":{},"f:volumes":{".":{},"k:{\"name\":\"config\"}":{".":{},)"
    R"("f:configMap":{".":{},"f:defaultMode":{},"f:name":{}},"f:name":{}},"k:{\"name\":\"kube-api-access\"}":{".":{},)"
    R"("f:name":{},"f:projected":{".":{},"f:defaultMode":{},"f:sources":{}}}}}}},{"manager":"kubelet","operation":"Update",)"
    R"("apiVersion":"v1","time":"@time@","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{".":{},)"
    R"("k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},)"
    R"("k:{\"type\":\"PodScheduled\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},)"
    R"("k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},)"
    R"("f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},)"
    R"("k:{\"ip\":\"@ip@\"}":{".":{},"f:ip":{}}},"f:startTime":{}}},"subresource":"status"}]},)"
    R"("spec":{"volumes":[{"name":"config","configMap":{"name":"@app@","defaultMode":420}},{"name":"kube-api-access",)"
    R"("projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3600,"path":"token"}},)"
    R"({"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}}],"defaultMode":420}}],)"
    R"("containers":[{"name":"main","image":"registry.example.com/@app@:v1.2.0","args":["--config=/etc/app/config.yaml",)"
    R"("--v=2"],"ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}],"env":[{"name":"POD_NAME",)"
    R"("valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}},{"name":"DB_PASSWORD",)"
    R"("valueFrom":{"secretKeyRef":{"name":"@app@-db","key":"password"}}}],"resources":{"limits":{"memory":"256Mi"},)"
    R"("requests":{"cpu":"100m","memory":"128Mi"}},"volumeMounts":[{"name":"config","readOnly":true,)"
    R"("mountPath":"/etc/app"},{"name":"kube-api-access","readOnly":true,)"
    R"("mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"readinessProbe":{"httpGet":{"path":"/readyz",)"
    R"("port":8080,"scheme":"HTTP"},"initialDelaySeconds":5,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,)"
    R"("failureThreshold":3},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)"
    R"("imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,)"
    R"("dnsPolicy":"ClusterFirst","serviceAccountName":"@app@","serviceAccount":"@app@","nodeName":"@node@",)"
    R"("securityContext":{"runAsUser":1000},"schedulerName":"default-scheduler",)"
    R"("tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",)"
    R"("tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute",)"
    R"("tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},)"
    R"("status":{"phase":"Running","conditions":[{"type":"Initialized","status":"True","lastProbeTime":null,)"
    R"("lastTransitionTime":"@time@"},{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"@time@"},)"
    R"({"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"@time@"}],"hostIP":"@host@",)"
    R"("hostIPs":[{"ip":"@host@"}],"podIP":"@ip@","podIPs":[{"ip":"@ip@"}],"startTime":"@time@",)"
    R"("containerStatuses":[{"name":"main","state":{"running":{"startedAt":"@time@"}},"lastState":{},"ready":true,)"
    R"("restartCount":0,"image":"registry.example.com/@app@:v1.2.0","imageID":"registry.example.com/x@sha256:@image_id@",)"
    R"("containerID":"containerd://@container_id@","started":true}],"qosClass":"Burstable"}})";

constexpr std::string_view widget_text =
    R"({"apiVersion":"bench.example.com/v1","kind":"Widget",)"
    R"("metadata":{"annotations":{"bench.example.com/owner":"team-@team@"},"creationTimestamp":"@time@","generation":1,)"
    R"("labels":{"app.kubernetes.io/managed-by":"gen","app.kubernetes.io/name":"@app@","tier":"web"},)"
    R"("managedFields":[{"apiVersion":"bench.example.com/v1","fieldsType":"FieldsV1",)"
    R"("fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:bench.example.com/owner":{}},"f:labels":{".":{},)"
    R"("f:app.kubernetes.io/managed-by":{},"f:app.kubernetes.io/name":{},"f:tier":{}}},"f:spec":{".":{},"f:data":{".":{},)"
    R"("f:config.yaml":{},"f:note":{}},"f:env":{},"f:image":{},"f:paused":{},"f:replicas":{},"f:selector":{".":{},)"
    R"("f:app":{}},"f:size":{}}},"manager":"gen","operation":"Update","time":"@time@"}],"name":"@name@",)"
    R"("namespace":"@namespace@","resourceVersion":"@version@","uid":"@uid@"},)"
    R"("spec":{"data":{"config.yaml":"server:\n  port: 8080\n  key: @key@\n","note":"@note@"},"env":[{"name":"LOG_LEVEL",)"
    R"("value":"info"},{"name":"TOKEN","value":"@token@"}],"image":"registry.example.com/@app@:v1.3","paused":false,)"
    R"("replicas":4,"selector":{"app":"@app@"},"size":"small"}})";

constexpr std::string_view config_map_text =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"@name@","namespace":"@namespace@","uid":"@uid@",)"
    R"("resourceVersion":"@version@","creationTimestamp":"@time@","labels":{"app.kubernetes.io/name":"@app@"}},)"
    R"("data":{"@file@":"@content@"}})";

constexpr std::string_view secret_text =
    R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"@name@","namespace":"@namespace@","uid":"@uid@",)"
    R"("resourceVersion":"@version@","creationTimestamp":"@time@"},"data":{"payload":"@content@"},"type":"Opaque"})";

using Values = std::initializer_list<std::pair<std::string_view, std::string>>;

// Replaces the places "@name@" in the text.
std::string filled(std::string_view text, Values values) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find('@');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('@', begin + 1);
    out += text.substr(0, begin);
    if (end == std::string_view::npos) return out;
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    bool is_known = false;
    for (const auto& [known, value] : values) {
      if (known != name) continue;
      out += value;
      is_known = true;
    }
    text.remove_prefix(is_known ? end + 1 : end);
    if (!is_known) out += "@" + std::string(name);
  }
}

std::string letters(Random& random, std::size_t length) {
  static constexpr std::string_view all = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += all[random.below(all.size())];
  return text;
}

std::string uid(Random& random) {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::string text = "00000000-0000-4000-8000-000000000000";
  for (char& c : text) {
    if (c == '0') c = hex[random.below(hex.size())];
  }
  return text;
}

std::string number(std::size_t n, std::size_t width) {
  std::string text = std::to_string(n);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

std::string time_of(std::size_t n) {
  return "2026-11-21T" + number(n / 3600 % 24, 2) + ":" + number(n / 60 % 60, 2) + ":" + number(n % 60, 2) + "Z";
}

std::string namespace_of(std::size_t n) { return n % 5 == 0 ? "n10k" : "n40k"; }

}  // namespace

std::string pod(std::size_t n, std::size_t per_deployment) {
  const std::size_t deployment = n / per_deployment;
  Random of_set(2 * deployment);
  Random of_pod(2 * n + 1);
  static constexpr std::array<std::string_view, 4> tiers{"web", "cache", "db", "worker"};
  const std::string app = "app-" + number(deployment % 1000, 3);
  const std::string hash = letters(of_set, 10);
  const std::string set = app + "-" + hash;
  return filled(pod_text, {{"name", set + "-" + number(n, 6)},
                           {"uid", uid(of_pod)},
                           {"version", std::to_string(60'000 + n)},
                           {"set", set},
                           {"set_uid", uid(of_set)},
                           {"hash", hash},
                           {"app", app},
                           {"tier", std::string(tiers[deployment % tiers.size()])},
                           {"checksum", letters(of_set, 64)},
                           {"image_id", letters(of_set, 64)},
                           {"node", "node-" + number(n % 500, 4)},
                           {"host", "192.168." + std::to_string(n % 500 / 250) + "." + std::to_string(n % 250)},
                           {"ip", "10." + std::to_string(n >> 16U) + "." + std::to_string(n >> 8U & 255U) + "." +
                                      std::to_string(n & 255U)},
                           {"container_id", letters(of_pod, 64)},
                           {"time", time_of(n / 10)},
                           {"namespace", namespace_of(deployment)}});
}

std::string widget(std::size_t n) {
  Random random(n);
  return filled(widget_text, {{"name", "w-" + number(n, 6)},
                              {"uid", uid(random)},
                              {"version", std::to_string(n)},
                              {"team", letters(random, 6)},
                              {"app", "app-" + number(n % 1000, 3)},
                              {"time", time_of(n / 10)},
                              {"key", letters(random, 64)},
                              {"note", letters(random, 60)},
                              {"token", letters(random, 24)},
                              {"namespace", namespace_of(n)}});
}

std::string gadget(std::size_t n) {
  std::string text = widget(n);
  text.replace(text.find("\"Widget\""), std::string_view("\"Widget\"").size(), "\"Gadget\"");
  return text;
}

std::string config_map(std::size_t n) {
  Random of_all(1);
  Random of_one(n);
  const bool is_certificate = n % 2 == 0;
  return filled(config_map_text, {{"name", is_certificate ? "kube-root-ca.crt" : "config-" + number(n, 6)},
                                  {"uid", uid(of_one)},
                                  {"version", std::to_string(n)},
                                  {"app", "app-" + number(n % 1000, 3)},
                                  {"time", time_of(n / 10)},
                                  {"namespace", "team-" + number(n / 2, 5)},
                                  {"file", is_certificate ? "ca.crt" : "config.yaml"},
                                  {"content", letters(is_certificate ? of_all : of_one, 1800)}});
}

std::string secret(std::size_t n, std::size_t size) {
  Random random(n);
  return filled(secret_text, {{"name", "secret-" + number(n, 6)},
                              {"uid", uid(random)},
                              {"version", std::to_string(n)},
                              {"time", time_of(n)},
                              {"namespace", namespace_of(n)},
                              {"content", letters(random, size / 3 * 4)}});
}

}  // namespace pintle::benchmarks
