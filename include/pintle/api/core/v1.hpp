// Types of core, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/core/v1/small_kinds.hpp>
#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/micro_time.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/quantity.hpp>
#include <pintle/object/quantity_map.hpp>

namespace pintle::api::core::v1 {

struct PINTLE_EXPORT AWSElasticBlockStoreVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<std::int32_t> partition{};
  std::optional<bool> read_only{};
  std::string volume_id{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeSelectorRequirement {
  enum class Operator { unset, does_not_exist, exists, gt, in, lt, not_in };
  friend PINTLE_EXPORT EnumTable enum_names(Operator);
  friend consteval std::string_view enum_texts(Operator) { return "DoesNotExist|Exists|Gt|In|Lt|NotIn"; }

  std::string key{};
  Choice<Operator> operator_{};
  std::vector<std::string> values{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions{};
  std::vector<NodeSelectorRequirement> match_fields{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeSelector {
  std::vector<NodeSelectorTerm> node_selector_terms{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PreferredSchedulingTerm {
  NodeSelectorTerm preference{};
  std::int32_t weight = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeAffinity {
  std::vector<PreferredSchedulingTerm> preferred_during_scheduling_ignored_during_execution{};
  OptionalBox<NodeSelector> required_during_scheduling_ignored_during_execution{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodAffinityTerm {
  OptionalBox<meta::v1::LabelSelector> label_selector{};
  std::vector<std::string> match_label_keys{};
  std::vector<std::string> mismatch_label_keys{};
  OptionalBox<meta::v1::LabelSelector> namespace_selector{};
  std::vector<std::string> namespaces{};
  std::string topology_key{};

  static FieldTable fields();
};

struct PINTLE_EXPORT WeightedPodAffinityTerm {
  PodAffinityTerm pod_affinity_term{};
  std::int32_t weight = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT PodAffinity {
  std::vector<WeightedPodAffinityTerm> preferred_during_scheduling_ignored_during_execution{};
  std::vector<PodAffinityTerm> required_during_scheduling_ignored_during_execution{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodAntiAffinity {
  std::vector<WeightedPodAffinityTerm> preferred_during_scheduling_ignored_during_execution{};
  std::vector<PodAffinityTerm> required_during_scheduling_ignored_during_execution{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Affinity {
  OptionalBox<NodeAffinity> node_affinity{};
  OptionalBox<PodAffinity> pod_affinity{};
  OptionalBox<PodAntiAffinity> pod_anti_affinity{};

  static FieldTable fields();
};

struct PINTLE_EXPORT AppArmorProfile {
  enum class Type { unset, localhost, runtime_default, unconfined };
  friend PINTLE_EXPORT EnumTable enum_names(Type);
  friend consteval std::string_view enum_texts(Type) { return "Localhost|RuntimeDefault|Unconfined"; }

  std::optional<std::string> localhost_profile{};
  Choice<Type> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT AttachedVolume {
  std::string device_path{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT AzureDiskVolumeSource {
  enum class CachingMode { unset, none, read_only, read_write };
  friend PINTLE_EXPORT EnumTable enum_names(CachingMode);
  friend consteval std::string_view enum_texts(CachingMode) { return "None|ReadOnly|ReadWrite"; }

  enum class Kind { unset, dedicated, managed, shared };
  friend PINTLE_EXPORT EnumTable enum_names(Kind);
  friend consteval std::string_view enum_texts(Kind) { return "Dedicated|Managed|Shared"; }

  Choice<CachingMode> caching_mode{};
  std::string disk_name{};
  std::string disk_uri{};
  std::optional<std::string> fs_type{};
  Choice<Kind> kind{};
  std::optional<bool> read_only{};

  static FieldTable fields();
};

struct PINTLE_EXPORT AzureFilePersistentVolumeSource {
  std::optional<bool> read_only{};
  std::string secret_name{};
  std::optional<std::string> secret_namespace{};
  std::string share_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT AzureFileVolumeSource {
  std::optional<bool> read_only{};
  std::string secret_name{};
  std::string share_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Binding {
  static constexpr Type type{"v1", "Binding"};
  Metadata metadata{};
  ObjectReference target{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SecretReference {
  std::optional<std::string> name{};
  std::optional<std::string> namespace_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CSIPersistentVolumeSource {
  OptionalBox<SecretReference> controller_expand_secret_ref{};
  OptionalBox<SecretReference> controller_publish_secret_ref{};
  std::string driver{};
  std::optional<std::string> fs_type{};
  OptionalBox<SecretReference> node_expand_secret_ref{};
  OptionalBox<SecretReference> node_publish_secret_ref{};
  OptionalBox<SecretReference> node_stage_secret_ref{};
  std::optional<bool> read_only{};
  std::map<std::string, std::string> volume_attributes{};
  std::string volume_handle{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CSIVolumeSource {
  std::string driver{};
  std::optional<std::string> fs_type{};
  OptionalBox<LocalObjectReference> node_publish_secret_ref{};
  std::optional<bool> read_only{};
  std::map<std::string, std::string> volume_attributes{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Capabilities {
  std::vector<std::string> add{};
  std::vector<std::string> drop{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CephFSPersistentVolumeSource {
  std::vector<std::string> monitors{};
  std::optional<std::string> path{};
  std::optional<bool> read_only{};
  std::optional<std::string> secret_file{};
  OptionalBox<SecretReference> secret_ref{};
  std::optional<std::string> user{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CephFSVolumeSource {
  std::vector<std::string> monitors{};
  std::optional<std::string> path{};
  std::optional<bool> read_only{};
  std::optional<std::string> secret_file{};
  OptionalBox<LocalObjectReference> secret_ref{};
  std::optional<std::string> user{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CinderPersistentVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<bool> read_only{};
  OptionalBox<SecretReference> secret_ref{};
  std::string volume_id{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CinderVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<bool> read_only{};
  OptionalBox<LocalObjectReference> secret_ref{};
  std::string volume_id{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ClientIPConfig {
  std::optional<std::int32_t> timeout_seconds{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ClusterTrustBundleProjection {
  OptionalBox<meta::v1::LabelSelector> label_selector{};
  std::optional<std::string> name{};
  std::optional<bool> optional{};
  std::string path{};
  std::optional<std::string> signer_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ComponentCondition {
  std::optional<std::string> error{};
  std::optional<std::string> message{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ComponentStatus {
  static constexpr Type type{"v1", "ComponentStatus"};
  Metadata metadata{};
  std::vector<ComponentCondition> conditions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ConfigMapEnvSource {
  std::optional<std::string> name{};
  std::optional<bool> optional{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ConfigMapKeySelector {
  std::string key{};
  std::optional<std::string> name{};
  std::optional<bool> optional{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ConfigMapNodeConfigSource {
  std::string kubelet_config_key{};
  std::string name{};
  std::string namespace_{};
  std::optional<std::string> resource_version{};
  std::optional<std::string> uid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT KeyToPath {
  std::string key{};
  std::optional<std::int32_t> mode{};
  std::string path{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ConfigMapProjection {
  std::vector<KeyToPath> items{};
  std::optional<std::string> name{};
  std::optional<bool> optional{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ConfigMapVolumeSource {
  std::optional<std::int32_t> default_mode{};
  std::vector<KeyToPath> items{};
  std::optional<std::string> name{};
  std::optional<bool> optional{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerPort {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::int32_t container_port = 0;
  std::optional<std::string> host_ip{};
  std::optional<std::int32_t> host_port{};
  std::optional<std::string> name{};
  Choice<Protocol> protocol{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerResizePolicy {
  std::string resource_name{};
  std::string restart_policy{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerRestartRuleOnExitCodes {
  std::string operator_{};
  std::vector<std::int32_t> values{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerRestartRule {
  std::string action{};
  OptionalBox<ContainerRestartRuleOnExitCodes> exit_codes{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SecretEnvSource {
  std::optional<std::string> name{};
  std::optional<bool> optional{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EnvFromSource {
  OptionalBox<ConfigMapEnvSource> config_map_ref{};
  std::optional<std::string> prefix{};
  OptionalBox<SecretEnvSource> secret_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FileKeySelector {
  std::string key{};
  std::optional<bool> optional{};
  std::string path{};
  std::string volume_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ObjectFieldSelector {
  std::optional<std::string> api_version{};
  std::string field_path{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceFieldSelector {
  std::optional<std::string> container_name{};
  std::optional<Quantity> divisor{};
  std::string resource{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SecretKeySelector {
  std::string key{};
  std::optional<std::string> name{};
  std::optional<bool> optional{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EnvVarSource {
  OptionalBox<ConfigMapKeySelector> config_map_key_ref{};
  OptionalBox<ObjectFieldSelector> field_ref{};
  OptionalBox<FileKeySelector> file_key_ref{};
  OptionalBox<ResourceFieldSelector> resource_field_ref{};
  OptionalBox<SecretKeySelector> secret_key_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EnvVar {
  std::string name{};
  std::optional<std::string> value{};
  OptionalBox<EnvVarSource> value_from{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ExecAction {
  std::vector<std::string> command{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HTTPHeader {
  std::string name{};
  std::string value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HTTPGetAction {
  enum class Scheme { unset, http, https };
  friend PINTLE_EXPORT EnumTable enum_names(Scheme);
  friend consteval std::string_view enum_texts(Scheme) { return "HTTP|HTTPS"; }

  std::optional<std::string> host{};
  std::vector<HTTPHeader> http_headers{};
  std::optional<std::string> path{};
  IntOrString port{};
  Choice<Scheme> scheme{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SleepAction {
  std::int64_t seconds = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT TCPSocketAction {
  std::optional<std::string> host{};
  IntOrString port{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LifecycleHandler {
  OptionalBox<ExecAction> exec{};
  OptionalBox<HTTPGetAction> http_get{};
  OptionalBox<SleepAction> sleep{};
  OptionalBox<TCPSocketAction> tcp_socket{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Lifecycle {
  enum class StopSignal {
    unset,
    sigabrt,
    sigalrm,
    sigbus,
    sigchld,
    sigcld,
    sigcont,
    sigfpe,
    sighup,
    sigill,
    sigint,
    sigio,
    sigiot,
    sigkill,
    sigpipe,
    sigpoll,
    sigprof,
    sigpwr,
    sigquit,
    sigrtmax,
    sigrtmax_1,
    sigrtmax_10,
    sigrtmax_11,
    sigrtmax_12,
    sigrtmax_13,
    sigrtmax_14,
    sigrtmax_2,
    sigrtmax_3,
    sigrtmax_4,
    sigrtmax_5,
    sigrtmax_6,
    sigrtmax_7,
    sigrtmax_8,
    sigrtmax_9,
    sigrtmin,
    sigrtmin_1,
    sigrtmin_10,
    sigrtmin_11,
    sigrtmin_12,
    sigrtmin_13,
    sigrtmin_14,
    sigrtmin_15,
    sigrtmin_2,
    sigrtmin_3,
    sigrtmin_4,
    sigrtmin_5,
    sigrtmin_6,
    sigrtmin_7,
    sigrtmin_8,
    sigrtmin_9,
    sigsegv,
    sigstkflt,
    sigstop,
    sigsys,
    sigterm,
    sigtrap,
    sigtstp,
    sigttin,
    sigttou,
    sigurg,
    sigusr1,
    sigusr2,
    sigvtalrm,
    sigwinch,
    sigxcpu,
    sigxfsz
  };
  friend PINTLE_EXPORT EnumTable enum_names(StopSignal);
  friend consteval std::string_view enum_texts(StopSignal) {
    return "SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|"
           "SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|"
           "SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|"
           "SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|"
           "SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|"
           "SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ";
  }

  OptionalBox<LifecycleHandler> post_start{};
  OptionalBox<LifecycleHandler> pre_stop{};
  Choice<StopSignal> stop_signal{};

  static FieldTable fields();
};

struct PINTLE_EXPORT GRPCAction {
  std::int32_t port = 0;
  std::optional<std::string> service{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Probe {
  OptionalBox<ExecAction> exec{};
  std::optional<std::int32_t> failure_threshold{};
  OptionalBox<GRPCAction> grpc{};
  OptionalBox<HTTPGetAction> http_get{};
  std::optional<std::int32_t> initial_delay_seconds{};
  std::optional<std::int32_t> period_seconds{};
  std::optional<std::int32_t> success_threshold{};
  OptionalBox<TCPSocketAction> tcp_socket{};
  std::optional<std::int64_t> termination_grace_period_seconds{};
  std::optional<std::int32_t> timeout_seconds{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceClaim {
  std::string name{};
  std::optional<std::string> request{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceRequirements {
  std::vector<ResourceClaim> claims{};
  QuantityMap limits{};
  QuantityMap requests{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SELinuxOptions {
  std::optional<std::string> level{};
  std::optional<std::string> role{};
  std::optional<std::string> type{};
  std::optional<std::string> user{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SeccompProfile {
  enum class Type { unset, localhost, runtime_default, unconfined };
  friend PINTLE_EXPORT EnumTable enum_names(Type);
  friend consteval std::string_view enum_texts(Type) { return "Localhost|RuntimeDefault|Unconfined"; }

  std::optional<std::string> localhost_profile{};
  Choice<Type> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT WindowsSecurityContextOptions {
  std::optional<std::string> gmsa_credential_spec{};
  std::optional<std::string> gmsa_credential_spec_name{};
  std::optional<bool> host_process{};
  std::optional<std::string> run_as_user_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SecurityContext {
  enum class ProcMount { unset, default_, unmasked };
  friend PINTLE_EXPORT EnumTable enum_names(ProcMount);
  friend consteval std::string_view enum_texts(ProcMount) { return "Default|Unmasked"; }

  std::optional<bool> allow_privilege_escalation{};
  OptionalBox<AppArmorProfile> app_armor_profile{};
  OptionalBox<Capabilities> capabilities{};
  std::optional<bool> privileged{};
  Choice<ProcMount> proc_mount{};
  std::optional<bool> read_only_root_filesystem{};
  std::optional<std::int64_t> run_as_group{};
  std::optional<bool> run_as_non_root{};
  std::optional<std::int64_t> run_as_user{};
  OptionalBox<SELinuxOptions> se_linux_options{};
  OptionalBox<SeccompProfile> seccomp_profile{};
  OptionalBox<WindowsSecurityContextOptions> windows_options{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeDevice {
  std::string device_path{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeMount {
  enum class MountPropagation { unset, bidirectional, host_to_container, none };
  friend PINTLE_EXPORT EnumTable enum_names(MountPropagation);
  friend consteval std::string_view enum_texts(MountPropagation) { return "Bidirectional|HostToContainer|None"; }

  std::string mount_path{};
  Choice<MountPropagation> mount_propagation{};
  std::string name{};
  std::optional<bool> read_only{};
  std::optional<std::string> recursive_read_only{};
  std::optional<std::string> sub_path{};
  std::optional<std::string> sub_path_expr{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Container {
  enum class ImagePullPolicy { unset, always, if_not_present, never };
  friend PINTLE_EXPORT EnumTable enum_names(ImagePullPolicy);
  friend consteval std::string_view enum_texts(ImagePullPolicy) { return "Always|IfNotPresent|Never"; }

  enum class TerminationMessagePolicy { unset, fallback_to_logs_on_error, file };
  friend PINTLE_EXPORT EnumTable enum_names(TerminationMessagePolicy);
  friend consteval std::string_view enum_texts(TerminationMessagePolicy) { return "FallbackToLogsOnError|File"; }

  std::vector<std::string> args{};
  std::vector<std::string> command{};
  std::vector<EnvVar> env{};
  std::vector<EnvFromSource> env_from{};
  std::optional<std::string> image{};
  Choice<ImagePullPolicy> image_pull_policy{};
  OptionalBox<Lifecycle> lifecycle{};
  OptionalBox<Probe> liveness_probe{};
  std::string name{};
  std::vector<ContainerPort> ports{};
  OptionalBox<Probe> readiness_probe{};
  std::vector<ContainerResizePolicy> resize_policy{};
  ResourceRequirements resources{};
  std::optional<std::string> restart_policy{};
  std::vector<ContainerRestartRule> restart_policy_rules{};
  OptionalBox<SecurityContext> security_context{};
  OptionalBox<Probe> startup_probe{};
  std::optional<bool> stdin{};
  std::optional<bool> stdin_once{};
  std::optional<std::string> termination_message_path{};
  Choice<TerminationMessagePolicy> termination_message_policy{};
  std::optional<bool> tty{};
  std::vector<VolumeDevice> volume_devices{};
  std::vector<VolumeMount> volume_mounts{};
  std::optional<std::string> working_dir{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerExtendedResourceRequest {
  std::string container_name{};
  std::string request_name{};
  std::string resource_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerImage {
  std::vector<std::string> names{};
  std::optional<std::int64_t> size_bytes{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerStateRunning {
  std::optional<WallTime> started_at{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerStateTerminated {
  std::optional<std::string> container_id{};
  std::int32_t exit_code = 0;
  std::optional<WallTime> finished_at{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::optional<std::int32_t> signal{};
  std::optional<WallTime> started_at{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerStateWaiting {
  std::optional<std::string> message{};
  std::optional<std::string> reason{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerState {
  OptionalBox<ContainerStateRunning> running{};
  OptionalBox<ContainerStateTerminated> terminated{};
  OptionalBox<ContainerStateWaiting> waiting{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LinuxContainerUser {
  std::int64_t gid = 0;
  std::vector<std::int64_t> supplemental_groups{};
  std::int64_t uid = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerUser {
  OptionalBox<LinuxContainerUser> linux_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceHealth {
  std::optional<std::string> health{};
  std::optional<std::string> message{};
  std::string resource_id{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceStatus {
  std::string name{};
  std::vector<ResourceHealth> resources{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ImageVolumeStatus {
  std::string image_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeStatus {
  OptionalBox<ImageVolumeStatus> image{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeMountStatus {
  std::string mount_path{};
  std::string name{};
  std::optional<bool> read_only{};
  std::optional<std::string> recursive_read_only{};
  OptionalBox<VolumeStatus> volume_status{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerStatus {
  enum class StopSignal {
    unset,
    sigabrt,
    sigalrm,
    sigbus,
    sigchld,
    sigcld,
    sigcont,
    sigfpe,
    sighup,
    sigill,
    sigint,
    sigio,
    sigiot,
    sigkill,
    sigpipe,
    sigpoll,
    sigprof,
    sigpwr,
    sigquit,
    sigrtmax,
    sigrtmax_1,
    sigrtmax_10,
    sigrtmax_11,
    sigrtmax_12,
    sigrtmax_13,
    sigrtmax_14,
    sigrtmax_2,
    sigrtmax_3,
    sigrtmax_4,
    sigrtmax_5,
    sigrtmax_6,
    sigrtmax_7,
    sigrtmax_8,
    sigrtmax_9,
    sigrtmin,
    sigrtmin_1,
    sigrtmin_10,
    sigrtmin_11,
    sigrtmin_12,
    sigrtmin_13,
    sigrtmin_14,
    sigrtmin_15,
    sigrtmin_2,
    sigrtmin_3,
    sigrtmin_4,
    sigrtmin_5,
    sigrtmin_6,
    sigrtmin_7,
    sigrtmin_8,
    sigrtmin_9,
    sigsegv,
    sigstkflt,
    sigstop,
    sigsys,
    sigterm,
    sigtrap,
    sigtstp,
    sigttin,
    sigttou,
    sigurg,
    sigusr1,
    sigusr2,
    sigvtalrm,
    sigwinch,
    sigxcpu,
    sigxfsz
  };
  friend PINTLE_EXPORT EnumTable enum_names(StopSignal);
  friend consteval std::string_view enum_texts(StopSignal) {
    return "SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|"
           "SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|"
           "SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|"
           "SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|"
           "SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|"
           "SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ";
  }

  QuantityMap allocated_resources{};
  std::vector<ResourceStatus> allocated_resources_status{};
  std::optional<std::string> container_id{};
  std::string image{};
  std::string image_id{};
  ContainerState last_state{};
  std::string name{};
  bool ready = false;
  OptionalBox<ResourceRequirements> resources{};
  std::int32_t restart_count = 0;
  std::optional<bool> started{};
  ContainerState state{};
  Choice<StopSignal> stop_signal{};
  OptionalBox<ContainerUser> user{};
  std::vector<VolumeMountStatus> volume_mounts{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DaemonEndpoint {
  std::int32_t port = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT DownwardAPIVolumeFile {
  OptionalBox<ObjectFieldSelector> field_ref{};
  std::optional<std::int32_t> mode{};
  std::string path{};
  OptionalBox<ResourceFieldSelector> resource_field_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DownwardAPIProjection {
  std::vector<DownwardAPIVolumeFile> items{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DownwardAPIVolumeSource {
  std::optional<std::int32_t> default_mode{};
  std::vector<DownwardAPIVolumeFile> items{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EmptyDirVolumeSource {
  std::optional<std::string> medium{};
  std::optional<Quantity> size_limit{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EndpointAddress {
  std::optional<std::string> hostname{};
  std::string ip{};
  std::optional<std::string> node_name{};
  OptionalBox<ObjectReference> target_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EndpointPort {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::optional<std::string> app_protocol{};
  std::optional<std::string> name{};
  std::int32_t port = 0;
  Choice<Protocol> protocol{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EndpointSubset {
  std::vector<EndpointAddress> addresses{};
  std::vector<EndpointAddress> not_ready_addresses{};
  std::vector<EndpointPort> ports{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Endpoints {
  static constexpr Type type{"v1", "Endpoints"};
  Metadata metadata{};
  std::vector<EndpointSubset> subsets{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EphemeralContainer {
  enum class ImagePullPolicy { unset, always, if_not_present, never };
  friend PINTLE_EXPORT EnumTable enum_names(ImagePullPolicy);
  friend consteval std::string_view enum_texts(ImagePullPolicy) { return "Always|IfNotPresent|Never"; }

  enum class TerminationMessagePolicy { unset, fallback_to_logs_on_error, file };
  friend PINTLE_EXPORT EnumTable enum_names(TerminationMessagePolicy);
  friend consteval std::string_view enum_texts(TerminationMessagePolicy) { return "FallbackToLogsOnError|File"; }

  std::vector<std::string> args{};
  std::vector<std::string> command{};
  std::vector<EnvVar> env{};
  std::vector<EnvFromSource> env_from{};
  std::optional<std::string> image{};
  Choice<ImagePullPolicy> image_pull_policy{};
  OptionalBox<Lifecycle> lifecycle{};
  OptionalBox<Probe> liveness_probe{};
  std::string name{};
  std::vector<ContainerPort> ports{};
  OptionalBox<Probe> readiness_probe{};
  std::vector<ContainerResizePolicy> resize_policy{};
  ResourceRequirements resources{};
  std::optional<std::string> restart_policy{};
  std::vector<ContainerRestartRule> restart_policy_rules{};
  OptionalBox<SecurityContext> security_context{};
  OptionalBox<Probe> startup_probe{};
  std::optional<bool> stdin{};
  std::optional<bool> stdin_once{};
  std::optional<std::string> target_container_name{};
  std::optional<std::string> termination_message_path{};
  Choice<TerminationMessagePolicy> termination_message_policy{};
  std::optional<bool> tty{};
  std::vector<VolumeDevice> volume_devices{};
  std::vector<VolumeMount> volume_mounts{};
  std::optional<std::string> working_dir{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TypedLocalObjectReference {
  std::optional<std::string> api_group{};
  std::string kind{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TypedObjectReference {
  std::optional<std::string> api_group{};
  std::string kind{};
  std::string name{};
  std::optional<std::string> namespace_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeResourceRequirements {
  QuantityMap limits{};
  QuantityMap requests{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeClaimSpec {
  enum class AccessMode { unset, read_only_many, read_write_many, read_write_once, read_write_once_pod };
  friend PINTLE_EXPORT EnumTable enum_names(AccessMode);
  friend consteval std::string_view enum_texts(AccessMode) {
    return "ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod";
  }

  enum class VolumeMode { unset, block, filesystem };
  friend PINTLE_EXPORT EnumTable enum_names(VolumeMode);
  friend consteval std::string_view enum_texts(VolumeMode) { return "Block|Filesystem"; }

  std::vector<Choice<AccessMode>> access_modes{};
  OptionalBox<TypedLocalObjectReference> data_source{};
  OptionalBox<TypedObjectReference> data_source_ref{};
  VolumeResourceRequirements resources{};
  OptionalBox<meta::v1::LabelSelector> selector{};
  std::optional<std::string> storage_class_name{};
  std::optional<std::string> volume_attributes_class_name{};
  Choice<VolumeMode> volume_mode{};
  std::optional<std::string> volume_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeClaimTemplate {
  Metadata metadata{};
  PersistentVolumeClaimSpec spec{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EphemeralVolumeSource {
  OptionalBox<PersistentVolumeClaimTemplate> volume_claim_template{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EventSeries {
  std::optional<std::int32_t> count{};
  std::optional<MicroTime> last_observed_time{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EventSource {
  std::optional<std::string> component{};
  std::optional<std::string> host{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Event {
  static constexpr Type type{"v1", "Event"};
  Metadata metadata{};
  std::optional<std::string> action{};
  std::optional<std::int32_t> count{};
  std::optional<MicroTime> event_time{};
  std::optional<WallTime> first_timestamp{};
  ObjectReference involved_object{};
  std::optional<WallTime> last_timestamp{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  OptionalBox<ObjectReference> related{};
  std::optional<std::string> reporting_component{};
  std::optional<std::string> reporting_instance{};
  OptionalBox<EventSeries> series{};
  EventSource source{};
  std::optional<std::string> type_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FCVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<std::int32_t> lun{};
  std::optional<bool> read_only{};
  std::vector<std::string> target_wwns{};
  std::vector<std::string> wwids{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FlexPersistentVolumeSource {
  std::string driver{};
  std::optional<std::string> fs_type{};
  std::map<std::string, std::string> options{};
  std::optional<bool> read_only{};
  OptionalBox<SecretReference> secret_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FlexVolumeSource {
  std::string driver{};
  std::optional<std::string> fs_type{};
  std::map<std::string, std::string> options{};
  std::optional<bool> read_only{};
  OptionalBox<LocalObjectReference> secret_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FlockerVolumeSource {
  std::optional<std::string> dataset_name{};
  std::optional<std::string> dataset_uuid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT GCEPersistentDiskVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<std::int32_t> partition{};
  std::string pd_name{};
  std::optional<bool> read_only{};

  static FieldTable fields();
};

struct PINTLE_EXPORT GitRepoVolumeSource {
  std::optional<std::string> directory{};
  std::string repository{};
  std::optional<std::string> revision{};

  static FieldTable fields();
};

struct PINTLE_EXPORT GlusterfsPersistentVolumeSource {
  std::string endpoints{};
  std::optional<std::string> endpoints_namespace{};
  std::string path{};
  std::optional<bool> read_only{};

  static FieldTable fields();
};

struct PINTLE_EXPORT GlusterfsVolumeSource {
  std::string endpoints{};
  std::string path{};
  std::optional<bool> read_only{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HostAlias {
  std::vector<std::string> hostnames{};
  std::string ip{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HostIP {
  std::string ip{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HostPathVolumeSource {
  enum class Type { unset, block_device, char_device, directory, directory_or_create, file, file_or_create, socket };
  friend PINTLE_EXPORT EnumTable enum_names(Type);
  friend consteval std::string_view enum_texts(Type) {
    return "BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket";
  }

  std::string path{};
  Choice<Type> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ISCSIPersistentVolumeSource {
  std::optional<bool> chap_auth_discovery{};
  std::optional<bool> chap_auth_session{};
  std::optional<std::string> fs_type{};
  std::optional<std::string> initiator_name{};
  std::string iqn{};
  std::optional<std::string> iscsi_interface{};
  std::int32_t lun = 0;
  std::vector<std::string> portals{};
  std::optional<bool> read_only{};
  OptionalBox<SecretReference> secret_ref{};
  std::string target_portal{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ISCSIVolumeSource {
  std::optional<bool> chap_auth_discovery{};
  std::optional<bool> chap_auth_session{};
  std::optional<std::string> fs_type{};
  std::optional<std::string> initiator_name{};
  std::string iqn{};
  std::optional<std::string> iscsi_interface{};
  std::int32_t lun = 0;
  std::vector<std::string> portals{};
  std::optional<bool> read_only{};
  OptionalBox<LocalObjectReference> secret_ref{};
  std::string target_portal{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ImageVolumeSource {
  enum class PullPolicy { unset, always, if_not_present, never };
  friend PINTLE_EXPORT EnumTable enum_names(PullPolicy);
  friend consteval std::string_view enum_texts(PullPolicy) { return "Always|IfNotPresent|Never"; }

  Choice<PullPolicy> pull_policy{};
  std::optional<std::string> reference{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LimitRangeItem {
  QuantityMap default_{};
  QuantityMap default_request{};
  QuantityMap max{};
  QuantityMap max_limit_request_ratio{};
  QuantityMap min{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LimitRangeSpec {
  std::vector<LimitRangeItem> limits{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LimitRange {
  static constexpr Type type{"v1", "LimitRange"};
  Metadata metadata{};
  LimitRangeSpec spec{};
};

struct PINTLE_EXPORT PortStatus {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::optional<std::string> error{};
  std::int32_t port = 0;
  Choice<Protocol> protocol{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LoadBalancerIngress {
  std::optional<std::string> hostname{};
  std::optional<std::string> ip{};
  std::optional<std::string> ip_mode{};
  std::vector<PortStatus> ports{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LoadBalancerStatus {
  std::vector<LoadBalancerIngress> ingress{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LocalVolumeSource {
  std::optional<std::string> fs_type{};
  std::string path{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ModifyVolumeStatus {
  enum class Status { unset, in_progress, infeasible, pending };
  friend PINTLE_EXPORT EnumTable enum_names(Status);
  friend consteval std::string_view enum_texts(Status) { return "InProgress|Infeasible|Pending"; }

  Choice<Status> status{};
  std::optional<std::string> target_volume_attributes_class_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NFSVolumeSource {
  std::string path{};
  std::optional<bool> read_only{};
  std::string server{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeConfigSource {
  OptionalBox<ConfigMapNodeConfigSource> config_map{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Taint {
  enum class Effect { unset, no_execute, no_schedule, prefer_no_schedule };
  friend PINTLE_EXPORT EnumTable enum_names(Effect);
  friend consteval std::string_view enum_texts(Effect) { return "NoExecute|NoSchedule|PreferNoSchedule"; }

  Choice<Effect> effect{};
  std::string key{};
  std::optional<WallTime> time_added{};
  std::optional<std::string> value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeSpec {
  OptionalBox<NodeConfigSource> config_source{};
  std::optional<std::string> external_id{};
  std::optional<std::string> pod_cidr{};
  std::vector<std::string> pod_cidrs{};
  std::optional<std::string> provider_id{};
  std::vector<Taint> taints{};
  std::optional<bool> unschedulable{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeAddress {
  std::string address{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeCondition {
  std::optional<WallTime> last_heartbeat_time{};
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeConfigStatus {
  OptionalBox<NodeConfigSource> active{};
  OptionalBox<NodeConfigSource> assigned{};
  std::optional<std::string> error{};
  OptionalBox<NodeConfigSource> last_known_good{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeDaemonEndpoints {
  DaemonEndpoint kubelet_endpoint{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeFeatures {
  std::optional<bool> supplemental_groups_policy{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeRuntimeHandlerFeatures {
  std::optional<bool> recursive_read_only_mounts{};
  std::optional<bool> user_namespaces{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeRuntimeHandler {
  OptionalBox<NodeRuntimeHandlerFeatures> features{};
  std::optional<std::string> name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeSwapStatus {
  std::optional<std::int64_t> capacity{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeSystemInfo {
  std::string architecture{};
  std::string boot_id{};
  std::string container_runtime_version{};
  std::string kernel_version{};
  std::string kube_proxy_version{};
  std::string kubelet_version{};
  std::string machine_id{};
  std::string operating_system{};
  std::string os_image{};
  OptionalBox<NodeSwapStatus> swap{};
  std::string system_uuid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeStatus {
  enum class Phase { unset, pending, running, terminated };
  friend PINTLE_EXPORT EnumTable enum_names(Phase);
  friend consteval std::string_view enum_texts(Phase) { return "Pending|Running|Terminated"; }

  std::vector<NodeAddress> addresses{};
  QuantityMap allocatable{};
  QuantityMap capacity{};
  std::vector<NodeCondition> conditions{};
  OptionalBox<NodeConfigStatus> config{};
  NodeDaemonEndpoints daemon_endpoints{};
  std::vector<std::string> declared_features{};
  OptionalBox<NodeFeatures> features{};
  std::vector<ContainerImage> images{};
  NodeSystemInfo node_info{};
  Choice<Phase> phase{};
  std::vector<NodeRuntimeHandler> runtime_handlers{};
  std::vector<AttachedVolume> volumes_attached{};
  std::vector<std::string> volumes_in_use{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Node {
  static constexpr Type type{"v1", "Node"};
  Metadata metadata{};
  NodeSpec spec{};
  NodeStatus status{};
};

struct PINTLE_EXPORT NodeAllocatableResourceClaimStatus {
  std::vector<std::string> containers{};
  std::string resource_claim_name{};
  QuantityMap resources{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PhotonPersistentDiskVolumeSource {
  std::optional<std::string> fs_type{};
  std::string pd_id{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PortworxVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<bool> read_only{};
  std::string volume_id{};

  static FieldTable fields();
};

struct PINTLE_EXPORT QuobyteVolumeSource {
  std::optional<std::string> group{};
  std::optional<bool> read_only{};
  std::string registry{};
  std::optional<std::string> tenant{};
  std::optional<std::string> user{};
  std::string volume{};

  static FieldTable fields();
};

struct PINTLE_EXPORT RBDPersistentVolumeSource {
  std::optional<std::string> fs_type{};
  std::string image{};
  std::optional<std::string> keyring{};
  std::vector<std::string> monitors{};
  std::optional<std::string> pool{};
  std::optional<bool> read_only{};
  OptionalBox<SecretReference> secret_ref{};
  std::optional<std::string> user{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ScaleIOPersistentVolumeSource {
  std::optional<std::string> fs_type{};
  std::string gateway{};
  std::optional<std::string> protection_domain{};
  std::optional<bool> read_only{};
  SecretReference secret_ref{};
  std::optional<bool> ssl_enabled{};
  std::optional<std::string> storage_mode{};
  std::optional<std::string> storage_pool{};
  std::string system{};
  std::optional<std::string> volume_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StorageOSPersistentVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<bool> read_only{};
  OptionalBox<ObjectReference> secret_ref{};
  std::optional<std::string> volume_name{};
  std::optional<std::string> volume_namespace{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeNodeAffinity {
  OptionalBox<NodeSelector> required{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VsphereVirtualDiskVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<std::string> storage_policy_id{};
  std::optional<std::string> storage_policy_name{};
  std::string volume_path{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeSpec {
  enum class AccessMode { unset, read_only_many, read_write_many, read_write_once, read_write_once_pod };
  friend PINTLE_EXPORT EnumTable enum_names(AccessMode);
  friend consteval std::string_view enum_texts(AccessMode) {
    return "ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod";
  }

  enum class PersistentVolumeReclaimPolicy { unset, delete_, recycle, retain };
  friend PINTLE_EXPORT EnumTable enum_names(PersistentVolumeReclaimPolicy);
  friend consteval std::string_view enum_texts(PersistentVolumeReclaimPolicy) { return "Delete|Recycle|Retain"; }

  enum class VolumeMode { unset, block, filesystem };
  friend PINTLE_EXPORT EnumTable enum_names(VolumeMode);
  friend consteval std::string_view enum_texts(VolumeMode) { return "Block|Filesystem"; }

  std::vector<Choice<AccessMode>> access_modes{};
  OptionalBox<AWSElasticBlockStoreVolumeSource> aws_elastic_block_store{};
  OptionalBox<AzureDiskVolumeSource> azure_disk{};
  OptionalBox<AzureFilePersistentVolumeSource> azure_file{};
  QuantityMap capacity{};
  OptionalBox<CephFSPersistentVolumeSource> cephfs{};
  OptionalBox<CinderPersistentVolumeSource> cinder{};
  OptionalBox<ObjectReference> claim_ref{};
  OptionalBox<CSIPersistentVolumeSource> csi{};
  OptionalBox<FCVolumeSource> fc{};
  OptionalBox<FlexPersistentVolumeSource> flex_volume{};
  OptionalBox<FlockerVolumeSource> flocker{};
  OptionalBox<GCEPersistentDiskVolumeSource> gce_persistent_disk{};
  OptionalBox<GlusterfsPersistentVolumeSource> glusterfs{};
  OptionalBox<HostPathVolumeSource> host_path{};
  OptionalBox<ISCSIPersistentVolumeSource> iscsi{};
  OptionalBox<LocalVolumeSource> local{};
  std::vector<std::string> mount_options{};
  OptionalBox<NFSVolumeSource> nfs{};
  OptionalBox<VolumeNodeAffinity> node_affinity{};
  Choice<PersistentVolumeReclaimPolicy> persistent_volume_reclaim_policy{};
  OptionalBox<PhotonPersistentDiskVolumeSource> photon_persistent_disk{};
  OptionalBox<PortworxVolumeSource> portworx_volume{};
  OptionalBox<QuobyteVolumeSource> quobyte{};
  OptionalBox<RBDPersistentVolumeSource> rbd{};
  OptionalBox<ScaleIOPersistentVolumeSource> scale_io{};
  std::optional<std::string> storage_class_name{};
  OptionalBox<StorageOSPersistentVolumeSource> storageos{};
  std::optional<std::string> volume_attributes_class_name{};
  Choice<VolumeMode> volume_mode{};
  OptionalBox<VsphereVirtualDiskVolumeSource> vsphere_volume{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeStatus {
  enum class Phase { unset, available, bound, failed, pending, released };
  friend PINTLE_EXPORT EnumTable enum_names(Phase);
  friend consteval std::string_view enum_texts(Phase) { return "Available|Bound|Failed|Pending|Released"; }

  std::optional<WallTime> last_phase_transition_time{};
  std::optional<std::string> message{};
  Choice<Phase> phase{};
  std::optional<std::string> reason{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolume {
  static constexpr Type type{"v1", "PersistentVolume"};
  Metadata metadata{};
  PersistentVolumeSpec spec{};
  PersistentVolumeStatus status{};
};

struct PINTLE_EXPORT PersistentVolumeClaimCondition {
  std::optional<WallTime> last_probe_time{};
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeClaimStatus {
  enum class AccessMode { unset, read_only_many, read_write_many, read_write_once, read_write_once_pod };
  friend PINTLE_EXPORT EnumTable enum_names(AccessMode);
  friend consteval std::string_view enum_texts(AccessMode) {
    return "ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod";
  }

  enum class AllocatedResourceStatuses {
    unset,
    controller_resize_in_progress,
    controller_resize_infeasible,
    node_resize_in_progress,
    node_resize_infeasible,
    node_resize_pending
  };
  friend PINTLE_EXPORT EnumTable enum_names(AllocatedResourceStatuses);
  friend consteval std::string_view enum_texts(AllocatedResourceStatuses) {
    return "ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizeInProgress|NodeResizeInfeasible|"
           "NodeResizePending";
  }

  enum class Phase { unset, bound, lost, pending };
  friend PINTLE_EXPORT EnumTable enum_names(Phase);
  friend consteval std::string_view enum_texts(Phase) { return "Bound|Lost|Pending"; }

  std::vector<Choice<AccessMode>> access_modes{};
  std::map<std::string, Choice<AllocatedResourceStatuses>> allocated_resource_statuses{};
  QuantityMap allocated_resources{};
  QuantityMap capacity{};
  std::vector<PersistentVolumeClaimCondition> conditions{};
  std::optional<std::string> current_volume_attributes_class_name{};
  OptionalBox<ModifyVolumeStatus> modify_volume_status{};
  Choice<Phase> phase{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeClaim {
  static constexpr Type type{"v1", "PersistentVolumeClaim"};
  Metadata metadata{};
  PersistentVolumeClaimSpec spec{};
  PersistentVolumeClaimStatus status{};
};

struct PINTLE_EXPORT PersistentVolumeClaimVolumeSource {
  std::string claim_name{};
  std::optional<bool> read_only{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodDNSConfigOption {
  std::optional<std::string> name{};
  std::optional<std::string> value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodDNSConfig {
  std::vector<std::string> nameservers{};
  std::vector<PodDNSConfigOption> options{};
  std::vector<std::string> searches{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodOS {
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodReadinessGate {
  std::string condition_type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodResourceClaim {
  std::string name{};
  std::optional<std::string> resource_claim_name{};
  std::optional<std::string> resource_claim_template_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodSchedulingGate {
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodSchedulingGroup {
  std::optional<std::string> pod_group_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Sysctl {
  std::string name{};
  std::string value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodSecurityContext {
  enum class FsGroupChangePolicy { unset, always, on_root_mismatch };
  friend PINTLE_EXPORT EnumTable enum_names(FsGroupChangePolicy);
  friend consteval std::string_view enum_texts(FsGroupChangePolicy) { return "Always|OnRootMismatch"; }

  enum class SupplementalGroupsPolicy { unset, merge, strict };
  friend PINTLE_EXPORT EnumTable enum_names(SupplementalGroupsPolicy);
  friend consteval std::string_view enum_texts(SupplementalGroupsPolicy) { return "Merge|Strict"; }

  OptionalBox<AppArmorProfile> app_armor_profile{};
  std::optional<std::int64_t> fs_group{};
  Choice<FsGroupChangePolicy> fs_group_change_policy{};
  std::optional<std::int64_t> run_as_group{};
  std::optional<bool> run_as_non_root{};
  std::optional<std::int64_t> run_as_user{};
  std::optional<std::string> se_linux_change_policy{};
  OptionalBox<SELinuxOptions> se_linux_options{};
  OptionalBox<SeccompProfile> seccomp_profile{};
  std::vector<std::int64_t> supplemental_groups{};
  Choice<SupplementalGroupsPolicy> supplemental_groups_policy{};
  std::vector<Sysctl> sysctls{};
  OptionalBox<WindowsSecurityContextOptions> windows_options{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Toleration {
  enum class Effect { unset, no_execute, no_schedule, prefer_no_schedule };
  friend PINTLE_EXPORT EnumTable enum_names(Effect);
  friend consteval std::string_view enum_texts(Effect) { return "NoExecute|NoSchedule|PreferNoSchedule"; }

  enum class Operator { unset, equal, exists, gt, lt };
  friend PINTLE_EXPORT EnumTable enum_names(Operator);
  friend consteval std::string_view enum_texts(Operator) { return "Equal|Exists|Gt|Lt"; }

  Choice<Effect> effect{};
  std::optional<std::string> key{};
  Choice<Operator> operator_{};
  std::optional<std::int64_t> toleration_seconds{};
  std::optional<std::string> value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TopologySpreadConstraint {
  enum class NodeAffinityPolicy { unset, honor, ignore };
  friend PINTLE_EXPORT EnumTable enum_names(NodeAffinityPolicy);
  friend consteval std::string_view enum_texts(NodeAffinityPolicy) { return "Honor|Ignore"; }

  enum class NodeTaintsPolicy { unset, honor, ignore };
  friend PINTLE_EXPORT EnumTable enum_names(NodeTaintsPolicy);
  friend consteval std::string_view enum_texts(NodeTaintsPolicy) { return "Honor|Ignore"; }

  enum class WhenUnsatisfiable { unset, do_not_schedule, schedule_anyway };
  friend PINTLE_EXPORT EnumTable enum_names(WhenUnsatisfiable);
  friend consteval std::string_view enum_texts(WhenUnsatisfiable) { return "DoNotSchedule|ScheduleAnyway"; }

  OptionalBox<meta::v1::LabelSelector> label_selector{};
  std::vector<std::string> match_label_keys{};
  std::int32_t max_skew = 0;
  std::optional<std::int32_t> min_domains{};
  Choice<NodeAffinityPolicy> node_affinity_policy{};
  Choice<NodeTaintsPolicy> node_taints_policy{};
  std::string topology_key{};
  Choice<WhenUnsatisfiable> when_unsatisfiable{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodCertificateProjection {
  std::optional<std::string> certificate_chain_path{};
  std::optional<std::string> credential_bundle_path{};
  std::optional<std::string> key_path{};
  std::string key_type{};
  std::optional<std::int32_t> max_expiration_seconds{};
  std::string signer_name{};
  std::map<std::string, std::string> user_annotations{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SecretProjection {
  std::vector<KeyToPath> items{};
  std::optional<std::string> name{};
  std::optional<bool> optional{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceAccountTokenProjection {
  std::optional<std::string> audience{};
  std::optional<std::int64_t> expiration_seconds{};
  std::string path{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeProjection {
  OptionalBox<ClusterTrustBundleProjection> cluster_trust_bundle{};
  OptionalBox<ConfigMapProjection> config_map{};
  OptionalBox<DownwardAPIProjection> downward_api{};
  OptionalBox<PodCertificateProjection> pod_certificate{};
  OptionalBox<SecretProjection> secret{};
  OptionalBox<ServiceAccountTokenProjection> service_account_token{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ProjectedVolumeSource {
  std::optional<std::int32_t> default_mode{};
  std::vector<VolumeProjection> sources{};

  static FieldTable fields();
};

struct PINTLE_EXPORT RBDVolumeSource {
  std::optional<std::string> fs_type{};
  std::string image{};
  std::optional<std::string> keyring{};
  std::vector<std::string> monitors{};
  std::optional<std::string> pool{};
  std::optional<bool> read_only{};
  OptionalBox<LocalObjectReference> secret_ref{};
  std::optional<std::string> user{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ScaleIOVolumeSource {
  std::optional<std::string> fs_type{};
  std::string gateway{};
  std::optional<std::string> protection_domain{};
  std::optional<bool> read_only{};
  LocalObjectReference secret_ref{};
  std::optional<bool> ssl_enabled{};
  std::optional<std::string> storage_mode{};
  std::optional<std::string> storage_pool{};
  std::string system{};
  std::optional<std::string> volume_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SecretVolumeSource {
  std::optional<std::int32_t> default_mode{};
  std::vector<KeyToPath> items{};
  std::optional<bool> optional{};
  std::optional<std::string> secret_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StorageOSVolumeSource {
  std::optional<std::string> fs_type{};
  std::optional<bool> read_only{};
  OptionalBox<LocalObjectReference> secret_ref{};
  std::optional<std::string> volume_name{};
  std::optional<std::string> volume_namespace{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Volume {
  OptionalBox<AWSElasticBlockStoreVolumeSource> aws_elastic_block_store{};
  OptionalBox<AzureDiskVolumeSource> azure_disk{};
  OptionalBox<AzureFileVolumeSource> azure_file{};
  OptionalBox<CephFSVolumeSource> cephfs{};
  OptionalBox<CinderVolumeSource> cinder{};
  OptionalBox<ConfigMapVolumeSource> config_map{};
  OptionalBox<CSIVolumeSource> csi{};
  OptionalBox<DownwardAPIVolumeSource> downward_api{};
  OptionalBox<EmptyDirVolumeSource> empty_dir{};
  OptionalBox<EphemeralVolumeSource> ephemeral{};
  OptionalBox<FCVolumeSource> fc{};
  OptionalBox<FlexVolumeSource> flex_volume{};
  OptionalBox<FlockerVolumeSource> flocker{};
  OptionalBox<GCEPersistentDiskVolumeSource> gce_persistent_disk{};
  OptionalBox<GitRepoVolumeSource> git_repo{};
  OptionalBox<GlusterfsVolumeSource> glusterfs{};
  OptionalBox<HostPathVolumeSource> host_path{};
  OptionalBox<ImageVolumeSource> image{};
  OptionalBox<ISCSIVolumeSource> iscsi{};
  std::string name{};
  OptionalBox<NFSVolumeSource> nfs{};
  OptionalBox<PersistentVolumeClaimVolumeSource> persistent_volume_claim{};
  OptionalBox<PhotonPersistentDiskVolumeSource> photon_persistent_disk{};
  OptionalBox<PortworxVolumeSource> portworx_volume{};
  OptionalBox<ProjectedVolumeSource> projected{};
  OptionalBox<QuobyteVolumeSource> quobyte{};
  OptionalBox<RBDVolumeSource> rbd{};
  OptionalBox<ScaleIOVolumeSource> scale_io{};
  OptionalBox<SecretVolumeSource> secret{};
  OptionalBox<StorageOSVolumeSource> storageos{};
  OptionalBox<VsphereVirtualDiskVolumeSource> vsphere_volume{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodSpec {
  enum class DnsPolicy { unset, cluster_first, cluster_first_with_host_net, default_, none };
  friend PINTLE_EXPORT EnumTable enum_names(DnsPolicy);
  friend consteval std::string_view enum_texts(DnsPolicy) {
    return "ClusterFirst|ClusterFirstWithHostNet|Default|None";
  }

  enum class PreemptionPolicy { unset, never, preempt_lower_priority };
  friend PINTLE_EXPORT EnumTable enum_names(PreemptionPolicy);
  friend consteval std::string_view enum_texts(PreemptionPolicy) { return "Never|PreemptLowerPriority"; }

  enum class RestartPolicy { unset, always, never, on_failure };
  friend PINTLE_EXPORT EnumTable enum_names(RestartPolicy);
  friend consteval std::string_view enum_texts(RestartPolicy) { return "Always|Never|OnFailure"; }

  std::optional<std::int64_t> active_deadline_seconds{};
  OptionalBox<Affinity> affinity{};
  std::optional<bool> automount_service_account_token{};
  std::vector<Container> containers{};
  OptionalBox<PodDNSConfig> dns_config{};
  Choice<DnsPolicy> dns_policy{};
  std::optional<bool> enable_service_links{};
  std::vector<EphemeralContainer> ephemeral_containers{};
  std::vector<HostAlias> host_aliases{};
  std::optional<bool> host_ipc{};
  std::optional<bool> host_network{};
  std::optional<bool> host_pid{};
  std::optional<bool> host_users{};
  std::optional<std::string> hostname{};
  std::optional<std::string> hostname_override{};
  std::vector<LocalObjectReference> image_pull_secrets{};
  std::vector<Container> init_containers{};
  std::optional<std::string> node_name{};
  std::map<std::string, std::string> node_selector{};
  OptionalBox<PodOS> os{};
  QuantityMap overhead{};
  Choice<PreemptionPolicy> preemption_policy{};
  std::optional<std::int32_t> priority{};
  std::optional<std::string> priority_class_name{};
  std::vector<PodReadinessGate> readiness_gates{};
  std::vector<PodResourceClaim> resource_claims{};
  OptionalBox<ResourceRequirements> resources{};
  Choice<RestartPolicy> restart_policy{};
  std::optional<std::string> runtime_class_name{};
  std::optional<std::string> scheduler_name{};
  std::vector<PodSchedulingGate> scheduling_gates{};
  OptionalBox<PodSchedulingGroup> scheduling_group{};
  OptionalBox<PodSecurityContext> security_context{};
  std::optional<std::string> service_account{};
  std::optional<std::string> service_account_name{};
  std::optional<bool> set_hostname_as_fqdn{};
  std::optional<bool> share_process_namespace{};
  std::optional<std::string> subdomain{};
  std::optional<std::int64_t> termination_grace_period_seconds{};
  std::vector<Toleration> tolerations{};
  std::vector<TopologySpreadConstraint> topology_spread_constraints{};
  std::vector<Volume> volumes{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodCondition {
  std::optional<WallTime> last_probe_time{};
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::int64_t> observed_generation{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodExtendedResourceClaimStatus {
  std::vector<ContainerExtendedResourceRequest> request_mappings{};
  std::string resource_claim_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodIP {
  std::string ip{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodResourceClaimStatus {
  std::string name{};
  std::optional<std::string> resource_claim_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodStatus {
  enum class Phase { unset, failed, pending, running, succeeded, unknown };
  friend PINTLE_EXPORT EnumTable enum_names(Phase);
  friend consteval std::string_view enum_texts(Phase) { return "Failed|Pending|Running|Succeeded|Unknown"; }

  enum class QosClass { unset, best_effort, burstable, guaranteed };
  friend PINTLE_EXPORT EnumTable enum_names(QosClass);
  friend consteval std::string_view enum_texts(QosClass) { return "BestEffort|Burstable|Guaranteed"; }

  QuantityMap allocated_resources{};
  std::vector<PodCondition> conditions{};
  std::vector<ContainerStatus> container_statuses{};
  std::vector<ContainerStatus> ephemeral_container_statuses{};
  OptionalBox<PodExtendedResourceClaimStatus> extended_resource_claim_status{};
  std::optional<std::string> host_ip{};
  std::vector<HostIP> host_ips{};
  std::vector<ContainerStatus> init_container_statuses{};
  std::optional<std::string> message{};
  std::vector<NodeAllocatableResourceClaimStatus> node_allocatable_resource_claim_statuses{};
  std::optional<std::string> nominated_node_name{};
  std::optional<std::int64_t> observed_generation{};
  Choice<Phase> phase{};
  std::optional<std::string> pod_ip{};
  std::vector<PodIP> pod_ips{};
  Choice<QosClass> qos_class{};
  std::optional<std::string> reason{};
  std::optional<std::string> resize{};
  std::vector<PodResourceClaimStatus> resource_claim_statuses{};
  OptionalBox<ResourceRequirements> resources{};
  std::optional<WallTime> start_time{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Pod {
  static constexpr Type type{"v1", "Pod"};
  Metadata metadata{};
  PodSpec spec{};
  PodStatus status{};
};

struct PINTLE_EXPORT PodTemplateSpec {
  Metadata metadata{};
  PodSpec spec{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodTemplate {
  static constexpr Type type{"v1", "PodTemplate"};
  Metadata metadata{};
  PodTemplateSpec template_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ReplicationControllerSpec {
  std::optional<std::int32_t> min_ready_seconds{};
  std::optional<std::int32_t> replicas{};
  std::map<std::string, std::string> selector{};
  OptionalBox<PodTemplateSpec> template_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ReplicationControllerCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ReplicationControllerStatus {
  std::optional<std::int32_t> available_replicas{};
  std::vector<ReplicationControllerCondition> conditions{};
  std::optional<std::int32_t> fully_labeled_replicas{};
  std::optional<std::int64_t> observed_generation{};
  std::optional<std::int32_t> ready_replicas{};
  std::int32_t replicas = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT ReplicationController {
  static constexpr Type type{"v1", "ReplicationController"};
  Metadata metadata{};
  ReplicationControllerSpec spec{};
  ReplicationControllerStatus status{};
};

struct PINTLE_EXPORT ScopedResourceSelectorRequirement {
  enum class Operator { unset, does_not_exist, exists, in, not_in };
  friend PINTLE_EXPORT EnumTable enum_names(Operator);
  friend consteval std::string_view enum_texts(Operator) { return "DoesNotExist|Exists|In|NotIn"; }

  enum class ScopeName {
    unset,
    best_effort,
    cross_namespace_pod_affinity,
    not_best_effort,
    not_terminating,
    priority_class,
    terminating,
    volume_attributes_class
  };
  friend PINTLE_EXPORT EnumTable enum_names(ScopeName);
  friend consteval std::string_view enum_texts(ScopeName) {
    return "BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|"
           "VolumeAttributesClass";
  }

  Choice<Operator> operator_{};
  Choice<ScopeName> scope_name{};
  std::vector<std::string> values{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ScopeSelector {
  std::vector<ScopedResourceSelectorRequirement> match_expressions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceQuotaSpec {
  enum class Scope {
    unset,
    best_effort,
    cross_namespace_pod_affinity,
    not_best_effort,
    not_terminating,
    priority_class,
    terminating,
    volume_attributes_class
  };
  friend PINTLE_EXPORT EnumTable enum_names(Scope);
  friend consteval std::string_view enum_texts(Scope) {
    return "BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|"
           "VolumeAttributesClass";
  }

  QuantityMap hard{};
  OptionalBox<ScopeSelector> scope_selector{};
  std::vector<Choice<Scope>> scopes{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceQuotaStatus {
  QuantityMap hard{};
  QuantityMap used{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceQuota {
  static constexpr Type type{"v1", "ResourceQuota"};
  Metadata metadata{};
  ResourceQuotaSpec spec{};
  ResourceQuotaStatus status{};
};

struct PINTLE_EXPORT ServicePort {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::optional<std::string> app_protocol{};
  std::optional<std::string> name{};
  std::optional<std::int32_t> node_port{};
  std::int32_t port = 0;
  Choice<Protocol> protocol{};
  std::optional<IntOrString> target_port{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SessionAffinityConfig {
  OptionalBox<ClientIPConfig> client_ip{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceSpec {
  enum class ExternalTrafficPolicy { unset, cluster, local };
  friend PINTLE_EXPORT EnumTable enum_names(ExternalTrafficPolicy);
  friend consteval std::string_view enum_texts(ExternalTrafficPolicy) { return "Cluster|Local"; }

  enum class InternalTrafficPolicy { unset, cluster, local };
  friend PINTLE_EXPORT EnumTable enum_names(InternalTrafficPolicy);
  friend consteval std::string_view enum_texts(InternalTrafficPolicy) { return "Cluster|Local"; }

  enum class IpFamily { unset, ipv4, ipv6 };
  friend PINTLE_EXPORT EnumTable enum_names(IpFamily);
  friend consteval std::string_view enum_texts(IpFamily) { return "IPv4|IPv6"; }

  enum class IpFamilyPolicy { unset, prefer_dual_stack, require_dual_stack, single_stack };
  friend PINTLE_EXPORT EnumTable enum_names(IpFamilyPolicy);
  friend consteval std::string_view enum_texts(IpFamilyPolicy) {
    return "PreferDualStack|RequireDualStack|SingleStack";
  }

  enum class SessionAffinity { unset, client_ip, none };
  friend PINTLE_EXPORT EnumTable enum_names(SessionAffinity);
  friend consteval std::string_view enum_texts(SessionAffinity) { return "ClientIP|None"; }

  enum class Type { unset, cluster_ip, external_name, load_balancer, node_port };
  friend PINTLE_EXPORT EnumTable enum_names(Type);
  friend consteval std::string_view enum_texts(Type) { return "ClusterIP|ExternalName|LoadBalancer|NodePort"; }

  std::optional<bool> allocate_load_balancer_node_ports{};
  std::optional<std::string> cluster_ip{};
  std::vector<std::string> cluster_ips{};
  std::vector<std::string> external_ips{};
  std::optional<std::string> external_name{};
  Choice<ExternalTrafficPolicy> external_traffic_policy{};
  std::optional<std::int32_t> health_check_node_port{};
  Choice<InternalTrafficPolicy> internal_traffic_policy{};
  std::vector<Choice<IpFamily>> ip_families{};
  Choice<IpFamilyPolicy> ip_family_policy{};
  std::optional<std::string> load_balancer_class{};
  std::optional<std::string> load_balancer_ip{};
  std::vector<std::string> load_balancer_source_ranges{};
  std::vector<ServicePort> ports{};
  std::optional<bool> publish_not_ready_addresses{};
  std::map<std::string, std::string> selector{};
  Choice<SessionAffinity> session_affinity{};
  OptionalBox<SessionAffinityConfig> session_affinity_config{};
  std::optional<std::string> traffic_distribution{};
  Choice<Type> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceStatus {
  std::vector<StatusCondition> conditions{};
  LoadBalancerStatus load_balancer{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Service {
  static constexpr Type type{"v1", "Service"};
  Metadata metadata{};
  ServiceSpec spec{};
  ServiceStatus status{};
};

struct PINTLE_EXPORT TopologySelectorLabelRequirement {
  std::string key{};
  std::vector<std::string> values{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TopologySelectorTerm {
  std::vector<TopologySelectorLabelRequirement> match_label_expressions{};

  static FieldTable fields();
};

}  // namespace pintle::api::core::v1
