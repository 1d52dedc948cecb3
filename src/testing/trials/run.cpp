// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

#include "plausible.hpp"
#include "webhook/certificates/certificate_place.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

constexpr Duration quiet_time = 30s;
constexpr Duration longest_silence = 7min;    // until an operator notices that a watch is silent, and lists again
constexpr std::uint64_t most_writes = 5'000;  // of a trial, for each object
constexpr const char* webhook_namespace = "pintle-webhooks";
constexpr const char* crds = "customresourcedefinitions.apiextensions.k8s.io";
constexpr Type crd_kind{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};

GroupVersionKind kind_of(const json::Value& object) { return Object(object).group_version_kind(); }
ObjectKey key_of(const json::Value& object) { return Object(object).key(); }

// A copy of a child without an owner.
json::Value stranger_like(const Object& child) {
  json::Value value = child.to_value();
  value.as_object().erase("status");
  json::object metadata{{"name", std::string(child.name()) + "-x"}};
  if (!child.namespace_().empty()) metadata["namespace"] = child.namespace_();
  if (child.labels().is_object()) metadata["labels"] = child.labels().to_value();
  value.as_object()["metadata"] = std::move(metadata);
  return value;
}

// Objects in the namespace of an operator are not sent to its webhooks, and those of a trial may be in "default".
void keep_webhooks_apart(ManagerOptions& options) {
  WebhookOptions& webhooks = options.webhooks;
  if (!webhooks.listen.empty() && webhooks.service_namespace.empty()) webhooks.service_namespace = webhook_namespace;
}

// The Secret that the instances of an operator write to share the certificates of their webhooks.
std::optional<StoredKey> webhook_secret_of(const ManagerOptions& options) {
  const WebhookOptions& webhooks = options.webhooks;
  if (webhooks.listen.empty() || !webhooks.foreign_secret.empty() || !is_certificate_in_secret(webhooks)) return {};
  // The transport of a simulated manager leads to the namespace "default".
  const std::string space = webhooks.service_namespace.empty() ? "default" : webhooks.service_namespace;
  return StoredKey{.resource = "secrets", .key = {space, own_secret_name(webhooks, options.name)}};
}

SimulationOptions options_of(std::uint64_t seed, Scheduling scheduling, const RunParts& parts,
                             std::unique_ptr<Journal>& journal, const std::function<void()>& let_time_pass,
                             const std::function<void()>& before_send) {
  return {
      .seed = seed,
      .server = {.kinds = parts.kinds},
      .on_missing_permission = [&journal](const std::string& what) { journal->violate(Oracle::roles_suffice, what); },
      .scheduling = std::move(scheduling),
      .on_request =
          [&journal, let_time_pass](int instance, const http::Request& request, const http::Response& response) {
            journal->record(instance, request, response);
            if (journal->is_in_a_loop()) let_time_pass();
          },
      .on_send =
          [&journal, before_send](int instance, const http::Request& request) {
            before_send();
            journal->send(instance, request);
          },
      .on_reconcile =
          [&journal](int instance, const ReconcileReport& report) {
            journal->reconcile(instance, report.controller, report.key, report.outcome == nullptr);
            if (report.outcome == nullptr || report.cluster != home_cluster) return;
            journal->conclude(report.controller, report.kind, report.key, *report.outcome);
          },
      .stacks = parts.stacks};
}

}  // namespace

std::size_t instances_of(std::uint64_t seed, const Survey& survey) {
  const bool has_three = survey.has_election && survey.may_have_more && seed % 4 == 2;
  return has_three ? 3 : survey.instances;
}

