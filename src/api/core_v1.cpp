// Tables of core, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/core/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::core::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_container_port_and_protocol{
    .is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"containerPort", "protocol", "", ""}};
constexpr FieldRules by_device_path{
    .is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"devicePath", "", "", ""}};
constexpr FieldRules by_ip{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"ip", "", "", ""}};
constexpr FieldRules by_mount_path{
    .is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"mountPath", "", "", ""}};
constexpr FieldRules by_name{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"name", "", "", ""}};
constexpr FieldRules by_port_and_protocol{
    .is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"port", "protocol", "", ""}};
constexpr FieldRules by_resource_id{
    .is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"resourceID", "", "", ""}};
constexpr FieldRules by_topology_key_and_when_unsatisfiable{
    .is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"topologyKey", "whenUnsatisfiable", "", ""}};
constexpr FieldRules by_type{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"type", "", "", ""}};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_by_name{
    .is_set = true, .required = true, .merge_strategy = MergeStrategy::map, .keys = {"name", "", "", ""}};
constexpr FieldRules set{.is_set = true, .merge_strategy = MergeStrategy::set};

}  // namespace

FieldTable AWSElasticBlockStoreVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&AWSElasticBlockStoreVolumeSource::fs_type>},
      {"partition", member<&AWSElasticBlockStoreVolumeSource::partition>},
      {"readOnly", member<&AWSElasticBlockStoreVolumeSource::read_only>},
      {"volumeID", member<&AWSElasticBlockStoreVolumeSource::volume_id>, required},
  });
  return rows;
}

EnumTable enum_names(NodeSelectorRequirement::Operator) {
  using enum NodeSelectorRequirement::Operator;
  static constexpr auto rows = enum_rows({
      {does_not_exist, "DoesNotExist"},
      {exists, "Exists"},
      {gt, "Gt"},
      {in, "In"},
      {lt, "Lt"},
      {not_in, "NotIn"},
  });
  return rows;
}

FieldTable NodeSelectorRequirement::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&NodeSelectorRequirement::key>, required},
      {"operator", member<&NodeSelectorRequirement::operator_>, required},
      {"values", member<&NodeSelectorRequirement::values>, atomic},
  });
  return rows;
}

FieldTable NodeSelectorTerm::fields() {
  static constexpr auto rows = field_rows({
      {"matchExpressions", member<&NodeSelectorTerm::match_expressions>, atomic},
      {"matchFields", member<&NodeSelectorTerm::match_fields>, atomic},
  });
  return rows;
}

FieldTable NodeSelector::fields() {
  static constexpr auto rows = field_rows({
      {"nodeSelectorTerms", member<&NodeSelector::node_selector_terms>, required_atomic},
  });
  return rows;
}

FieldTable PreferredSchedulingTerm::fields() {
  static constexpr auto rows = field_rows({
      {"preference", member<&PreferredSchedulingTerm::preference>, required_atomic},
      {"weight", member<&PreferredSchedulingTerm::weight>, required},
  });
  return rows;
}

FieldTable NodeAffinity::fields() {
  static constexpr auto rows = field_rows({
      {"preferredDuringSchedulingIgnoredDuringExecution",
       member<&NodeAffinity::preferred_during_scheduling_ignored_during_execution>, atomic},
      {"requiredDuringSchedulingIgnoredDuringExecution",
       member<&NodeAffinity::required_during_scheduling_ignored_during_execution>, atomic},
  });
  return rows;
}

FieldTable PodAffinityTerm::fields() {
  static constexpr auto rows = field_rows({
      {"labelSelector", member<&PodAffinityTerm::label_selector>, atomic},
      {"matchLabelKeys", member<&PodAffinityTerm::match_label_keys>, atomic},
      {"mismatchLabelKeys", member<&PodAffinityTerm::mismatch_label_keys>, atomic},
      {"namespaceSelector", member<&PodAffinityTerm::namespace_selector>, atomic},
      {"namespaces", member<&PodAffinityTerm::namespaces>, atomic},
      {"topologyKey", member<&PodAffinityTerm::topology_key>, required},
  });
  return rows;
}

FieldTable WeightedPodAffinityTerm::fields() {
  static constexpr auto rows = field_rows({
      {"podAffinityTerm", member<&WeightedPodAffinityTerm::pod_affinity_term>, required},
      {"weight", member<&WeightedPodAffinityTerm::weight>, required},
  });
  return rows;
}

FieldTable PodAffinity::fields() {
  static constexpr auto rows = field_rows({
      {"preferredDuringSchedulingIgnoredDuringExecution",
       member<&PodAffinity::preferred_during_scheduling_ignored_during_execution>, atomic},
      {"requiredDuringSchedulingIgnoredDuringExecution",
       member<&PodAffinity::required_during_scheduling_ignored_during_execution>, atomic},
  });
  return rows;
}

FieldTable PodAntiAffinity::fields() {
  static constexpr auto rows = field_rows({
      {"preferredDuringSchedulingIgnoredDuringExecution",
       member<&PodAntiAffinity::preferred_during_scheduling_ignored_during_execution>, atomic},
      {"requiredDuringSchedulingIgnoredDuringExecution",
       member<&PodAntiAffinity::required_during_scheduling_ignored_during_execution>, atomic},
  });
  return rows;
}

FieldTable Affinity::fields() {
  static constexpr auto rows = field_rows({
      {"nodeAffinity", member<&Affinity::node_affinity>},
      {"podAffinity", member<&Affinity::pod_affinity>},
      {"podAntiAffinity", member<&Affinity::pod_anti_affinity>},
  });
  return rows;
}

EnumTable enum_names(AppArmorProfile::Type) {
  using enum AppArmorProfile::Type;
  static constexpr auto rows = enum_rows({
      {localhost, "Localhost"},
      {runtime_default, "RuntimeDefault"},
      {unconfined, "Unconfined"},
  });
  return rows;
}

FieldTable AppArmorProfile::fields() {
  static constexpr auto rows = field_rows({
      {"localhostProfile", member<&AppArmorProfile::localhost_profile>},
      {"type", member<&AppArmorProfile::type>, required},
  });
  return rows;
}

FieldTable AttachedVolume::fields() {
  static constexpr auto rows = field_rows({
      {"devicePath", member<&AttachedVolume::device_path>, required},
      {"name", member<&AttachedVolume::name>, required},
  });
  return rows;
}

EnumTable enum_names(AzureDiskVolumeSource::CachingMode) {
  using enum AzureDiskVolumeSource::CachingMode;
  static constexpr auto rows = enum_rows({
      {none, "None"},
      {read_only, "ReadOnly"},
      {read_write, "ReadWrite"},
  });
  return rows;
}

EnumTable enum_names(AzureDiskVolumeSource::Kind) {
  using enum AzureDiskVolumeSource::Kind;
  static constexpr auto rows = enum_rows({
      {dedicated, "Dedicated"},
      {managed, "Managed"},
      {shared, "Shared"},
  });
  return rows;
}

FieldTable AzureDiskVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"cachingMode", member<&AzureDiskVolumeSource::caching_mode>},
      {"diskName", member<&AzureDiskVolumeSource::disk_name>, required},
      {"diskURI", member<&AzureDiskVolumeSource::disk_uri>, required},
      {"fsType", member<&AzureDiskVolumeSource::fs_type>},
      {"kind", member<&AzureDiskVolumeSource::kind>},
      {"readOnly", member<&AzureDiskVolumeSource::read_only>},
  });
  return rows;
}

FieldTable AzureFilePersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"readOnly", member<&AzureFilePersistentVolumeSource::read_only>},
      {"secretName", member<&AzureFilePersistentVolumeSource::secret_name>, required},
      {"secretNamespace", member<&AzureFilePersistentVolumeSource::secret_namespace>},
      {"shareName", member<&AzureFilePersistentVolumeSource::share_name>, required},
  });
  return rows;
}

FieldTable AzureFileVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"readOnly", member<&AzureFileVolumeSource::read_only>},
      {"secretName", member<&AzureFileVolumeSource::secret_name>, required},
      {"shareName", member<&AzureFileVolumeSource::share_name>, required},
  });
  return rows;
}

FieldTable Binding::fields() {
  static constexpr auto rows = field_rows({
      {"target", member<&Binding::target>, required_atomic},
  });
  return rows;
}

FieldTable SecretReference::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&SecretReference::name>},
      {"namespace", member<&SecretReference::namespace_>},
  });
  return rows;
}

FieldTable CSIPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"controllerExpandSecretRef", member<&CSIPersistentVolumeSource::controller_expand_secret_ref>, atomic},
      {"controllerPublishSecretRef", member<&CSIPersistentVolumeSource::controller_publish_secret_ref>, atomic},
      {"driver", member<&CSIPersistentVolumeSource::driver>, required},
      {"fsType", member<&CSIPersistentVolumeSource::fs_type>},
      {"nodeExpandSecretRef", member<&CSIPersistentVolumeSource::node_expand_secret_ref>, atomic},
      {"nodePublishSecretRef", member<&CSIPersistentVolumeSource::node_publish_secret_ref>, atomic},
      {"nodeStageSecretRef", member<&CSIPersistentVolumeSource::node_stage_secret_ref>, atomic},
      {"readOnly", member<&CSIPersistentVolumeSource::read_only>},
      {"volumeAttributes", member<&CSIPersistentVolumeSource::volume_attributes>},
      {"volumeHandle", member<&CSIPersistentVolumeSource::volume_handle>, required},
  });
  return rows;
}

FieldTable CSIVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"driver", member<&CSIVolumeSource::driver>, required},
      {"fsType", member<&CSIVolumeSource::fs_type>},
      {"nodePublishSecretRef", member<&CSIVolumeSource::node_publish_secret_ref>, atomic},
      {"readOnly", member<&CSIVolumeSource::read_only>},
      {"volumeAttributes", member<&CSIVolumeSource::volume_attributes>},
  });
  return rows;
}

FieldTable Capabilities::fields() {
  static constexpr auto rows = field_rows({
      {"add", member<&Capabilities::add>, atomic},
      {"drop", member<&Capabilities::drop>, atomic},
  });
  return rows;
}

FieldTable CephFSPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"monitors", member<&CephFSPersistentVolumeSource::monitors>, required_atomic},
      {"path", member<&CephFSPersistentVolumeSource::path>},
      {"readOnly", member<&CephFSPersistentVolumeSource::read_only>},
      {"secretFile", member<&CephFSPersistentVolumeSource::secret_file>},
      {"secretRef", member<&CephFSPersistentVolumeSource::secret_ref>, atomic},
      {"user", member<&CephFSPersistentVolumeSource::user>},
  });
  return rows;
}

FieldTable CephFSVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"monitors", member<&CephFSVolumeSource::monitors>, required_atomic},
      {"path", member<&CephFSVolumeSource::path>},
      {"readOnly", member<&CephFSVolumeSource::read_only>},
      {"secretFile", member<&CephFSVolumeSource::secret_file>},
      {"secretRef", member<&CephFSVolumeSource::secret_ref>, atomic},
      {"user", member<&CephFSVolumeSource::user>},
  });
  return rows;
}

FieldTable CinderPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&CinderPersistentVolumeSource::fs_type>},
      {"readOnly", member<&CinderPersistentVolumeSource::read_only>},
      {"secretRef", member<&CinderPersistentVolumeSource::secret_ref>, atomic},
      {"volumeID", member<&CinderPersistentVolumeSource::volume_id>, required},
  });
  return rows;
}

FieldTable CinderVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&CinderVolumeSource::fs_type>},
      {"readOnly", member<&CinderVolumeSource::read_only>},
      {"secretRef", member<&CinderVolumeSource::secret_ref>, atomic},
      {"volumeID", member<&CinderVolumeSource::volume_id>, required},
  });
  return rows;
}

FieldTable ClientIPConfig::fields() {
  static constexpr auto rows = field_rows({
      {"timeoutSeconds", member<&ClientIPConfig::timeout_seconds>},
  });
  return rows;
}

FieldTable ClusterTrustBundleProjection::fields() {
  static constexpr auto rows = field_rows({
      {"labelSelector", member<&ClusterTrustBundleProjection::label_selector>, atomic},
      {"name", member<&ClusterTrustBundleProjection::name>},
      {"optional", member<&ClusterTrustBundleProjection::optional>},
      {"path", member<&ClusterTrustBundleProjection::path>, required},
      {"signerName", member<&ClusterTrustBundleProjection::signer_name>},
  });
  return rows;
}

FieldTable ComponentCondition::fields() {
  static constexpr auto rows = field_rows({
      {"error", member<&ComponentCondition::error>},
      {"message", member<&ComponentCondition::message>},
      {"status", member<&ComponentCondition::status>, required},
      {"type", member<&ComponentCondition::type>, required},
  });
  return rows;
}

FieldTable ComponentStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&ComponentStatus::conditions>, by_type},
  });
  return rows;
}

FieldTable ConfigMap::fields() {
  static constexpr auto rows = field_rows({
      {"binaryData", member<&ConfigMap::binary_data>},
      {"data", member<&ConfigMap::data>},
      {"immutable", member<&ConfigMap::immutable>},
  });
  return rows;
}