Run::Run(std::uint64_t seed, Scheduling scheduling, const SimulateOptions& options, const SubjectSetup& setup,
         const Survey* survey, const RunParts& parts)
    : options_(options),
      survey_(survey),
      simulation_(options_of(
          seed, std::move(scheduling), parts, journal_, [this] { simulation_.executor().sleep_for(1s); },
          [this] { exempt_webhook_secret(); })),
      subject_(simulation_) {
  subject_.manager.name = options.name;
  subject_.manager.log_level = LogLevel::off;
  setup(subject_);
  const auto adopted = subject_.program ? adopt_program() : Result<void>();
  keep_webhooks_apart(subject_.manager);
  const bool has_election = subject_.manager.leader_election.has_value();
  has_chosen_instances_ = subject_.instances == 0;
  if (subject_.instances == 0 && survey_ != nullptr) subject_.instances = instances_of(seed, *survey_);
  if (subject_.instances == 0) subject_.instances = has_election ? 2 : 1;
  journal_ = std::make_unique<Journal>(simulation_.executor(), has_election,
                                       [this] { return simulation_.server().resource_version(); });
  fleet_ = std::make_unique<Fleet>(simulation_, *journal_);
  for (std::size_t i = 0; i < subject_.outside.size(); ++i) observe_outside(i);
  if (survey_ != nullptr) {
    journal_->compare_instances([this](int instance) { return lives(instance); }, survey_->without_lease);
  }
  if (!adopted) {
    journal_->violate(Oracle::runs, adopted.error().to_string());
  } else if (!subject_.add_controllers && !subject_.program) {
    journal_->violate(Oracle::runs, "Subject::add_controllers is missing; set it to the function that adds them");
  } else if (subject_.instances > 1 && !has_election) {
    journal_->violate(Oracle::runs, "Subject::instances is more than one; set manager.leader_election too");
  }
}

// The thread that makes a call belongs to the process of an instance. The times of calls count from the construction of
// the recorder, which is part of the setup, in which no time passes.
void Run::observe_outside(std::size_t number) {
  const Instant made = simulation_.executor().now();
  subject_.outside[number]->observe([this, number, made](const RecordedCall& call, const Result<void>& result) {
    const std::string what = call.what + (call.key.empty() ? "" : " " + call.key);
    journal_->note("outside", what + (result ? "" : " fails: " + result.error().to_string()));
    SimulatedExecutor& executor = simulation_.executor();
    const std::uint64_t process = executor.enter_process(0);
    executor.enter_process(process);
    if (process == 0 || call.key.empty()) return;
    journal_->outside_call(static_cast<int>(process), fmt::format("{} of system {}", what, number + 1),
                           after(made, call.at));
  });
}

// Whether a process has neither crashed nor ended.
bool Run::lives(int instance) const {
  const std::vector<Instance*> all = fleet_->instances();
  const auto index = static_cast<std::size_t>(instance - 1);
  return index < all.size() && !all[index]->has_ended() && !all[index]->transport().is_crashed();
}

// Lets main() show its options.
Result<void> Run::adopt_program() {
  auto options = options_of_program(subject_.program);
  if (!options) return fail(std::move(options.error()));
  for (const NamedCluster& cluster : options->clusters) {
    if (cluster.address || cluster.finder || subject_.adjust) continue;
    addresses_.emplace(cluster.name.value(), simulation_.add_cluster(cluster.name.value()).address());
  }
  subject_.manager = std::move(*options);
  return {};
}

// The options of a program are known when its first manager has read its flags, which is before its first request.
void Run::exempt_webhook_secret() {
  if (has_read_options_ || fleet_ == nullptr) return;
  for (Instance* instance : fleet_->instances()) {
    if (!instance->has_manager()) continue;
    has_read_options_ = true;
    if (auto secret = webhook_secret_of(instance->manager().options())) journal_->exempt(std::move(*secret));
    return;
  }
}

std::unique_ptr<Instance> Run::make_instance() {
  if (!subject_.program) {
    return std::make_unique<Instance>(simulation_, subject_.manager, subject_.add_controllers);
  }
  return std::make_unique<Instance>(simulation_, subject_.program, [this](ManagerOptions& options) {
    options.log_level = LogLevel::off;
    // Flags of the program may let its manager serve webhooks.
    WebhookOptions& webhooks = options.webhooks;
    if (webhooks.service_namespace.empty()) webhooks.service_namespace = subject_.manager.webhooks.service_namespace;
    for (NamedCluster& cluster : options.clusters) {
      const auto address = addresses_.find(cluster.name.value());
      if (address != addresses_.end()) cluster.address = address->second;
    }
    if (subject_.adjust) subject_.adjust(options);
  });
}