FieldTable ConfigMapEnvSource::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ConfigMapEnvSource::name>},
      {"optional", member<&ConfigMapEnvSource::optional>},
  });
  return rows;
}

FieldTable ConfigMapKeySelector::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&ConfigMapKeySelector::key>, required},
      {"name", member<&ConfigMapKeySelector::name>},
      {"optional", member<&ConfigMapKeySelector::optional>},
  });
  return rows;
}

FieldTable ConfigMapNodeConfigSource::fields() {
  static constexpr auto rows = field_rows({
      {"kubeletConfigKey", member<&ConfigMapNodeConfigSource::kubelet_config_key>, required},
      {"name", member<&ConfigMapNodeConfigSource::name>, required},
      {"namespace", member<&ConfigMapNodeConfigSource::namespace_>, required},
      {"resourceVersion", member<&ConfigMapNodeConfigSource::resource_version>},
      {"uid", member<&ConfigMapNodeConfigSource::uid>},
  });
  return rows;
}

FieldTable KeyToPath::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&KeyToPath::key>, required},
      {"mode", member<&KeyToPath::mode>},
      {"path", member<&KeyToPath::path>, required},
  });
  return rows;
}

FieldTable ConfigMapProjection::fields() {
  static constexpr auto rows = field_rows({
      {"items", member<&ConfigMapProjection::items>, atomic},
      {"name", member<&ConfigMapProjection::name>},
      {"optional", member<&ConfigMapProjection::optional>},
  });
  return rows;
}

FieldTable ConfigMapVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"defaultMode", member<&ConfigMapVolumeSource::default_mode>},
      {"items", member<&ConfigMapVolumeSource::items>, atomic},
      {"name", member<&ConfigMapVolumeSource::name>},
      {"optional", member<&ConfigMapVolumeSource::optional>},
  });
  return rows;
}

EnumTable enum_names(ContainerPort::Protocol) {
  using enum ContainerPort::Protocol;
  static constexpr auto rows = enum_rows({
      {sctp, "SCTP"},
      {tcp, "TCP"},
      {udp, "UDP"},
  });
  return rows;
}

FieldTable ContainerPort::fields() {
  static constexpr auto rows = field_rows({
      {"containerPort", member<&ContainerPort::container_port>, required},
      {"hostIP", member<&ContainerPort::host_ip>},
      {"hostPort", member<&ContainerPort::host_port>},
      {"name", member<&ContainerPort::name>},
      {"protocol", member<&ContainerPort::protocol>},
  });
  return rows;
}

FieldTable ContainerResizePolicy::fields() {
  static constexpr auto rows = field_rows({
      {"resourceName", member<&ContainerResizePolicy::resource_name>, required},
      {"restartPolicy", member<&ContainerResizePolicy::restart_policy>, required},
  });
  return rows;
}

FieldTable ContainerRestartRuleOnExitCodes::fields() {
  static constexpr auto rows = field_rows({
      {"operator", member<&ContainerRestartRuleOnExitCodes::operator_>, required},
      {"values", member<&ContainerRestartRuleOnExitCodes::values>, set},
  });
  return rows;
}

FieldTable ContainerRestartRule::fields() {
  static constexpr auto rows = field_rows({
      {"action", member<&ContainerRestartRule::action>, required},
      {"exitCodes", member<&ContainerRestartRule::exit_codes>},
  });
  return rows;
}

FieldTable SecretEnvSource::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&SecretEnvSource::name>},
      {"optional", member<&SecretEnvSource::optional>},
  });
  return rows;
}

FieldTable EnvFromSource::fields() {
  static constexpr auto rows = field_rows({
      {"configMapRef", member<&EnvFromSource::config_map_ref>},
      {"prefix", member<&EnvFromSource::prefix>},
      {"secretRef", member<&EnvFromSource::secret_ref>},
  });
  return rows;
}

FieldTable FileKeySelector::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&FileKeySelector::key>, required},
      {"optional", member<&FileKeySelector::optional>},
      {"path", member<&FileKeySelector::path>, required},
      {"volumeName", member<&FileKeySelector::volume_name>, required},
  });
  return rows;
}

FieldTable ObjectFieldSelector::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&ObjectFieldSelector::api_version>},
      {"fieldPath", member<&ObjectFieldSelector::field_path>, required},
  });
  return rows;
}

FieldTable ResourceFieldSelector::fields() {
  static constexpr auto rows = field_rows({
      {"containerName", member<&ResourceFieldSelector::container_name>},
      {"divisor", member<&ResourceFieldSelector::divisor>},
      {"resource", member<&ResourceFieldSelector::resource>, required},
  });
  return rows;
}

FieldTable SecretKeySelector::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&SecretKeySelector::key>, required},
      {"name", member<&SecretKeySelector::name>},
      {"optional", member<&SecretKeySelector::optional>},
  });
  return rows;
}

FieldTable EnvVarSource::fields() {
  static constexpr auto rows = field_rows({
      {"configMapKeyRef", member<&EnvVarSource::config_map_key_ref>, atomic},
      {"fieldRef", member<&EnvVarSource::field_ref>, atomic},
      {"fileKeyRef", member<&EnvVarSource::file_key_ref>, atomic},
      {"resourceFieldRef", member<&EnvVarSource::resource_field_ref>, atomic},
      {"secretKeyRef", member<&EnvVarSource::secret_key_ref>, atomic},
  });
  return rows;
}

FieldTable EnvVar::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&EnvVar::name>, required},
      {"value", member<&EnvVar::value>},
      {"valueFrom", member<&EnvVar::value_from>},
  });
  return rows;
}

FieldTable ExecAction::fields() {
  static constexpr auto rows = field_rows({
      {"command", member<&ExecAction::command>, atomic},
  });
  return rows;
}

FieldTable HTTPHeader::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&HTTPHeader::name>, required},
      {"value", member<&HTTPHeader::value>, required},
  });
  return rows;
}

EnumTable enum_names(HTTPGetAction::Scheme) {
  using enum HTTPGetAction::Scheme;
  static constexpr auto rows = enum_rows({
      {http, "HTTP"},
      {https, "HTTPS"},
  });
  return rows;
}

FieldTable HTTPGetAction::fields() {
  static constexpr auto rows = field_rows({
      {"host", member<&HTTPGetAction::host>},
      {"httpHeaders", member<&HTTPGetAction::http_headers>, atomic},
      {"path", member<&HTTPGetAction::path>},
      {"port", member<&HTTPGetAction::port>, required},
      {"scheme", member<&HTTPGetAction::scheme>},
  });
  return rows;
}

FieldTable SleepAction::fields() {
  static constexpr auto rows = field_rows({
      {"seconds", member<&SleepAction::seconds>, required},
  });
  return rows;
}

FieldTable TCPSocketAction::fields() {
  static constexpr auto rows = field_rows({
      {"host", member<&TCPSocketAction::host>},
      {"port", member<&TCPSocketAction::port>, required},
  });
  return rows;
}

FieldTable LifecycleHandler::fields() {
  static constexpr auto rows = field_rows({
      {"exec", member<&LifecycleHandler::exec>},
      {"httpGet", member<&LifecycleHandler::http_get>},
      {"sleep", member<&LifecycleHandler::sleep>},
      {"tcpSocket", member<&LifecycleHandler::tcp_socket>},
  });
  return rows;
}

EnumTable enum_names(Lifecycle::StopSignal) {
  using enum Lifecycle::StopSignal;
  static constexpr auto rows = enum_rows({
      {sigabrt, "SIGABRT"},
      {sigalrm, "SIGALRM"},
      {sigbus, "SIGBUS"},
      {sigchld, "SIGCHLD"},
      {sigcld, "SIGCLD"},
      {sigcont, "SIGCONT"},
      {sigfpe, "SIGFPE"},
      {sighup, "SIGHUP"},
      {sigill, "SIGILL"},
      {sigint, "SIGINT"},
      {sigio, "SIGIO"},
      {sigiot, "SIGIOT"},
      {sigkill, "SIGKILL"},
      {sigpipe, "SIGPIPE"},
      {sigpoll, "SIGPOLL"},
      {sigprof, "SIGPROF"},
      {sigpwr, "SIGPWR"},
      {sigquit, "SIGQUIT"},
      {sigrtmax, "SIGRTMAX"},
      {sigrtmax_1, "SIGRTMAX-1"},
      {sigrtmax_10, "SIGRTMAX-10"},
      {sigrtmax_11, "SIGRTMAX-11"},
      {sigrtmax_12, "SIGRTMAX-12"},
      {sigrtmax_13, "SIGRTMAX-13"},
      {sigrtmax_14, "SIGRTMAX-14"},
      {sigrtmax_2, "SIGRTMAX-2"},
      {sigrtmax_3, "SIGRTMAX-3"},
      {sigrtmax_4, "SIGRTMAX-4"},
      {sigrtmax_5, "SIGRTMAX-5"},
      {sigrtmax_6, "SIGRTMAX-6"},
      {sigrtmax_7, "SIGRTMAX-7"},
      {sigrtmax_8, "SIGRTMAX-8"},
      {sigrtmax_9, "SIGRTMAX-9"},
      {sigrtmin, "SIGRTMIN"},
      {sigrtmin_1, "SIGRTMIN+1"},
      {sigrtmin_10, "SIGRTMIN+10"},
      {sigrtmin_11, "SIGRTMIN+11"},
      {sigrtmin_12, "SIGRTMIN+12"},
      {sigrtmin_13, "SIGRTMIN+13"},
      {sigrtmin_14, "SIGRTMIN+14"},
      {sigrtmin_15, "SIGRTMIN+15"},
      {sigrtmin_2, "SIGRTMIN+2"},
      {sigrtmin_3, "SIGRTMIN+3"},
      {sigrtmin_4, "SIGRTMIN+4"},
      {sigrtmin_5, "SIGRTMIN+5"},
      {sigrtmin_6, "SIGRTMIN+6"},
      {sigrtmin_7, "SIGRTMIN+7"},
      {sigrtmin_8, "SIGRTMIN+8"},
      {sigrtmin_9, "SIGRTMIN+9"},
      {sigsegv, "SIGSEGV"},
      {sigstkflt, "SIGSTKFLT"},
      {sigstop, "SIGSTOP"},
      {sigsys, "SIGSYS"},
      {sigterm, "SIGTERM"},
      {sigtrap, "SIGTRAP"},
      {sigtstp, "SIGTSTP"},
      {sigttin, "SIGTTIN"},
      {sigttou, "SIGTTOU"},
      {sigurg, "SIGURG"},
      {sigusr1, "SIGUSR1"},
      {sigusr2, "SIGUSR2"},
      {sigvtalrm, "SIGVTALRM"},
      {sigwinch, "SIGWINCH"},
      {sigxcpu, "SIGXCPU"},
      {sigxfsz, "SIGXFSZ"},
  });
  return rows;
}

FieldTable Lifecycle::fields() {
  static constexpr auto rows = field_rows({
      {"postStart", member<&Lifecycle::post_start>},
      {"preStop", member<&Lifecycle::pre_stop>},
      {"stopSignal", member<&Lifecycle::stop_signal>},
  });
  return rows;
}

FieldTable GRPCAction::fields() {
  static constexpr auto rows = field_rows({
      {"port", member<&GRPCAction::port>, required},
      {"service", member<&GRPCAction::service>},
  });
  return rows;
}

FieldTable Probe::fields() {
  static constexpr auto rows = field_rows({
      {"exec", member<&Probe::exec>},
      {"failureThreshold", member<&Probe::failure_threshold>},
      {"grpc", member<&Probe::grpc>},
      {"httpGet", member<&Probe::http_get>},
      {"initialDelaySeconds", member<&Probe::initial_delay_seconds>},
      {"periodSeconds", member<&Probe::period_seconds>},
      {"successThreshold", member<&Probe::success_threshold>},
      {"tcpSocket", member<&Probe::tcp_socket>},
      {"terminationGracePeriodSeconds", member<&Probe::termination_grace_period_seconds>},
      {"timeoutSeconds", member<&Probe::timeout_seconds>},
  });
  return rows;
}

FieldTable ResourceClaim::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ResourceClaim::name>, required},
      {"request", member<&ResourceClaim::request>},
  });
  return rows;
}

FieldTable ResourceRequirements::fields() {
  static constexpr auto rows = field_rows({
      {"claims", member<&ResourceRequirements::claims>, by_name},
      {"limits", member<&ResourceRequirements::limits>},
      {"requests", member<&ResourceRequirements::requests>},
  });
  return rows;
}

FieldTable SELinuxOptions::fields() {
  static constexpr auto rows = field_rows({
      {"level", member<&SELinuxOptions::level>},
      {"role", member<&SELinuxOptions::role>},
      {"type", member<&SELinuxOptions::type>},
      {"user", member<&SELinuxOptions::user>},
  });
  return rows;
}

EnumTable enum_names(SeccompProfile::Type) {
  using enum SeccompProfile::Type;
  static constexpr auto rows = enum_rows({
      {localhost, "Localhost"},
      {runtime_default, "RuntimeDefault"},
      {unconfined, "Unconfined"},
  });
  return rows;
}

FieldTable SeccompProfile::fields() {
  static constexpr auto rows = field_rows({
      {"localhostProfile", member<&SeccompProfile::localhost_profile>},
      {"type", member<&SeccompProfile::type>, required},
  });
  return rows;
}

FieldTable WindowsSecurityContextOptions::fields() {
  static constexpr auto rows = field_rows({
      {"gmsaCredentialSpec", member<&WindowsSecurityContextOptions::gmsa_credential_spec>},
      {"gmsaCredentialSpecName", member<&WindowsSecurityContextOptions::gmsa_credential_spec_name>},
      {"hostProcess", member<&WindowsSecurityContextOptions::host_process>},
      {"runAsUserName", member<&WindowsSecurityContextOptions::run_as_user_name>},
  });
  return rows;
}

EnumTable enum_names(SecurityContext::ProcMount) {
  using enum SecurityContext::ProcMount;
  static constexpr auto rows = enum_rows({
      {default_, "Default"},
      {unmasked, "Unmasked"},
  });
  return rows;
}

FieldTable SecurityContext::fields() {
  static constexpr auto rows = field_rows({
      {"allowPrivilegeEscalation", member<&SecurityContext::allow_privilege_escalation>},
      {"appArmorProfile", member<&SecurityContext::app_armor_profile>},
      {"capabilities", member<&SecurityContext::capabilities>},
      {"privileged", member<&SecurityContext::privileged>},
      {"procMount", member<&SecurityContext::proc_mount>},
      {"readOnlyRootFilesystem", member<&SecurityContext::read_only_root_filesystem>},
      {"runAsGroup", member<&SecurityContext::run_as_group>},
      {"runAsNonRoot", member<&SecurityContext::run_as_non_root>},
      {"runAsUser", member<&SecurityContext::run_as_user>},
      {"seLinuxOptions", member<&SecurityContext::se_linux_options>},
      {"seccompProfile", member<&SecurityContext::seccomp_profile>},
      {"windowsOptions", member<&SecurityContext::windows_options>},
  });
  return rows;
}

FieldTable VolumeDevice::fields() {
  static constexpr auto rows = field_rows({
      {"devicePath", member<&VolumeDevice::device_path>, required},
      {"name", member<&VolumeDevice::name>, required},
  });
  return rows;
}

EnumTable enum_names(VolumeMount::MountPropagation) {
  using enum VolumeMount::MountPropagation;
  static constexpr auto rows = enum_rows({
      {bidirectional, "Bidirectional"},
      {host_to_container, "HostToContainer"},
      {none, "None"},
  });
  return rows;
}

FieldTable VolumeMount::fields() {
  static constexpr auto rows = field_rows({
      {"mountPath", member<&VolumeMount::mount_path>, required},
      {"mountPropagation", member<&VolumeMount::mount_propagation>},
      {"name", member<&VolumeMount::name>, required},
      {"readOnly", member<&VolumeMount::read_only>},
      {"recursiveReadOnly", member<&VolumeMount::recursive_read_only>},
      {"subPath", member<&VolumeMount::sub_path>},
      {"subPathExpr", member<&VolumeMount::sub_path_expr>},
  });
  return rows;
}

EnumTable enum_names(Container::ImagePullPolicy) {
  using enum Container::ImagePullPolicy;
  static constexpr auto rows = enum_rows({
      {always, "Always"},
      {if_not_present, "IfNotPresent"},
      {never, "Never"},
  });
  return rows;
}

EnumTable enum_names(Container::TerminationMessagePolicy) {
  using enum Container::TerminationMessagePolicy;
  static constexpr auto rows = enum_rows({
      {fallback_to_logs_on_error, "FallbackToLogsOnError"},
      {file, "File"},
  });
  return rows;
}

FieldTable Container::fields() {
  static constexpr auto rows = field_rows({
      {"args", member<&Container::args>, atomic},
      {"command", member<&Container::command>, atomic},
      {"env", member<&Container::env>, by_name},
      {"envFrom", member<&Container::env_from>, atomic},
      {"image", member<&Container::image>},
      {"imagePullPolicy", member<&Container::image_pull_policy>},
      {"lifecycle", member<&Container::lifecycle>},
      {"livenessProbe", member<&Container::liveness_probe>},
      {"name", member<&Container::name>, required},
      {"ports", member<&Container::ports>, by_container_port_and_protocol},
      {"readinessProbe", member<&Container::readiness_probe>},
      {"resizePolicy", member<&Container::resize_policy>, atomic},
      {"resources", member<&Container::resources>},
      {"restartPolicy", member<&Container::restart_policy>},
      {"restartPolicyRules", member<&Container::restart_policy_rules>, atomic},
      {"securityContext", member<&Container::security_context>},
      {"startupProbe", member<&Container::startup_probe>},
      {"stdin", member<&Container::stdin>},
      {"stdinOnce", member<&Container::stdin_once>},
      {"terminationMessagePath", member<&Container::termination_message_path>},
      {"terminationMessagePolicy", member<&Container::termination_message_policy>},
      {"tty", member<&Container::tty>},
      {"volumeDevices", member<&Container::volume_devices>, by_device_path},
      {"volumeMounts", member<&Container::volume_mounts>, by_mount_path},
      {"workingDir", member<&Container::working_dir>},
  });
  return rows;
}

FieldTable ContainerExtendedResourceRequest::fields() {
  static constexpr auto rows = field_rows({
      {"containerName", member<&ContainerExtendedResourceRequest::container_name>, required},
      {"requestName", member<&ContainerExtendedResourceRequest::request_name>, required},
      {"resourceName", member<&ContainerExtendedResourceRequest::resource_name>, required},
  });
  return rows;
}

FieldTable ContainerImage::fields() {
  static constexpr auto rows = field_rows({
      {"names", member<&ContainerImage::names>, atomic},
      {"sizeBytes", member<&ContainerImage::size_bytes>},
  });
  return rows;
}

FieldTable ContainerStateRunning::fields() {
  static constexpr auto rows = field_rows({
      {"startedAt", member<&ContainerStateRunning::started_at>},
  });
  return rows;
}

FieldTable ContainerStateTerminated::fields() {
  static constexpr auto rows = field_rows({
      {"containerID", member<&ContainerStateTerminated::container_id>},
      {"exitCode", member<&ContainerStateTerminated::exit_code>, required},
      {"finishedAt", member<&ContainerStateTerminated::finished_at>},
      {"message", member<&ContainerStateTerminated::message>},
      {"reason", member<&ContainerStateTerminated::reason>},
      {"signal", member<&ContainerStateTerminated::signal>},
      {"startedAt", member<&ContainerStateTerminated::started_at>},
  });
  return rows;
}

FieldTable ContainerStateWaiting::fields() {
  static constexpr auto rows = field_rows({
      {"message", member<&ContainerStateWaiting::message>},
      {"reason", member<&ContainerStateWaiting::reason>},
  });
  return rows;
}

FieldTable ContainerState::fields() {
  static constexpr auto rows = field_rows({
      {"running", member<&ContainerState::running>},
      {"terminated", member<&ContainerState::terminated>},
      {"waiting", member<&ContainerState::waiting>},
  });
  return rows;
}

FieldTable LinuxContainerUser::fields() {
  static constexpr auto rows = field_rows({
      {"gid", member<&LinuxContainerUser::gid>, required},
      {"supplementalGroups", member<&LinuxContainerUser::supplemental_groups>, atomic},
      {"uid", member<&LinuxContainerUser::uid>, required},
  });
  return rows;
}

FieldTable ContainerUser::fields() {
  static constexpr auto rows = field_rows({
      {"linux", member<&ContainerUser::linux_>},
  });
  return rows;
}

FieldTable ResourceHealth::fields() {
  static constexpr auto rows = field_rows({
      {"health", member<&ResourceHealth::health>},
      {"message", member<&ResourceHealth::message>},
      {"resourceID", member<&ResourceHealth::resource_id>, required},
  });
  return rows;
}

FieldTable ResourceStatus::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ResourceStatus::name>, required},
      {"resources", member<&ResourceStatus::resources>, by_resource_id},
  });
  return rows;
}

FieldTable ImageVolumeStatus::fields() {
  static constexpr auto rows = field_rows({
      {"imageRef", member<&ImageVolumeStatus::image_ref>, required},
  });
  return rows;
}

FieldTable VolumeStatus::fields() {
  static constexpr auto rows = field_rows({
      {"image", member<&VolumeStatus::image>},
  });
  return rows;
}

FieldTable VolumeMountStatus::fields() {
  static constexpr auto rows = field_rows({
      {"mountPath", member<&VolumeMountStatus::mount_path>, required},
      {"name", member<&VolumeMountStatus::name>, required},
      {"readOnly", member<&VolumeMountStatus::read_only>},
      {"recursiveReadOnly", member<&VolumeMountStatus::recursive_read_only>},
      {"volumeStatus", member<&VolumeMountStatus::volume_status>},
  });
  return rows;
}

EnumTable enum_names(ContainerStatus::StopSignal) {
  using enum ContainerStatus::StopSignal;
  static constexpr auto rows = enum_rows({
      {sigabrt, "SIGABRT"},
      {sigalrm, "SIGALRM"},
      {sigbus, "SIGBUS"},
      {sigchld, "SIGCHLD"},
      {sigcld, "SIGCLD"},
      {sigcont, "SIGCONT"},
      {sigfpe, "SIGFPE"},
      {sighup, "SIGHUP"},
      {sigill, "SIGILL"},
      {sigint, "SIGINT"},
      {sigio, "SIGIO"},
      {sigiot, "SIGIOT"},
      {sigkill, "SIGKILL"},
      {sigpipe, "SIGPIPE"},
      {sigpoll, "SIGPOLL"},
      {sigprof, "SIGPROF"},
      {sigpwr, "SIGPWR"},
      {sigquit, "SIGQUIT"},
      {sigrtmax, "SIGRTMAX"},
      {sigrtmax_1, "SIGRTMAX-1"},
      {sigrtmax_10, "SIGRTMAX-10"},
      {sigrtmax_11, "SIGRTMAX-11"},
      {sigrtmax_12, "SIGRTMAX-12"},
      {sigrtmax_13, "SIGRTMAX-13"},
      {sigrtmax_14, "SIGRTMAX-14"},
      {sigrtmax_2, "SIGRTMAX-2"},
      {sigrtmax_3, "SIGRTMAX-3"},
      {sigrtmax_4, "SIGRTMAX-4"},
      {sigrtmax_5, "SIGRTMAX-5"},
      {sigrtmax_6, "SIGRTMAX-6"},
      {sigrtmax_7, "SIGRTMAX-7"},
      {sigrtmax_8, "SIGRTMAX-8"},
      {sigrtmax_9, "SIGRTMAX-9"},
      {sigrtmin, "SIGRTMIN"},
      {sigrtmin_1, "SIGRTMIN+1"},
      {sigrtmin_10, "SIGRTMIN+10"},
      {sigrtmin_11, "SIGRTMIN+11"},
      {sigrtmin_12, "SIGRTMIN+12"},
      {sigrtmin_13, "SIGRTMIN+13"},
      {sigrtmin_14, "SIGRTMIN+14"},
      {sigrtmin_15, "SIGRTMIN+15"},
      {sigrtmin_2, "SIGRTMIN+2"},
      {sigrtmin_3, "SIGRTMIN+3"},
      {sigrtmin_4, "SIGRTMIN+4"},
      {sigrtmin_5, "SIGRTMIN+5"},
      {sigrtmin_6, "SIGRTMIN+6"},
      {sigrtmin_7, "SIGRTMIN+7"},
      {sigrtmin_8, "SIGRTMIN+8"},
      {sigrtmin_9, "SIGRTMIN+9"},
      {sigsegv, "SIGSEGV"},
      {sigstkflt, "SIGSTKFLT"},
      {sigstop, "SIGSTOP"},
      {sigsys, "SIGSYS"},
      {sigterm, "SIGTERM"},
      {sigtrap, "SIGTRAP"},
      {sigtstp, "SIGTSTP"},
      {sigttin, "SIGTTIN"},
      {sigttou, "SIGTTOU"},
      {sigurg, "SIGURG"},
      {sigusr1, "SIGUSR1"},
      {sigusr2, "SIGUSR2"},
      {sigvtalrm, "SIGVTALRM"},
      {sigwinch, "SIGWINCH"},
      {sigxcpu, "SIGXCPU"},
      {sigxfsz, "SIGXFSZ"},
  });
  return rows;
}

FieldTable ContainerStatus::fields() {
  static constexpr auto rows = field_rows({
      {"allocatedResources", member<&ContainerStatus::allocated_resources>},
      {"allocatedResourcesStatus", member<&ContainerStatus::allocated_resources_status>, by_name},
      {"containerID", member<&ContainerStatus::container_id>},
      {"image", member<&ContainerStatus::image>, required},
      {"imageID", member<&ContainerStatus::image_id>, required},
      {"lastState", member<&ContainerStatus::last_state>},
      {"name", member<&ContainerStatus::name>, required},
      {"ready", member<&ContainerStatus::ready>, required},
      {"resources", member<&ContainerStatus::resources>},
      {"restartCount", member<&ContainerStatus::restart_count>, required},
      {"started", member<&ContainerStatus::started>},
      {"state", member<&ContainerStatus::state>},
      {"stopSignal", member<&ContainerStatus::stop_signal>},
      {"user", member<&ContainerStatus::user>},
      {"volumeMounts", member<&ContainerStatus::volume_mounts>, by_mount_path},
  });
  return rows;
}