RunResult Run::execute(const std::vector<const Event*>& events, bool with_faults) {
  RunResult result;
  if (!journal_->violations().empty()) {
    result.violations = journal_->violations();
    return result;
  }
  prepare();
  if (fleet_->start()) {
    // Before any fault: an instance that is down has no manager.
    reconciled_ = fleet_->reconciled_kinds();
    user_version_ = simulation_.server().resource_version();
    for (const Event* event : events) {
      if (event->at < Duration::zero() && with_faults) begin(*event);
    }
    create_objects();
    live_through(events, with_faults);
    result.state = final_state(simulation_.server(), compared(), journal_->surroundings(), subject_.assigned);
    result.specs = specs();
    if (!result.specs.empty()) result.objects = objects_as_they_are();
    result.writes = journal_->counts().sent - sent_before_;
    if (survey_ == nullptr) {
      result.survey = surveyed();
      result.survey.specs = result.specs;
      result.survey.state = result.state;
    }
    if (with_faults || survey_ == nullptr) {
      journal_->check_dropped([this](const StoredKey& key) { return stored(key); });
      check_idle();
      tear_down();
    }
  }
  fleet_->stop();
  result.violations = journal_->violations();
  result.faults = injected_;
  result.timeline = journal_->timeline();
  result.trace_hash = simulation_.executor().trace_hash();
  result.alternatives = simulation_.executor().alternatives();
  return result;
}

void Run::prepare() {
  if (subject_.manager.webhooks.service_namespace == webhook_namespace) {
    (void)user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", webhook_namespace}}}});
  }
  for (const json::Value& object : subject_.surroundings) {
    if (const auto created = create_surrounding(object); !created) {
      journal_->violate(Oracle::runs, "the surroundings cannot be created: " + created.error().to_string());
    } else if (const auto resource = user().resource(created->group_version_kind())) {
      journal_->protect({.resource = resource->to_string(), .key = created->key()});
      strangers_.push_back({.resource = resource->to_string(), .object = *created});
    }
  }
  for (std::size_t i = 0; i < subject_.instances; ++i) fleet_->add(make_instance());
}

// Objects of a definition can be created when the server serves their kind.
Result<Object> Run::create_surrounding(const json::Value& object) {
  if (!is_same_kind(kind_of(object), crd_kind)) return user().create(object);
  if (auto installed = simulation_.install(object); !installed) return fail(std::move(installed.error()));
  return user().get(kind_of(object), key_of(object));
}

// The definitions that the operator has installed, and those of kinds that it reconciles.
std::vector<Object> Run::definitions_of_operator() {
  std::vector<Object> definitions = simulation_.server().objects(crds);
  std::erase_if(definitions, [&](const Object& crd) {
    const auto is_this = [&](const StoredObject& one) { return one.resource == crds && one.object.uid() == crd.uid(); };
    const auto defines = [&](const GroupVersionKind& kind) {
      return crd["/spec/group"] == kind.group && crd["/spec/names/kind"] == kind.kind;
    };
    return std::ranges::any_of(strangers_, is_this) && std::ranges::none_of(reconciled_, defines);
  });
  return definitions;
}

void Run::create_objects() {
  objects_ = survey_ != nullptr ? survey_->objects : subject_.objects;
  if (objects_.empty()) objects_ = plausible_objects(definitions_of_operator());
  if (objects_.empty() && subject_.edits.empty()) {
    journal_->violate(Oracle::runs,
                      "there are no objects, because the operator installs no definition; set Subject::objects or "
                      "--objects");
  }
  for (const json::Value& object : objects_) reconciled_.push_back(kind_of(object));
  if (survey_ != nullptr) add_strangers();
  before_ = reconciled_objects();
  journal_->begin();
  sent_before_ = journal_->counts().sent;
  if (applies(Oracle::becomes_idle)) journal_->limit_writes(most_writes * std::max<std::size_t>(1, objects_.size()));
  for (const json::Value& object : objects_) {
    journal_->note("user", "creates " + Object(object).describe());
    const auto created = repeat_if_webhook_fails([&]() -> Result<void> {
      const auto made = user().create(object);
      return made ? Result<void>() : Result<void>(fail(made.error()));
    });
    if (!created) {
      journal_->violate(Oracle::runs, "an object cannot be created: " + created.error().to_string() +
                                          (subject_.objects.empty() ? "; set Subject::objects or --objects to objects "
                                                                      "that the server accepts"
                                                                    : ""));
    }
  }
  user_version_ = simulation_.server().resource_version();
}