FieldTable DaemonEndpoint::fields() {
  static constexpr auto rows = field_rows({
      {"Port", member<&DaemonEndpoint::port>, required},
  });
  return rows;
}

FieldTable DownwardAPIVolumeFile::fields() {
  static constexpr auto rows = field_rows({
      {"fieldRef", member<&DownwardAPIVolumeFile::field_ref>, atomic},
      {"mode", member<&DownwardAPIVolumeFile::mode>},
      {"path", member<&DownwardAPIVolumeFile::path>, required},
      {"resourceFieldRef", member<&DownwardAPIVolumeFile::resource_field_ref>, atomic},
  });
  return rows;
}

FieldTable DownwardAPIProjection::fields() {
  static constexpr auto rows = field_rows({
      {"items", member<&DownwardAPIProjection::items>, atomic},
  });
  return rows;
}

FieldTable DownwardAPIVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"defaultMode", member<&DownwardAPIVolumeSource::default_mode>},
      {"items", member<&DownwardAPIVolumeSource::items>, atomic},
  });
  return rows;
}

FieldTable EmptyDirVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"medium", member<&EmptyDirVolumeSource::medium>},
      {"sizeLimit", member<&EmptyDirVolumeSource::size_limit>},
  });
  return rows;
}

FieldTable EndpointAddress::fields() {
  static constexpr auto rows = field_rows({
      {"hostname", member<&EndpointAddress::hostname>},
      {"ip", member<&EndpointAddress::ip>, required},
      {"nodeName", member<&EndpointAddress::node_name>},
      {"targetRef", member<&EndpointAddress::target_ref>, atomic},
  });
  return rows;
}

EnumTable enum_names(EndpointPort::Protocol) {
  using enum EndpointPort::Protocol;
  static constexpr auto rows = enum_rows({
      {sctp, "SCTP"},
      {tcp, "TCP"},
      {udp, "UDP"},
  });
  return rows;
}

FieldTable EndpointPort::fields() {
  static constexpr auto rows = field_rows({
      {"appProtocol", member<&EndpointPort::app_protocol>},
      {"name", member<&EndpointPort::name>},
      {"port", member<&EndpointPort::port>, required},
      {"protocol", member<&EndpointPort::protocol>},
  });
  return rows;
}

FieldTable EndpointSubset::fields() {
  static constexpr auto rows = field_rows({
      {"addresses", member<&EndpointSubset::addresses>, atomic},
      {"notReadyAddresses", member<&EndpointSubset::not_ready_addresses>, atomic},
      {"ports", member<&EndpointSubset::ports>, atomic},
  });
  return rows;
}

FieldTable Endpoints::fields() {
  static constexpr auto rows = field_rows({
      {"subsets", member<&Endpoints::subsets>, atomic},
  });
  return rows;
}

EnumTable enum_names(EphemeralContainer::ImagePullPolicy) {
  using enum EphemeralContainer::ImagePullPolicy;
  static constexpr auto rows = enum_rows({
      {always, "Always"},
      {if_not_present, "IfNotPresent"},
      {never, "Never"},
  });
  return rows;
}

EnumTable enum_names(EphemeralContainer::TerminationMessagePolicy) {
  using enum EphemeralContainer::TerminationMessagePolicy;
  static constexpr auto rows = enum_rows({
      {fallback_to_logs_on_error, "FallbackToLogsOnError"},
      {file, "File"},
  });
  return rows;
}

FieldTable EphemeralContainer::fields() {
  static constexpr auto rows = field_rows({
      {"args", member<&EphemeralContainer::args>, atomic},
      {"command", member<&EphemeralContainer::command>, atomic},
      {"env", member<&EphemeralContainer::env>, by_name},
      {"envFrom", member<&EphemeralContainer::env_from>, atomic},
      {"image", member<&EphemeralContainer::image>},
      {"imagePullPolicy", member<&EphemeralContainer::image_pull_policy>},
      {"lifecycle", member<&EphemeralContainer::lifecycle>},
      {"livenessProbe", member<&EphemeralContainer::liveness_probe>},
      {"name", member<&EphemeralContainer::name>, required},
      {"ports", member<&EphemeralContainer::ports>, by_container_port_and_protocol},
      {"readinessProbe", member<&EphemeralContainer::readiness_probe>},
      {"resizePolicy", member<&EphemeralContainer::resize_policy>, atomic},
      {"resources", member<&EphemeralContainer::resources>},
      {"restartPolicy", member<&EphemeralContainer::restart_policy>},
      {"restartPolicyRules", member<&EphemeralContainer::restart_policy_rules>, atomic},
      {"securityContext", member<&EphemeralContainer::security_context>},
      {"startupProbe", member<&EphemeralContainer::startup_probe>},
      {"stdin", member<&EphemeralContainer::stdin>},
      {"stdinOnce", member<&EphemeralContainer::stdin_once>},
      {"targetContainerName", member<&EphemeralContainer::target_container_name>},
      {"terminationMessagePath", member<&EphemeralContainer::termination_message_path>},
      {"terminationMessagePolicy", member<&EphemeralContainer::termination_message_policy>},
      {"tty", member<&EphemeralContainer::tty>},
      {"volumeDevices", member<&EphemeralContainer::volume_devices>, by_device_path},
      {"volumeMounts", member<&EphemeralContainer::volume_mounts>, by_mount_path},
      {"workingDir", member<&EphemeralContainer::working_dir>},
  });
  return rows;
}

FieldTable TypedLocalObjectReference::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroup", member<&TypedLocalObjectReference::api_group>},
      {"kind", member<&TypedLocalObjectReference::kind>, required},
      {"name", member<&TypedLocalObjectReference::name>, required},
  });
  return rows;
}

FieldTable TypedObjectReference::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroup", member<&TypedObjectReference::api_group>},
      {"kind", member<&TypedObjectReference::kind>, required},
      {"name", member<&TypedObjectReference::name>, required},
      {"namespace", member<&TypedObjectReference::namespace_>},
  });
  return rows;
}

FieldTable VolumeResourceRequirements::fields() {
  static constexpr auto rows = field_rows({
      {"limits", member<&VolumeResourceRequirements::limits>},
      {"requests", member<&VolumeResourceRequirements::requests>},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeClaimSpec::AccessMode) {
  using enum PersistentVolumeClaimSpec::AccessMode;
  static constexpr auto rows = enum_rows({
      {read_only_many, "ReadOnlyMany"},
      {read_write_many, "ReadWriteMany"},
      {read_write_once, "ReadWriteOnce"},
      {read_write_once_pod, "ReadWriteOncePod"},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeClaimSpec::VolumeMode) {
  using enum PersistentVolumeClaimSpec::VolumeMode;
  static constexpr auto rows = enum_rows({
      {block, "Block"},
      {filesystem, "Filesystem"},
  });
  return rows;
}

FieldTable PersistentVolumeClaimSpec::fields() {
  static constexpr auto rows = field_rows({
      {"accessModes", member<&PersistentVolumeClaimSpec::access_modes>, atomic},
      {"dataSource", member<&PersistentVolumeClaimSpec::data_source>, atomic},
      {"dataSourceRef", member<&PersistentVolumeClaimSpec::data_source_ref>},
      {"resources", member<&PersistentVolumeClaimSpec::resources>},
      {"selector", member<&PersistentVolumeClaimSpec::selector>, atomic},
      {"storageClassName", member<&PersistentVolumeClaimSpec::storage_class_name>},
      {"volumeAttributesClassName", member<&PersistentVolumeClaimSpec::volume_attributes_class_name>},
      {"volumeMode", member<&PersistentVolumeClaimSpec::volume_mode>},
      {"volumeName", member<&PersistentVolumeClaimSpec::volume_name>},
  });
  return rows;
}

FieldTable PersistentVolumeClaimTemplate::fields() {
  static constexpr auto rows = field_rows({
      {"metadata", member<&PersistentVolumeClaimTemplate::metadata>},
      {"spec", member<&PersistentVolumeClaimTemplate::spec>, required},
  });
  return rows;
}

FieldTable EphemeralVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"volumeClaimTemplate", member<&EphemeralVolumeSource::volume_claim_template>},
  });
  return rows;
}

FieldTable EventSeries::fields() {
  static constexpr auto rows = field_rows({
      {"count", member<&EventSeries::count>},
      {"lastObservedTime", member<&EventSeries::last_observed_time>},
  });
  return rows;
}

FieldTable EventSource::fields() {
  static constexpr auto rows = field_rows({
      {"component", member<&EventSource::component>},
      {"host", member<&EventSource::host>},
  });
  return rows;
}

FieldTable Event::fields() {
  static constexpr auto rows = field_rows({
      {"action", member<&Event::action>},
      {"count", member<&Event::count>},
      {"eventTime", member<&Event::event_time>},
      {"firstTimestamp", member<&Event::first_timestamp>},
      {"involvedObject", member<&Event::involved_object>, required_atomic},
      {"lastTimestamp", member<&Event::last_timestamp>},
      {"message", member<&Event::message>},
      {"reason", member<&Event::reason>},
      {"related", member<&Event::related>, atomic},
      {"reportingComponent", member<&Event::reporting_component>},
      {"reportingInstance", member<&Event::reporting_instance>},
      {"series", member<&Event::series>},
      {"source", member<&Event::source>},
      {"type", member<&Event::type_>},
  });
  return rows;
}

FieldTable FCVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&FCVolumeSource::fs_type>},
      {"lun", member<&FCVolumeSource::lun>},
      {"readOnly", member<&FCVolumeSource::read_only>},
      {"targetWWNs", member<&FCVolumeSource::target_wwns>, atomic},
      {"wwids", member<&FCVolumeSource::wwids>, atomic},
  });
  return rows;
}

FieldTable FlexPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"driver", member<&FlexPersistentVolumeSource::driver>, required},
      {"fsType", member<&FlexPersistentVolumeSource::fs_type>},
      {"options", member<&FlexPersistentVolumeSource::options>},
      {"readOnly", member<&FlexPersistentVolumeSource::read_only>},
      {"secretRef", member<&FlexPersistentVolumeSource::secret_ref>, atomic},
  });
  return rows;
}

FieldTable FlexVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"driver", member<&FlexVolumeSource::driver>, required},
      {"fsType", member<&FlexVolumeSource::fs_type>},
      {"options", member<&FlexVolumeSource::options>},
      {"readOnly", member<&FlexVolumeSource::read_only>},
      {"secretRef", member<&FlexVolumeSource::secret_ref>, atomic},
  });
  return rows;
}

FieldTable FlockerVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"datasetName", member<&FlockerVolumeSource::dataset_name>},
      {"datasetUUID", member<&FlockerVolumeSource::dataset_uuid>},
  });
  return rows;
}

FieldTable GCEPersistentDiskVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&GCEPersistentDiskVolumeSource::fs_type>},
      {"partition", member<&GCEPersistentDiskVolumeSource::partition>},
      {"pdName", member<&GCEPersistentDiskVolumeSource::pd_name>, required},
      {"readOnly", member<&GCEPersistentDiskVolumeSource::read_only>},
  });
  return rows;
}

FieldTable GitRepoVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"directory", member<&GitRepoVolumeSource::directory>},
      {"repository", member<&GitRepoVolumeSource::repository>, required},
      {"revision", member<&GitRepoVolumeSource::revision>},
  });
  return rows;
}

FieldTable GlusterfsPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"endpoints", member<&GlusterfsPersistentVolumeSource::endpoints>, required},
      {"endpointsNamespace", member<&GlusterfsPersistentVolumeSource::endpoints_namespace>},
      {"path", member<&GlusterfsPersistentVolumeSource::path>, required},
      {"readOnly", member<&GlusterfsPersistentVolumeSource::read_only>},
  });
  return rows;
}

FieldTable GlusterfsVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"endpoints", member<&GlusterfsVolumeSource::endpoints>, required},
      {"path", member<&GlusterfsVolumeSource::path>, required},
      {"readOnly", member<&GlusterfsVolumeSource::read_only>},
  });
  return rows;
}

FieldTable HostAlias::fields() {
  static constexpr auto rows = field_rows({
      {"hostnames", member<&HostAlias::hostnames>, atomic},
      {"ip", member<&HostAlias::ip>, required},
  });
  return rows;
}

FieldTable HostIP::fields() {
  static constexpr auto rows = field_rows({
      {"ip", member<&HostIP::ip>, required},
  });
  return rows;
}

EnumTable enum_names(HostPathVolumeSource::Type) {
  using enum HostPathVolumeSource::Type;
  static constexpr auto rows = enum_rows({
      {block_device, "BlockDevice"},
      {char_device, "CharDevice"},
      {directory, "Directory"},
      {directory_or_create, "DirectoryOrCreate"},
      {file, "File"},
      {file_or_create, "FileOrCreate"},
      {socket, "Socket"},
  });
  return rows;
}

FieldTable HostPathVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"path", member<&HostPathVolumeSource::path>, required},
      {"type", member<&HostPathVolumeSource::type>},
  });
  return rows;
}

FieldTable ISCSIPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"chapAuthDiscovery", member<&ISCSIPersistentVolumeSource::chap_auth_discovery>},
      {"chapAuthSession", member<&ISCSIPersistentVolumeSource::chap_auth_session>},
      {"fsType", member<&ISCSIPersistentVolumeSource::fs_type>},
      {"initiatorName", member<&ISCSIPersistentVolumeSource::initiator_name>},
      {"iqn", member<&ISCSIPersistentVolumeSource::iqn>, required},
      {"iscsiInterface", member<&ISCSIPersistentVolumeSource::iscsi_interface>},
      {"lun", member<&ISCSIPersistentVolumeSource::lun>, required},
      {"portals", member<&ISCSIPersistentVolumeSource::portals>, atomic},
      {"readOnly", member<&ISCSIPersistentVolumeSource::read_only>},
      {"secretRef", member<&ISCSIPersistentVolumeSource::secret_ref>, atomic},
      {"targetPortal", member<&ISCSIPersistentVolumeSource::target_portal>, required},
  });
  return rows;
}

FieldTable ISCSIVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"chapAuthDiscovery", member<&ISCSIVolumeSource::chap_auth_discovery>},
      {"chapAuthSession", member<&ISCSIVolumeSource::chap_auth_session>},
      {"fsType", member<&ISCSIVolumeSource::fs_type>},
      {"initiatorName", member<&ISCSIVolumeSource::initiator_name>},
      {"iqn", member<&ISCSIVolumeSource::iqn>, required},
      {"iscsiInterface", member<&ISCSIVolumeSource::iscsi_interface>},
      {"lun", member<&ISCSIVolumeSource::lun>, required},
      {"portals", member<&ISCSIVolumeSource::portals>, atomic},
      {"readOnly", member<&ISCSIVolumeSource::read_only>},
      {"secretRef", member<&ISCSIVolumeSource::secret_ref>, atomic},
      {"targetPortal", member<&ISCSIVolumeSource::target_portal>, required},
  });
  return rows;
}

EnumTable enum_names(ImageVolumeSource::PullPolicy) {
  using enum ImageVolumeSource::PullPolicy;
  static constexpr auto rows = enum_rows({
      {always, "Always"},
      {if_not_present, "IfNotPresent"},
      {never, "Never"},
  });
  return rows;
}

FieldTable ImageVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"pullPolicy", member<&ImageVolumeSource::pull_policy>},
      {"reference", member<&ImageVolumeSource::reference>},
  });
  return rows;
}

FieldTable LimitRangeItem::fields() {
  static constexpr auto rows = field_rows({
      {"default", member<&LimitRangeItem::default_>},
      {"defaultRequest", member<&LimitRangeItem::default_request>},
      {"max", member<&LimitRangeItem::max>},
      {"maxLimitRequestRatio", member<&LimitRangeItem::max_limit_request_ratio>},
      {"min", member<&LimitRangeItem::min>},
      {"type", member<&LimitRangeItem::type>, required},
  });
  return rows;
}

FieldTable LimitRangeSpec::fields() {
  static constexpr auto rows = field_rows({
      {"limits", member<&LimitRangeSpec::limits>, required_atomic},
  });
  return rows;
}

EnumTable enum_names(PortStatus::Protocol) {
  using enum PortStatus::Protocol;
  static constexpr auto rows = enum_rows({
      {sctp, "SCTP"},
      {tcp, "TCP"},
      {udp, "UDP"},
  });
  return rows;
}

FieldTable PortStatus::fields() {
  static constexpr auto rows = field_rows({
      {"error", member<&PortStatus::error>},
      {"port", member<&PortStatus::port>, required},
      {"protocol", member<&PortStatus::protocol>, required},
  });
  return rows;
}

FieldTable LoadBalancerIngress::fields() {
  static constexpr auto rows = field_rows({
      {"hostname", member<&LoadBalancerIngress::hostname>},
      {"ip", member<&LoadBalancerIngress::ip>},
      {"ipMode", member<&LoadBalancerIngress::ip_mode>},
      {"ports", member<&LoadBalancerIngress::ports>, atomic},
  });
  return rows;
}

FieldTable LoadBalancerStatus::fields() {
  static constexpr auto rows = field_rows({
      {"ingress", member<&LoadBalancerStatus::ingress>, atomic},
  });
  return rows;
}

FieldTable LocalObjectReference::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&LocalObjectReference::name>},
  });
  return rows;
}

FieldTable LocalVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&LocalVolumeSource::fs_type>},
      {"path", member<&LocalVolumeSource::path>, required},
  });
  return rows;
}

EnumTable enum_names(ModifyVolumeStatus::Status) {
  using enum ModifyVolumeStatus::Status;
  static constexpr auto rows = enum_rows({
      {in_progress, "InProgress"},
      {infeasible, "Infeasible"},
      {pending, "Pending"},
  });
  return rows;
}

FieldTable ModifyVolumeStatus::fields() {
  static constexpr auto rows = field_rows({
      {"status", member<&ModifyVolumeStatus::status>, required},
      {"targetVolumeAttributesClassName", member<&ModifyVolumeStatus::target_volume_attributes_class_name>},
  });
  return rows;
}

FieldTable NFSVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"path", member<&NFSVolumeSource::path>, required},
      {"readOnly", member<&NFSVolumeSource::read_only>},
      {"server", member<&NFSVolumeSource::server>, required},
  });
  return rows;
}

FieldTable NamespaceSpec::fields() {
  static constexpr auto rows = field_rows({
      {"finalizers", member<&NamespaceSpec::finalizers>, atomic},
  });
  return rows;
}

FieldTable NamespaceCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&NamespaceCondition::last_transition_time>},
      {"message", member<&NamespaceCondition::message>},
      {"reason", member<&NamespaceCondition::reason>},
      {"status", member<&NamespaceCondition::status>, required},
      {"type", member<&NamespaceCondition::type>, required},
  });
  return rows;
}

EnumTable enum_names(NamespaceStatus::Phase) {
  using enum NamespaceStatus::Phase;
  static constexpr auto rows = enum_rows({
      {active, "Active"},
      {terminating, "Terminating"},
  });
  return rows;
}

FieldTable NamespaceStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&NamespaceStatus::conditions>, by_type},
      {"phase", member<&NamespaceStatus::phase>},
  });
  return rows;
}

FieldTable NodeConfigSource::fields() {
  static constexpr auto rows = field_rows({
      {"configMap", member<&NodeConfigSource::config_map>},
  });
  return rows;
}

EnumTable enum_names(Taint::Effect) {
  using enum Taint::Effect;
  static constexpr auto rows = enum_rows({
      {no_execute, "NoExecute"},
      {no_schedule, "NoSchedule"},
      {prefer_no_schedule, "PreferNoSchedule"},
  });
  return rows;
}

FieldTable Taint::fields() {
  static constexpr auto rows = field_rows({
      {"effect", member<&Taint::effect>, required},
      {"key", member<&Taint::key>, required},
      {"timeAdded", member<&Taint::time_added>},
      {"value", member<&Taint::value>},
  });
  return rows;
}

FieldTable NodeSpec::fields() {
  static constexpr auto rows = field_rows({
      {"configSource", member<&NodeSpec::config_source>},
      {"externalID", member<&NodeSpec::external_id>},
      {"podCIDR", member<&NodeSpec::pod_cidr>},
      {"podCIDRs", member<&NodeSpec::pod_cidrs>, set},
      {"providerID", member<&NodeSpec::provider_id>},
      {"taints", member<&NodeSpec::taints>, atomic},
      {"unschedulable", member<&NodeSpec::unschedulable>},
  });
  return rows;
}

FieldTable NodeAddress::fields() {
  static constexpr auto rows = field_rows({
      {"address", member<&NodeAddress::address>, required},
      {"type", member<&NodeAddress::type>, required},
  });
  return rows;
}

FieldTable NodeCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastHeartbeatTime", member<&NodeCondition::last_heartbeat_time>},
      {"lastTransitionTime", member<&NodeCondition::last_transition_time>},
      {"message", member<&NodeCondition::message>},
      {"reason", member<&NodeCondition::reason>},
      {"status", member<&NodeCondition::status>, required},
      {"type", member<&NodeCondition::type>, required},
  });
  return rows;
}

FieldTable NodeConfigStatus::fields() {
  static constexpr auto rows = field_rows({
      {"active", member<&NodeConfigStatus::active>},
      {"assigned", member<&NodeConfigStatus::assigned>},
      {"error", member<&NodeConfigStatus::error>},
      {"lastKnownGood", member<&NodeConfigStatus::last_known_good>},
  });
  return rows;
}

FieldTable NodeDaemonEndpoints::fields() {
  static constexpr auto rows = field_rows({
      {"kubeletEndpoint", member<&NodeDaemonEndpoints::kubelet_endpoint>},
  });
  return rows;
}

FieldTable NodeFeatures::fields() {
  static constexpr auto rows = field_rows({
      {"supplementalGroupsPolicy", member<&NodeFeatures::supplemental_groups_policy>},
  });
  return rows;
}

FieldTable NodeRuntimeHandlerFeatures::fields() {
  static constexpr auto rows = field_rows({
      {"recursiveReadOnlyMounts", member<&NodeRuntimeHandlerFeatures::recursive_read_only_mounts>},
      {"userNamespaces", member<&NodeRuntimeHandlerFeatures::user_namespaces>},
  });
  return rows;
}

FieldTable NodeRuntimeHandler::fields() {
  static constexpr auto rows = field_rows({
      {"features", member<&NodeRuntimeHandler::features>},
      {"name", member<&NodeRuntimeHandler::name>},
  });
  return rows;
}

FieldTable NodeSwapStatus::fields() {
  static constexpr auto rows = field_rows({
      {"capacity", member<&NodeSwapStatus::capacity>},
  });
  return rows;
}

FieldTable NodeSystemInfo::fields() {
  static constexpr auto rows = field_rows({
      {"architecture", member<&NodeSystemInfo::architecture>, required},
      {"bootID", member<&NodeSystemInfo::boot_id>, required},
      {"containerRuntimeVersion", member<&NodeSystemInfo::container_runtime_version>, required},
      {"kernelVersion", member<&NodeSystemInfo::kernel_version>, required},
      {"kubeProxyVersion", member<&NodeSystemInfo::kube_proxy_version>, required},
      {"kubeletVersion", member<&NodeSystemInfo::kubelet_version>, required},
      {"machineID", member<&NodeSystemInfo::machine_id>, required},
      {"operatingSystem", member<&NodeSystemInfo::operating_system>, required},
      {"osImage", member<&NodeSystemInfo::os_image>, required},
      {"swap", member<&NodeSystemInfo::swap>},
      {"systemUUID", member<&NodeSystemInfo::system_uuid>, required},
  });
  return rows;
}

EnumTable enum_names(NodeStatus::Phase) {
  using enum NodeStatus::Phase;
  static constexpr auto rows = enum_rows({
      {pending, "Pending"},
      {running, "Running"},
      {terminated, "Terminated"},
  });
  return rows;
}

FieldTable NodeStatus::fields() {
  static constexpr auto rows = field_rows({
      {"addresses", member<&NodeStatus::addresses>, by_type},
      {"allocatable", member<&NodeStatus::allocatable>},
      {"capacity", member<&NodeStatus::capacity>},
      {"conditions", member<&NodeStatus::conditions>, by_type},
      {"config", member<&NodeStatus::config>},
      {"daemonEndpoints", member<&NodeStatus::daemon_endpoints>},
      {"declaredFeatures", member<&NodeStatus::declared_features>, atomic},
      {"features", member<&NodeStatus::features>},
      {"images", member<&NodeStatus::images>, atomic},
      {"nodeInfo", member<&NodeStatus::node_info>},
      {"phase", member<&NodeStatus::phase>},
      {"runtimeHandlers", member<&NodeStatus::runtime_handlers>, atomic},
      {"volumesAttached", member<&NodeStatus::volumes_attached>, atomic},
      {"volumesInUse", member<&NodeStatus::volumes_in_use>, atomic},
  });
  return rows;
}

FieldTable NodeAllocatableResourceClaimStatus::fields() {
  static constexpr auto rows = field_rows({
      {"containers", member<&NodeAllocatableResourceClaimStatus::containers>, set},
      {"resourceClaimName", member<&NodeAllocatableResourceClaimStatus::resource_claim_name>, required},
      {"resources", member<&NodeAllocatableResourceClaimStatus::resources>, required},
  });
  return rows;
}

FieldTable ObjectReference::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&ObjectReference::api_version>},
      {"fieldPath", member<&ObjectReference::field_path>},
      {"kind", member<&ObjectReference::kind>},
      {"name", member<&ObjectReference::name>},
      {"namespace", member<&ObjectReference::namespace_>},
      {"resourceVersion", member<&ObjectReference::resource_version>},
      {"uid", member<&ObjectReference::uid>},
  });
  return rows;
}

FieldTable PhotonPersistentDiskVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&PhotonPersistentDiskVolumeSource::fs_type>},
      {"pdID", member<&PhotonPersistentDiskVolumeSource::pd_id>, required},
  });
  return rows;
}

FieldTable PortworxVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&PortworxVolumeSource::fs_type>},
      {"readOnly", member<&PortworxVolumeSource::read_only>},
      {"volumeID", member<&PortworxVolumeSource::volume_id>, required},
  });
  return rows;
}