// Adds an object of each kind of the children, which does not belong to the operator. All objects of a kind that it
// reconciles belong to it.
void Run::add_strangers() {
  std::set<GroupVersionKind> seen;
  for (const Object& child : survey_->children) {
    const GroupVersionKind kind = child.group_version_kind();
    if (!seen.insert(kind).second) continue;
    if (std::ranges::any_of(reconciled_, [&](const auto& one) { return is_same_kind(one, kind); })) continue;
    const auto stranger = user().create(stranger_like(child));
    if (!stranger) continue;  // the kind may allow only one
    const auto resource = user().resource(kind);
    if (!resource) continue;
    journal_->protect({.resource = resource->to_string(), .key = stranger->key()});
    strangers_.push_back({.resource = resource->to_string(), .object = *stranger});
  }
}

void Run::live_through(const std::vector<const Event*>& events, bool with_faults) {
  const auto now = [this] { return simulation_.executor().now(); };
  Instant began = now();
  std::vector<const Event*> outages;
  for (const Event* event : events) {
    if (event->is_outage) {
      outages.push_back(event);
      continue;
    }
    if (event->at < Duration::zero() || (!event->is_edit() && !with_faults)) continue;
    fleet_->pass_time(began + event->at - now());
    const Instant before = now();
    begin(*event);
    // A user may wait until an object is gone. The later events keep their distance, so that an edit does not come
    // before the creation that it follows in the run without faults.
    began += now() - before;
  }
  fleet_->pass_time(began + options_.active - now());
  end_faults();
  if (!wait_until_idle("the last edit and fault")) return;
  for (const Event* outage : outages) live_through(*outage, with_faults);
  check_result();
}

void Run::begin(const Event& event) {
  if (!event.is_edit()) {
    journal_->note("fault", event.what);
    ++injected_[event.kind];
  }
  event.act(*this);
}

void Run::inject(const ServerFault& fault, Duration time) {
  needs_patience_ = true;
  fleet_->inject(fault, time);
}

void Run::rewind(std::uint64_t versions) {
  const std::uint64_t now = simulation_.server().resource_version();
  const std::uint64_t to = now - std::min(versions, now);
  needs_patience_ = true;
  if (to <= user_version_) return;
  (void)simulation_.server().rewind(to);
}

void Run::fail_outside(bool fails) {
  constexpr std::size_t always = 1'000'000;
  for (CallRecorder* outside : subject_.outside) {
    outside->succeed();
    if (fails) outside->fail_next(make_error(ErrorCode::unavailable, "the trial lets this call fail"), always);
  }
}

void Run::end_faults() {
  fleet_->end_faults();
  faults_ended_ = simulation_.executor().now();
  for (CallRecorder* outside : subject_.outside) outside->succeed();
  journal_->note("trial", "no more edits and faults");
  fleet_->pass_time(std::exchange(needs_patience_, false) ? std::max(longest_silence, options_.patience)
                                                          : options_.patience);
}