FieldTable QuobyteVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"group", member<&QuobyteVolumeSource::group>},
      {"readOnly", member<&QuobyteVolumeSource::read_only>},
      {"registry", member<&QuobyteVolumeSource::registry>, required},
      {"tenant", member<&QuobyteVolumeSource::tenant>},
      {"user", member<&QuobyteVolumeSource::user>},
      {"volume", member<&QuobyteVolumeSource::volume>, required},
  });
  return rows;
}

FieldTable RBDPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&RBDPersistentVolumeSource::fs_type>},
      {"image", member<&RBDPersistentVolumeSource::image>, required},
      {"keyring", member<&RBDPersistentVolumeSource::keyring>},
      {"monitors", member<&RBDPersistentVolumeSource::monitors>, required_atomic},
      {"pool", member<&RBDPersistentVolumeSource::pool>},
      {"readOnly", member<&RBDPersistentVolumeSource::read_only>},
      {"secretRef", member<&RBDPersistentVolumeSource::secret_ref>, atomic},
      {"user", member<&RBDPersistentVolumeSource::user>},
  });
  return rows;
}

FieldTable ScaleIOPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&ScaleIOPersistentVolumeSource::fs_type>},
      {"gateway", member<&ScaleIOPersistentVolumeSource::gateway>, required},
      {"protectionDomain", member<&ScaleIOPersistentVolumeSource::protection_domain>},
      {"readOnly", member<&ScaleIOPersistentVolumeSource::read_only>},
      {"secretRef", member<&ScaleIOPersistentVolumeSource::secret_ref>, required_atomic},
      {"sslEnabled", member<&ScaleIOPersistentVolumeSource::ssl_enabled>},
      {"storageMode", member<&ScaleIOPersistentVolumeSource::storage_mode>},
      {"storagePool", member<&ScaleIOPersistentVolumeSource::storage_pool>},
      {"system", member<&ScaleIOPersistentVolumeSource::system>, required},
      {"volumeName", member<&ScaleIOPersistentVolumeSource::volume_name>},
  });
  return rows;
}

FieldTable StorageOSPersistentVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&StorageOSPersistentVolumeSource::fs_type>},
      {"readOnly", member<&StorageOSPersistentVolumeSource::read_only>},
      {"secretRef", member<&StorageOSPersistentVolumeSource::secret_ref>, atomic},
      {"volumeName", member<&StorageOSPersistentVolumeSource::volume_name>},
      {"volumeNamespace", member<&StorageOSPersistentVolumeSource::volume_namespace>},
  });
  return rows;
}

FieldTable VolumeNodeAffinity::fields() {
  static constexpr auto rows = field_rows({
      {"required", member<&VolumeNodeAffinity::required>, atomic},
  });
  return rows;
}

FieldTable VsphereVirtualDiskVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&VsphereVirtualDiskVolumeSource::fs_type>},
      {"storagePolicyID", member<&VsphereVirtualDiskVolumeSource::storage_policy_id>},
      {"storagePolicyName", member<&VsphereVirtualDiskVolumeSource::storage_policy_name>},
      {"volumePath", member<&VsphereVirtualDiskVolumeSource::volume_path>, required},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeSpec::AccessMode) {
  using enum PersistentVolumeSpec::AccessMode;
  static constexpr auto rows = enum_rows({
      {read_only_many, "ReadOnlyMany"},
      {read_write_many, "ReadWriteMany"},
      {read_write_once, "ReadWriteOnce"},
      {read_write_once_pod, "ReadWriteOncePod"},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeSpec::PersistentVolumeReclaimPolicy) {
  using enum PersistentVolumeSpec::PersistentVolumeReclaimPolicy;
  static constexpr auto rows = enum_rows({
      {delete_, "Delete"},
      {recycle, "Recycle"},
      {retain, "Retain"},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeSpec::VolumeMode) {
  using enum PersistentVolumeSpec::VolumeMode;
  static constexpr auto rows = enum_rows({
      {block, "Block"},
      {filesystem, "Filesystem"},
  });
  return rows;
}

FieldTable PersistentVolumeSpec::fields() {
  static constexpr auto rows = field_rows({
      {"accessModes", member<&PersistentVolumeSpec::access_modes>, atomic},
      {"awsElasticBlockStore", member<&PersistentVolumeSpec::aws_elastic_block_store>},
      {"azureDisk", member<&PersistentVolumeSpec::azure_disk>},
      {"azureFile", member<&PersistentVolumeSpec::azure_file>},
      {"capacity", member<&PersistentVolumeSpec::capacity>},
      {"cephfs", member<&PersistentVolumeSpec::cephfs>},
      {"cinder", member<&PersistentVolumeSpec::cinder>},
      {"claimRef", member<&PersistentVolumeSpec::claim_ref>, atomic},
      {"csi", member<&PersistentVolumeSpec::csi>},
      {"fc", member<&PersistentVolumeSpec::fc>},
      {"flexVolume", member<&PersistentVolumeSpec::flex_volume>},
      {"flocker", member<&PersistentVolumeSpec::flocker>},
      {"gcePersistentDisk", member<&PersistentVolumeSpec::gce_persistent_disk>},
      {"glusterfs", member<&PersistentVolumeSpec::glusterfs>},
      {"hostPath", member<&PersistentVolumeSpec::host_path>},
      {"iscsi", member<&PersistentVolumeSpec::iscsi>},
      {"local", member<&PersistentVolumeSpec::local>},
      {"mountOptions", member<&PersistentVolumeSpec::mount_options>, atomic},
      {"nfs", member<&PersistentVolumeSpec::nfs>},
      {"nodeAffinity", member<&PersistentVolumeSpec::node_affinity>},
      {"persistentVolumeReclaimPolicy", member<&PersistentVolumeSpec::persistent_volume_reclaim_policy>},
      {"photonPersistentDisk", member<&PersistentVolumeSpec::photon_persistent_disk>},
      {"portworxVolume", member<&PersistentVolumeSpec::portworx_volume>},
      {"quobyte", member<&PersistentVolumeSpec::quobyte>},
      {"rbd", member<&PersistentVolumeSpec::rbd>},
      {"scaleIO", member<&PersistentVolumeSpec::scale_io>},
      {"storageClassName", member<&PersistentVolumeSpec::storage_class_name>},
      {"storageos", member<&PersistentVolumeSpec::storageos>},
      {"volumeAttributesClassName", member<&PersistentVolumeSpec::volume_attributes_class_name>},
      {"volumeMode", member<&PersistentVolumeSpec::volume_mode>},
      {"vsphereVolume", member<&PersistentVolumeSpec::vsphere_volume>},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeStatus::Phase) {
  using enum PersistentVolumeStatus::Phase;
  static constexpr auto rows = enum_rows({
      {available, "Available"},
      {bound, "Bound"},
      {failed, "Failed"},
      {pending, "Pending"},
      {released, "Released"},
  });
  return rows;
}

FieldTable PersistentVolumeStatus::fields() {
  static constexpr auto rows = field_rows({
      {"lastPhaseTransitionTime", member<&PersistentVolumeStatus::last_phase_transition_time>},
      {"message", member<&PersistentVolumeStatus::message>},
      {"phase", member<&PersistentVolumeStatus::phase>},
      {"reason", member<&PersistentVolumeStatus::reason>},
  });
  return rows;
}

FieldTable PersistentVolumeClaimCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastProbeTime", member<&PersistentVolumeClaimCondition::last_probe_time>},
      {"lastTransitionTime", member<&PersistentVolumeClaimCondition::last_transition_time>},
      {"message", member<&PersistentVolumeClaimCondition::message>},
      {"reason", member<&PersistentVolumeClaimCondition::reason>},
      {"status", member<&PersistentVolumeClaimCondition::status>, required},
      {"type", member<&PersistentVolumeClaimCondition::type>, required},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeClaimStatus::AccessMode) {
  using enum PersistentVolumeClaimStatus::AccessMode;
  static constexpr auto rows = enum_rows({
      {read_only_many, "ReadOnlyMany"},
      {read_write_many, "ReadWriteMany"},
      {read_write_once, "ReadWriteOnce"},
      {read_write_once_pod, "ReadWriteOncePod"},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeClaimStatus::AllocatedResourceStatuses) {
  using enum PersistentVolumeClaimStatus::AllocatedResourceStatuses;
  static constexpr auto rows = enum_rows({
      {controller_resize_in_progress, "ControllerResizeInProgress"},
      {controller_resize_infeasible, "ControllerResizeInfeasible"},
      {node_resize_in_progress, "NodeResizeInProgress"},
      {node_resize_infeasible, "NodeResizeInfeasible"},
      {node_resize_pending, "NodeResizePending"},
  });
  return rows;
}

EnumTable enum_names(PersistentVolumeClaimStatus::Phase) {
  using enum PersistentVolumeClaimStatus::Phase;
  static constexpr auto rows = enum_rows({
      {bound, "Bound"},
      {lost, "Lost"},
      {pending, "Pending"},
  });
  return rows;
}

FieldTable PersistentVolumeClaimStatus::fields() {
  static constexpr auto rows = field_rows({
      {"accessModes", member<&PersistentVolumeClaimStatus::access_modes>, atomic},
      {"allocatedResourceStatuses", member<&PersistentVolumeClaimStatus::allocated_resource_statuses>},
      {"allocatedResources", member<&PersistentVolumeClaimStatus::allocated_resources>},
      {"capacity", member<&PersistentVolumeClaimStatus::capacity>},
      {"conditions", member<&PersistentVolumeClaimStatus::conditions>, by_type},
      {"currentVolumeAttributesClassName", member<&PersistentVolumeClaimStatus::current_volume_attributes_class_name>},
      {"modifyVolumeStatus", member<&PersistentVolumeClaimStatus::modify_volume_status>},
      {"phase", member<&PersistentVolumeClaimStatus::phase>},
  });
  return rows;
}

FieldTable PersistentVolumeClaimVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"claimName", member<&PersistentVolumeClaimVolumeSource::claim_name>, required},
      {"readOnly", member<&PersistentVolumeClaimVolumeSource::read_only>},
  });
  return rows;
}

FieldTable PodDNSConfigOption::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&PodDNSConfigOption::name>},
      {"value", member<&PodDNSConfigOption::value>},
  });
  return rows;
}

FieldTable PodDNSConfig::fields() {
  static constexpr auto rows = field_rows({
      {"nameservers", member<&PodDNSConfig::nameservers>, atomic},
      {"options", member<&PodDNSConfig::options>, atomic},
      {"searches", member<&PodDNSConfig::searches>, atomic},
  });
  return rows;
}

FieldTable PodOS::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&PodOS::name>, required},
  });
  return rows;
}

FieldTable PodReadinessGate::fields() {
  static constexpr auto rows = field_rows({
      {"conditionType", member<&PodReadinessGate::condition_type>, required},
  });
  return rows;
}

FieldTable PodResourceClaim::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&PodResourceClaim::name>, required},
      {"resourceClaimName", member<&PodResourceClaim::resource_claim_name>},
      {"resourceClaimTemplateName", member<&PodResourceClaim::resource_claim_template_name>},
  });
  return rows;
}

FieldTable PodSchedulingGate::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&PodSchedulingGate::name>, required},
  });
  return rows;
}

FieldTable PodSchedulingGroup::fields() {
  static constexpr auto rows = field_rows({
      {"podGroupName", member<&PodSchedulingGroup::pod_group_name>},
  });
  return rows;
}

FieldTable Sysctl::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&Sysctl::name>, required},
      {"value", member<&Sysctl::value>, required},
  });
  return rows;
}

EnumTable enum_names(PodSecurityContext::FsGroupChangePolicy) {
  using enum PodSecurityContext::FsGroupChangePolicy;
  static constexpr auto rows = enum_rows({
      {always, "Always"},
      {on_root_mismatch, "OnRootMismatch"},
  });
  return rows;
}

EnumTable enum_names(PodSecurityContext::SupplementalGroupsPolicy) {
  using enum PodSecurityContext::SupplementalGroupsPolicy;
  static constexpr auto rows = enum_rows({
      {merge, "Merge"},
      {strict, "Strict"},
  });
  return rows;
}

FieldTable PodSecurityContext::fields() {
  static constexpr auto rows = field_rows({
      {"appArmorProfile", member<&PodSecurityContext::app_armor_profile>},
      {"fsGroup", member<&PodSecurityContext::fs_group>},
      {"fsGroupChangePolicy", member<&PodSecurityContext::fs_group_change_policy>},
      {"runAsGroup", member<&PodSecurityContext::run_as_group>},
      {"runAsNonRoot", member<&PodSecurityContext::run_as_non_root>},
      {"runAsUser", member<&PodSecurityContext::run_as_user>},
      {"seLinuxChangePolicy", member<&PodSecurityContext::se_linux_change_policy>},
      {"seLinuxOptions", member<&PodSecurityContext::se_linux_options>},
      {"seccompProfile", member<&PodSecurityContext::seccomp_profile>},
      {"supplementalGroups", member<&PodSecurityContext::supplemental_groups>, atomic},
      {"supplementalGroupsPolicy", member<&PodSecurityContext::supplemental_groups_policy>},
      {"sysctls", member<&PodSecurityContext::sysctls>, atomic},
      {"windowsOptions", member<&PodSecurityContext::windows_options>},
  });
  return rows;
}

EnumTable enum_names(Toleration::Effect) {
  using enum Toleration::Effect;
  static constexpr auto rows = enum_rows({
      {no_execute, "NoExecute"},
      {no_schedule, "NoSchedule"},
      {prefer_no_schedule, "PreferNoSchedule"},
  });
  return rows;
}

EnumTable enum_names(Toleration::Operator) {
  using enum Toleration::Operator;
  static constexpr auto rows = enum_rows({
      {equal, "Equal"},
      {exists, "Exists"},
      {gt, "Gt"},
      {lt, "Lt"},
  });
  return rows;
}

FieldTable Toleration::fields() {
  static constexpr auto rows = field_rows({
      {"effect", member<&Toleration::effect>},
      {"key", member<&Toleration::key>},
      {"operator", member<&Toleration::operator_>},
      {"tolerationSeconds", member<&Toleration::toleration_seconds>},
      {"value", member<&Toleration::value>},
  });
  return rows;
}

EnumTable enum_names(TopologySpreadConstraint::NodeAffinityPolicy) {
  using enum TopologySpreadConstraint::NodeAffinityPolicy;
  static constexpr auto rows = enum_rows({
      {honor, "Honor"},
      {ignore, "Ignore"},
  });
  return rows;
}

EnumTable enum_names(TopologySpreadConstraint::NodeTaintsPolicy) {
  using enum TopologySpreadConstraint::NodeTaintsPolicy;
  static constexpr auto rows = enum_rows({
      {honor, "Honor"},
      {ignore, "Ignore"},
  });
  return rows;
}

EnumTable enum_names(TopologySpreadConstraint::WhenUnsatisfiable) {
  using enum TopologySpreadConstraint::WhenUnsatisfiable;
  static constexpr auto rows = enum_rows({
      {do_not_schedule, "DoNotSchedule"},
      {schedule_anyway, "ScheduleAnyway"},
  });
  return rows;
}

FieldTable TopologySpreadConstraint::fields() {
  static constexpr auto rows = field_rows({
      {"labelSelector", member<&TopologySpreadConstraint::label_selector>, atomic},
      {"matchLabelKeys", member<&TopologySpreadConstraint::match_label_keys>, atomic},
      {"maxSkew", member<&TopologySpreadConstraint::max_skew>, required},
      {"minDomains", member<&TopologySpreadConstraint::min_domains>},
      {"nodeAffinityPolicy", member<&TopologySpreadConstraint::node_affinity_policy>},
      {"nodeTaintsPolicy", member<&TopologySpreadConstraint::node_taints_policy>},
      {"topologyKey", member<&TopologySpreadConstraint::topology_key>, required},
      {"whenUnsatisfiable", member<&TopologySpreadConstraint::when_unsatisfiable>, required},
  });
  return rows;
}

FieldTable PodCertificateProjection::fields() {
  static constexpr auto rows = field_rows({
      {"certificateChainPath", member<&PodCertificateProjection::certificate_chain_path>},
      {"credentialBundlePath", member<&PodCertificateProjection::credential_bundle_path>},
      {"keyPath", member<&PodCertificateProjection::key_path>},
      {"keyType", member<&PodCertificateProjection::key_type>, required},
      {"maxExpirationSeconds", member<&PodCertificateProjection::max_expiration_seconds>},
      {"signerName", member<&PodCertificateProjection::signer_name>, required},
      {"userAnnotations", member<&PodCertificateProjection::user_annotations>},
  });
  return rows;
}

FieldTable SecretProjection::fields() {
  static constexpr auto rows = field_rows({
      {"items", member<&SecretProjection::items>, atomic},
      {"name", member<&SecretProjection::name>},
      {"optional", member<&SecretProjection::optional>},
  });
  return rows;
}

FieldTable ServiceAccountTokenProjection::fields() {
  static constexpr auto rows = field_rows({
      {"audience", member<&ServiceAccountTokenProjection::audience>},
      {"expirationSeconds", member<&ServiceAccountTokenProjection::expiration_seconds>},
      {"path", member<&ServiceAccountTokenProjection::path>, required},
  });
  return rows;
}

FieldTable VolumeProjection::fields() {
  static constexpr auto rows = field_rows({
      {"clusterTrustBundle", member<&VolumeProjection::cluster_trust_bundle>},
      {"configMap", member<&VolumeProjection::config_map>},
      {"downwardAPI", member<&VolumeProjection::downward_api>},
      {"podCertificate", member<&VolumeProjection::pod_certificate>},
      {"secret", member<&VolumeProjection::secret>},
      {"serviceAccountToken", member<&VolumeProjection::service_account_token>},
  });
  return rows;
}

FieldTable ProjectedVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"defaultMode", member<&ProjectedVolumeSource::default_mode>},
      {"sources", member<&ProjectedVolumeSource::sources>, atomic},
  });
  return rows;
}

FieldTable RBDVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&RBDVolumeSource::fs_type>},
      {"image", member<&RBDVolumeSource::image>, required},
      {"keyring", member<&RBDVolumeSource::keyring>},
      {"monitors", member<&RBDVolumeSource::monitors>, required_atomic},
      {"pool", member<&RBDVolumeSource::pool>},
      {"readOnly", member<&RBDVolumeSource::read_only>},
      {"secretRef", member<&RBDVolumeSource::secret_ref>, atomic},
      {"user", member<&RBDVolumeSource::user>},
  });
  return rows;
}

FieldTable ScaleIOVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&ScaleIOVolumeSource::fs_type>},
      {"gateway", member<&ScaleIOVolumeSource::gateway>, required},
      {"protectionDomain", member<&ScaleIOVolumeSource::protection_domain>},
      {"readOnly", member<&ScaleIOVolumeSource::read_only>},
      {"secretRef", member<&ScaleIOVolumeSource::secret_ref>, required_atomic},
      {"sslEnabled", member<&ScaleIOVolumeSource::ssl_enabled>},
      {"storageMode", member<&ScaleIOVolumeSource::storage_mode>},
      {"storagePool", member<&ScaleIOVolumeSource::storage_pool>},
      {"system", member<&ScaleIOVolumeSource::system>, required},
      {"volumeName", member<&ScaleIOVolumeSource::volume_name>},
  });
  return rows;
}

FieldTable SecretVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"defaultMode", member<&SecretVolumeSource::default_mode>},
      {"items", member<&SecretVolumeSource::items>, atomic},
      {"optional", member<&SecretVolumeSource::optional>},
      {"secretName", member<&SecretVolumeSource::secret_name>},
  });
  return rows;
}

FieldTable StorageOSVolumeSource::fields() {
  static constexpr auto rows = field_rows({
      {"fsType", member<&StorageOSVolumeSource::fs_type>},
      {"readOnly", member<&StorageOSVolumeSource::read_only>},
      {"secretRef", member<&StorageOSVolumeSource::secret_ref>, atomic},
      {"volumeName", member<&StorageOSVolumeSource::volume_name>},
      {"volumeNamespace", member<&StorageOSVolumeSource::volume_namespace>},
  });
  return rows;
}

FieldTable Volume::fields() {
  static constexpr auto rows = field_rows({
      {"awsElasticBlockStore", member<&Volume::aws_elastic_block_store>},
      {"azureDisk", member<&Volume::azure_disk>},
      {"azureFile", member<&Volume::azure_file>},
      {"cephfs", member<&Volume::cephfs>},
      {"cinder", member<&Volume::cinder>},
      {"configMap", member<&Volume::config_map>},
      {"csi", member<&Volume::csi>},
      {"downwardAPI", member<&Volume::downward_api>},
      {"emptyDir", member<&Volume::empty_dir>},
      {"ephemeral", member<&Volume::ephemeral>},
      {"fc", member<&Volume::fc>},
      {"flexVolume", member<&Volume::flex_volume>},
      {"flocker", member<&Volume::flocker>},
      {"gcePersistentDisk", member<&Volume::gce_persistent_disk>},
      {"gitRepo", member<&Volume::git_repo>},
      {"glusterfs", member<&Volume::glusterfs>},
      {"hostPath", member<&Volume::host_path>},
      {"image", member<&Volume::image>},
      {"iscsi", member<&Volume::iscsi>},
      {"name", member<&Volume::name>, required},
      {"nfs", member<&Volume::nfs>},
      {"persistentVolumeClaim", member<&Volume::persistent_volume_claim>},
      {"photonPersistentDisk", member<&Volume::photon_persistent_disk>},
      {"portworxVolume", member<&Volume::portworx_volume>},
      {"projected", member<&Volume::projected>},
      {"quobyte", member<&Volume::quobyte>},
      {"rbd", member<&Volume::rbd>},
      {"scaleIO", member<&Volume::scale_io>},
      {"secret", member<&Volume::secret>},
      {"storageos", member<&Volume::storageos>},
      {"vsphereVolume", member<&Volume::vsphere_volume>},
  });
  return rows;
}

EnumTable enum_names(PodSpec::DnsPolicy) {
  using enum PodSpec::DnsPolicy;
  static constexpr auto rows = enum_rows({
      {cluster_first, "ClusterFirst"},
      {cluster_first_with_host_net, "ClusterFirstWithHostNet"},
      {default_, "Default"},
      {none, "None"},
  });
  return rows;
}

EnumTable enum_names(PodSpec::PreemptionPolicy) {
  using enum PodSpec::PreemptionPolicy;
  static constexpr auto rows = enum_rows({
      {never, "Never"},
      {preempt_lower_priority, "PreemptLowerPriority"},
  });
  return rows;
}

EnumTable enum_names(PodSpec::RestartPolicy) {
  using enum PodSpec::RestartPolicy;
  static constexpr auto rows = enum_rows({
      {always, "Always"},
      {never, "Never"},
      {on_failure, "OnFailure"},
  });
  return rows;
}

FieldTable PodSpec::fields() {
  static constexpr auto rows = field_rows({
      {"activeDeadlineSeconds", member<&PodSpec::active_deadline_seconds>},
      {"affinity", member<&PodSpec::affinity>},
      {"automountServiceAccountToken", member<&PodSpec::automount_service_account_token>},
      {"containers", member<&PodSpec::containers>, required_by_name},
      {"dnsConfig", member<&PodSpec::dns_config>},
      {"dnsPolicy", member<&PodSpec::dns_policy>},
      {"enableServiceLinks", member<&PodSpec::enable_service_links>},
      {"ephemeralContainers", member<&PodSpec::ephemeral_containers>, by_name},
      {"hostAliases", member<&PodSpec::host_aliases>, by_ip},
      {"hostIPC", member<&PodSpec::host_ipc>},
      {"hostNetwork", member<&PodSpec::host_network>},
      {"hostPID", member<&PodSpec::host_pid>},
      {"hostUsers", member<&PodSpec::host_users>},
      {"hostname", member<&PodSpec::hostname>},
      {"hostnameOverride", member<&PodSpec::hostname_override>},
      {"imagePullSecrets", member<&PodSpec::image_pull_secrets>, by_name},
      {"initContainers", member<&PodSpec::init_containers>, by_name},
      {"nodeName", member<&PodSpec::node_name>},
      {"nodeSelector", member<&PodSpec::node_selector>, atomic},
      {"os", member<&PodSpec::os>},
      {"overhead", member<&PodSpec::overhead>},
      {"preemptionPolicy", member<&PodSpec::preemption_policy>},
      {"priority", member<&PodSpec::priority>},
      {"priorityClassName", member<&PodSpec::priority_class_name>},
      {"readinessGates", member<&PodSpec::readiness_gates>, atomic},
      {"resourceClaims", member<&PodSpec::resource_claims>, by_name},
      {"resources", member<&PodSpec::resources>},
      {"restartPolicy", member<&PodSpec::restart_policy>},
      {"runtimeClassName", member<&PodSpec::runtime_class_name>},
      {"schedulerName", member<&PodSpec::scheduler_name>},
      {"schedulingGates", member<&PodSpec::scheduling_gates>, by_name},
      {"schedulingGroup", member<&PodSpec::scheduling_group>},
      {"securityContext", member<&PodSpec::security_context>},
      {"serviceAccount", member<&PodSpec::service_account>},
      {"serviceAccountName", member<&PodSpec::service_account_name>},
      {"setHostnameAsFQDN", member<&PodSpec::set_hostname_as_fqdn>},
      {"shareProcessNamespace", member<&PodSpec::share_process_namespace>},
      {"subdomain", member<&PodSpec::subdomain>},
      {"terminationGracePeriodSeconds", member<&PodSpec::termination_grace_period_seconds>},
      {"tolerations", member<&PodSpec::tolerations>, atomic},
      {"topologySpreadConstraints", member<&PodSpec::topology_spread_constraints>,
       by_topology_key_and_when_unsatisfiable},
      {"volumes", member<&PodSpec::volumes>, by_name},
  });
  return rows;
}

FieldTable PodCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastProbeTime", member<&PodCondition::last_probe_time>},
      {"lastTransitionTime", member<&PodCondition::last_transition_time>},
      {"message", member<&PodCondition::message>},
      {"observedGeneration", member<&PodCondition::observed_generation>},
      {"reason", member<&PodCondition::reason>},
      {"status", member<&PodCondition::status>, required},
      {"type", member<&PodCondition::type>, required},
  });
  return rows;
}