bool Run::wait_until_idle(std::string_view since) {
  const Instant began = simulation_.executor().now();
  const Instant limit = after(began, options_.max_time_to_idle);
  const Journal::Counts first = journal_->counts();
  while (simulation_.executor().now() < limit && !journal_->is_full()) {
    const Journal::Counts before = journal_->counts();
    fleet_->pass_time(quiet_time);
    const Journal::Counts now = journal_->counts();
    // A renewal of the Lease keeps the server busy for a moment.
    for (int attempt = 0; attempt < 10 && !simulation_.server().is_idle(); ++attempt) fleet_->pass_time(97ms);
    if (journal_->counts().writes != before.writes || !simulation_.server().is_idle()) continue;
    check_rest(now.requests - before.requests, now.reconciles - before.reconciles);
    return true;
  }
  journal_->violate(Oracle::becomes_idle,
                    fmt::format("the operator still writes {} after {}, {} times since then{}",
                                format_duration(simulation_.executor().now() - began), since,
                                journal_->counts().writes - first.writes, journal_->failures_since(first)));
  return false;
}

// While an operator has nothing to write, it may poll, but not without pause.
void Run::check_rest(std::uint64_t requests, std::uint64_t reconciles) {
  if (!applies(Oracle::bounded_work)) return;
  const auto share = std::chrono::duration<double>(quiet_time) / 1h;
  const auto limit = static_cast<std::uint64_t>(10.0 * static_cast<double>(options_.max_requests_an_hour) * share);
  const std::uint64_t objects = std::max<std::size_t>(1, objects_.size());
  const auto check = [&](std::uint64_t count, const char* what) {
    if (count <= limit * objects) return;
    journal_->violate(
        Oracle::bounded_work,
        fmt::format("{} {} in {} in which the operator writes nothing; the limit is {} for each of {} objects", count,
                    what, format_duration(quiet_time), limit, objects));
  };
  check(requests, "requests");
  check(reconciles, "reconciles");
}

std::uint64_t Run::outside_calls() const {
  std::uint64_t calls = 0;
  for (const CallRecorder* outside : subject_.outside) calls += outside->size();
  return calls;
}

std::vector<Object> Run::primaries() {
  std::vector<Object> found;
  for (const json::Value& object : objects_) {
    if (auto stored = user().get(kind_of(object), key_of(object))) found.push_back(std::move(*stored));
  }
  return found;
}

std::string Run::specs() {
  std::string text;
  const std::vector<Object> found = primaries();
  if (found.size() < objects_.size()) return text;
  for (const Object& object : found) text += object["/spec"].print() + "\n";
  return text;
}

// As a user would create them to get the specs that they have now.
std::vector<json::Value> Run::objects_as_they_are() {
  std::vector<json::Value> objects;
  for (const json::Value& object : objects_) {
    json::Value& made = objects.emplace_back(object);
    const auto stored = user().get(kind_of(object), key_of(object));
    if (stored && (*stored)["/spec"].exists()) made.as_object()["spec"] = (*stored)["/spec"].to_value();
  }
  return objects;
}

std::set<std::string> Run::compared() {
  std::set<std::string> resources = journal_->written();
  for (const json::Value& object : objects_) {
    if (const auto resource = simulation_.user().resource(kind_of(object))) resources.insert(resource->to_string());
  }
  return resources;
}

Survey Run::surveyed() {
  Survey survey{.objects = objects_,
                .used = journal_->used(),
                .client = subject_.manager.name,
                .outside = subject_.outside.size(),
                .instances = fleet_->size(),
                .has_election = subject_.manager.leader_election.has_value(),
                .may_have_more = has_chosen_instances_,
                .has_webhooks = has_webhooks(),
                .without_lease = journal_->without_lease()};
  for (const json::Value& object : objects_) {
    if (const auto resource = user().resource(kind_of(object))) survey.own_resources.insert(resource->to_string());
  }
  for (const Object& crd : simulation_.server().objects(crds)) {
    for (const json::View version : crd["/spec/versions"].elements()) {
      const GroupVersionKind kind(
          std::string(crd["/spec/group"].text()) + "/" + std::string(version.member("name").text()),
          crd["/spec/names/kind"].text());
      survey.schemas.emplace(kind, version["/schema/openAPIV3Schema"].to_value());
    }
  }
  for (const StoredKey& key : journal_->created()) {
    for (const Object& object : simulation_.server().objects(key.resource)) {
      if (object.key() != key.key) continue;
      survey.children.push_back(object);
    }
  }
  return survey;
}

}  // namespace pintle::testkit