FieldTable PodExtendedResourceClaimStatus::fields() {
  static constexpr auto rows = field_rows({
      {"requestMappings", member<&PodExtendedResourceClaimStatus::request_mappings>, required_atomic},
      {"resourceClaimName", member<&PodExtendedResourceClaimStatus::resource_claim_name>, required},
  });
  return rows;
}

FieldTable PodIP::fields() {
  static constexpr auto rows = field_rows({
      {"ip", member<&PodIP::ip>, required},
  });
  return rows;
}

FieldTable PodResourceClaimStatus::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&PodResourceClaimStatus::name>, required},
      {"resourceClaimName", member<&PodResourceClaimStatus::resource_claim_name>},
  });
  return rows;
}

EnumTable enum_names(PodStatus::Phase) {
  using enum PodStatus::Phase;
  static constexpr auto rows = enum_rows({
      {failed, "Failed"},
      {pending, "Pending"},
      {running, "Running"},
      {succeeded, "Succeeded"},
      {unknown, "Unknown"},
  });
  return rows;
}

EnumTable enum_names(PodStatus::QosClass) {
  using enum PodStatus::QosClass;
  static constexpr auto rows = enum_rows({
      {best_effort, "BestEffort"},
      {burstable, "Burstable"},
      {guaranteed, "Guaranteed"},
  });
  return rows;
}

FieldTable PodStatus::fields() {
  static constexpr auto rows = field_rows({
      {"allocatedResources", member<&PodStatus::allocated_resources>},
      {"conditions", member<&PodStatus::conditions>, by_type},
      {"containerStatuses", member<&PodStatus::container_statuses>, atomic},
      {"ephemeralContainerStatuses", member<&PodStatus::ephemeral_container_statuses>, atomic},
      {"extendedResourceClaimStatus", member<&PodStatus::extended_resource_claim_status>},
      {"hostIP", member<&PodStatus::host_ip>},
      {"hostIPs", member<&PodStatus::host_ips>, atomic},
      {"initContainerStatuses", member<&PodStatus::init_container_statuses>, atomic},
      {"message", member<&PodStatus::message>},
      {"nodeAllocatableResourceClaimStatuses", member<&PodStatus::node_allocatable_resource_claim_statuses>, atomic},
      {"nominatedNodeName", member<&PodStatus::nominated_node_name>},
      {"observedGeneration", member<&PodStatus::observed_generation>},
      {"phase", member<&PodStatus::phase>},
      {"podIP", member<&PodStatus::pod_ip>},
      {"podIPs", member<&PodStatus::pod_ips>, by_ip},
      {"qosClass", member<&PodStatus::qos_class>},
      {"reason", member<&PodStatus::reason>},
      {"resize", member<&PodStatus::resize>},
      {"resourceClaimStatuses", member<&PodStatus::resource_claim_statuses>, by_name},
      {"resources", member<&PodStatus::resources>},
      {"startTime", member<&PodStatus::start_time>},
  });
  return rows;
}

FieldTable PodTemplateSpec::fields() {
  static constexpr auto rows = field_rows({
      {"metadata", member<&PodTemplateSpec::metadata>},
      {"spec", member<&PodTemplateSpec::spec>},
  });
  return rows;
}

FieldTable PodTemplate::fields() {
  static constexpr auto rows = field_rows({
      {"template", member<&PodTemplate::template_>},
  });
  return rows;
}

FieldTable ReplicationControllerSpec::fields() {
  static constexpr auto rows = field_rows({
      {"minReadySeconds", member<&ReplicationControllerSpec::min_ready_seconds>},
      {"replicas", member<&ReplicationControllerSpec::replicas>},
      {"selector", member<&ReplicationControllerSpec::selector>, atomic},
      {"template", member<&ReplicationControllerSpec::template_>},
  });
  return rows;
}

FieldTable ReplicationControllerCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&ReplicationControllerCondition::last_transition_time>},
      {"message", member<&ReplicationControllerCondition::message>},
      {"reason", member<&ReplicationControllerCondition::reason>},
      {"status", member<&ReplicationControllerCondition::status>, required},
      {"type", member<&ReplicationControllerCondition::type>, required},
  });
  return rows;
}

FieldTable ReplicationControllerStatus::fields() {
  static constexpr auto rows = field_rows({
      {"availableReplicas", member<&ReplicationControllerStatus::available_replicas>},
      {"conditions", member<&ReplicationControllerStatus::conditions>, by_type},
      {"fullyLabeledReplicas", member<&ReplicationControllerStatus::fully_labeled_replicas>},
      {"observedGeneration", member<&ReplicationControllerStatus::observed_generation>},
      {"readyReplicas", member<&ReplicationControllerStatus::ready_replicas>},
      {"replicas", member<&ReplicationControllerStatus::replicas>, required},
  });
  return rows;
}

EnumTable enum_names(ScopedResourceSelectorRequirement::Operator) {
  using enum ScopedResourceSelectorRequirement::Operator;
  static constexpr auto rows = enum_rows({
      {does_not_exist, "DoesNotExist"},
      {exists, "Exists"},
      {in, "In"},
      {not_in, "NotIn"},
  });
  return rows;
}

EnumTable enum_names(ScopedResourceSelectorRequirement::ScopeName) {
  using enum ScopedResourceSelectorRequirement::ScopeName;
  static constexpr auto rows = enum_rows({
      {best_effort, "BestEffort"},
      {cross_namespace_pod_affinity, "CrossNamespacePodAffinity"},
      {not_best_effort, "NotBestEffort"},
      {not_terminating, "NotTerminating"},
      {priority_class, "PriorityClass"},
      {terminating, "Terminating"},
      {volume_attributes_class, "VolumeAttributesClass"},
  });
  return rows;
}

FieldTable ScopedResourceSelectorRequirement::fields() {
  static constexpr auto rows = field_rows({
      {"operator", member<&ScopedResourceSelectorRequirement::operator_>, required},
      {"scopeName", member<&ScopedResourceSelectorRequirement::scope_name>, required},
      {"values", member<&ScopedResourceSelectorRequirement::values>, atomic},
  });
  return rows;
}

FieldTable ScopeSelector::fields() {
  static constexpr auto rows = field_rows({
      {"matchExpressions", member<&ScopeSelector::match_expressions>, atomic},
  });
  return rows;
}

EnumTable enum_names(ResourceQuotaSpec::Scope) {
  using enum ResourceQuotaSpec::Scope;
  static constexpr auto rows = enum_rows({
      {best_effort, "BestEffort"},
      {cross_namespace_pod_affinity, "CrossNamespacePodAffinity"},
      {not_best_effort, "NotBestEffort"},
      {not_terminating, "NotTerminating"},
      {priority_class, "PriorityClass"},
      {terminating, "Terminating"},
      {volume_attributes_class, "VolumeAttributesClass"},
  });
  return rows;
}

FieldTable ResourceQuotaSpec::fields() {
  static constexpr auto rows = field_rows({
      {"hard", member<&ResourceQuotaSpec::hard>},
      {"scopeSelector", member<&ResourceQuotaSpec::scope_selector>, atomic},
      {"scopes", member<&ResourceQuotaSpec::scopes>, atomic},
  });
  return rows;
}

FieldTable ResourceQuotaStatus::fields() {
  static constexpr auto rows = field_rows({
      {"hard", member<&ResourceQuotaStatus::hard>},
      {"used", member<&ResourceQuotaStatus::used>},
  });
  return rows;
}

FieldTable Secret::fields() {
  static constexpr auto rows = field_rows({
      {"data", member<&Secret::data>},
      {"immutable", member<&Secret::immutable>},
      {"stringData", member<&Secret::string_data>},
      {"type", member<&Secret::type_>},
  });
  return rows;
}

EnumTable enum_names(ServicePort::Protocol) {
  using enum ServicePort::Protocol;
  static constexpr auto rows = enum_rows({
      {sctp, "SCTP"},
      {tcp, "TCP"},
      {udp, "UDP"},
  });
  return rows;
}

FieldTable ServicePort::fields() {
  static constexpr auto rows = field_rows({
      {"appProtocol", member<&ServicePort::app_protocol>},
      {"name", member<&ServicePort::name>},
      {"nodePort", member<&ServicePort::node_port>},
      {"port", member<&ServicePort::port>, required},
      {"protocol", member<&ServicePort::protocol>},
      {"targetPort", member<&ServicePort::target_port>},
  });
  return rows;
}

FieldTable SessionAffinityConfig::fields() {
  static constexpr auto rows = field_rows({
      {"clientIP", member<&SessionAffinityConfig::client_ip>},
  });
  return rows;
}

EnumTable enum_names(ServiceSpec::ExternalTrafficPolicy) {
  using enum ServiceSpec::ExternalTrafficPolicy;
  static constexpr auto rows = enum_rows({
      {cluster, "Cluster"},
      {local, "Local"},
  });
  return rows;
}

EnumTable enum_names(ServiceSpec::InternalTrafficPolicy) {
  using enum ServiceSpec::InternalTrafficPolicy;
  static constexpr auto rows = enum_rows({
      {cluster, "Cluster"},
      {local, "Local"},
  });
  return rows;
}

EnumTable enum_names(ServiceSpec::IpFamily) {
  using enum ServiceSpec::IpFamily;
  static constexpr auto rows = enum_rows({
      {ipv4, "IPv4"},
      {ipv6, "IPv6"},
  });
  return rows;
}

EnumTable enum_names(ServiceSpec::IpFamilyPolicy) {
  using enum ServiceSpec::IpFamilyPolicy;
  static constexpr auto rows = enum_rows({
      {prefer_dual_stack, "PreferDualStack"},
      {require_dual_stack, "RequireDualStack"},
      {single_stack, "SingleStack"},
  });
  return rows;
}

EnumTable enum_names(ServiceSpec::SessionAffinity) {
  using enum ServiceSpec::SessionAffinity;
  static constexpr auto rows = enum_rows({
      {client_ip, "ClientIP"},
      {none, "None"},
  });
  return rows;
}

EnumTable enum_names(ServiceSpec::Type) {
  using enum ServiceSpec::Type;
  static constexpr auto rows = enum_rows({
      {cluster_ip, "ClusterIP"},
      {external_name, "ExternalName"},
      {load_balancer, "LoadBalancer"},
      {node_port, "NodePort"},
  });
  return rows;
}

FieldTable ServiceSpec::fields() {
  static constexpr auto rows = field_rows({
      {"allocateLoadBalancerNodePorts", member<&ServiceSpec::allocate_load_balancer_node_ports>},
      {"clusterIP", member<&ServiceSpec::cluster_ip>},
      {"clusterIPs", member<&ServiceSpec::cluster_ips>, atomic},
      {"externalIPs", member<&ServiceSpec::external_ips>, atomic},
      {"externalName", member<&ServiceSpec::external_name>},
      {"externalTrafficPolicy", member<&ServiceSpec::external_traffic_policy>},
      {"healthCheckNodePort", member<&ServiceSpec::health_check_node_port>},
      {"internalTrafficPolicy", member<&ServiceSpec::internal_traffic_policy>},
      {"ipFamilies", member<&ServiceSpec::ip_families>, atomic},
      {"ipFamilyPolicy", member<&ServiceSpec::ip_family_policy>},
      {"loadBalancerClass", member<&ServiceSpec::load_balancer_class>},
      {"loadBalancerIP", member<&ServiceSpec::load_balancer_ip>},
      {"loadBalancerSourceRanges", member<&ServiceSpec::load_balancer_source_ranges>, atomic},
      {"ports", member<&ServiceSpec::ports>, by_port_and_protocol},
      {"publishNotReadyAddresses", member<&ServiceSpec::publish_not_ready_addresses>},
      {"selector", member<&ServiceSpec::selector>, atomic},
      {"sessionAffinity", member<&ServiceSpec::session_affinity>},
      {"sessionAffinityConfig", member<&ServiceSpec::session_affinity_config>},
      {"trafficDistribution", member<&ServiceSpec::traffic_distribution>},
      {"type", member<&ServiceSpec::type>},
  });
  return rows;
}

FieldTable ServiceStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&ServiceStatus::conditions>},
      {"loadBalancer", member<&ServiceStatus::load_balancer>},
  });
  return rows;
}

FieldTable ServiceAccount::fields() {
  static constexpr auto rows = field_rows({
      {"automountServiceAccountToken", member<&ServiceAccount::automount_service_account_token>},
      {"imagePullSecrets", member<&ServiceAccount::image_pull_secrets>, atomic},
      {"secrets", member<&ServiceAccount::secrets>, by_name},
  });
  return rows;
}

FieldTable TopologySelectorLabelRequirement::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&TopologySelectorLabelRequirement::key>, required},
      {"values", member<&TopologySelectorLabelRequirement::values>, required_atomic},
  });
  return rows;
}

FieldTable TopologySelectorTerm::fields() {
  static constexpr auto rows = field_rows({
      {"matchLabelExpressions", member<&TopologySelectorTerm::match_label_expressions>, atomic},
  });
  return rows;
}

}  // namespace pintle::api::core::v1
