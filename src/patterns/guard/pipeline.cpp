#include <pintle/patterns/guard/pipeline.hpp>

#include <memory>
#include <set>

#include <pintle/object/names.hpp>

#include "pass_state.hpp"

namespace pintle::guard {
namespace {

// One pass over one workspace.
class Run {
 public:
  Run(const PipelineSpec& spec, Locks& locks, Context& context)
      : spec_(spec), locks_(locks), context_(context), is_deleting_(workspace().is_deleting()) {}

  Outcome operator()() {
    const Object begun = workspace();
    const std::string_view phase = begun["/status/phase"].text();
    if (is_deleting_) {
      if (phase != phase_terminating) begin_termination();
      return run(spec_.providers.rbegin(), spec_.providers.rend());
    }
    if (phase == phase_error) return settled;
    if (phase.empty()) context_.status().set("/phase", phase_deploying);
    return run(spec_.providers.begin(), spec_.providers.end());
  }

 private:
  [[nodiscard]] const Object& workspace() const { return context_.status().object(); }
  [[nodiscard]] PassState& state() const { return context_.slot<PassState>(); }

  void begin_termination() {
    context_.status().set("/phase", phase_terminating);
    context_.event(EventType::normal, phase_terminating, "Waiting for external dependencies to be cleaned up");
  }

  template <class Iterator>
  Outcome run(Iterator provider, Iterator end) {
    for (; provider != end; ++provider) {
      const StepResult result = step(*provider);
      if (!result.end()) continue;
      const Error* error = result.end()->as_failed();
      return error == nullptr ? *result.end() : failed_step(*error);
    }
    return settled;
  }

  StepResult step(const ProviderSpec& provider) {
    const auto& function = is_deleting_ ? provider.terminate : provider.reconcile;
    if (!function) return next_step;
    auto condition = condition_of(workspace(), provider.condition);
    if (!condition) {
      if (provider.applies && !provider.applies(workspace())) return next_step;
      condition = initialized(provider);
    }
    auto controller = ProviderController::make(*condition, context_, locks_, spec_.instance_label);
    if (!controller) return fail(controller.error().terminal());
    begin_step();
    if (controller->is_locked()) {
      if (!controller->is_recoverable()) return look_again_in(provider.when_locked);
      if (auto recovered = recover(provider, *controller); !recovered) return recovered;
      begin_step();
    }
    const Object newest = workspace();
    return function(newest, *controller);
  }

  // A step is given the newest version.
  void begin_step() {
    state().is_outdated = false;
    state().is_cluster_failing = false;
  }

  Condition initialized(const ProviderSpec& provider) {
    const auto status = ConditionStatus::initialized;
    Condition condition{.type = provider.condition, .status = status, .reason = as_reason("", status)};
    if (!is_deleting_) context_.status().condition(condition);
    return condition;
  }

  Result<void> recover(const ProviderSpec& provider, ProviderController& controller) {
    Recovery recovery{.idempotent = provider.idempotent || is_deleting_};
    if (provider.recover) {
      recovery.find_out = [&, locked = workspace()] { return provider.recover(locked, controller); };
    }
    return controller.recover(recovery);
  }

  Outcome failed_step(const Error& error) {
    if (error.code == ErrorCode::conflict) return look_again_in(spec_.after_conflict);
    if (error.code == ErrorCode::cancelled || state().is_cluster_failing) return failed(error);
    context_.event(EventType::warning, "Error", error.to_string());
    if (is_deleting_) return failed(error);
    context_.log().error("a step failed; the workspace is left alone until it is deleted or its phase is reset",
                         {{"error", error.to_string()}});
    context_.status().set("/phase", phase_error);
    return settled;
  }

  const PipelineSpec& spec_;
  Locks& locks_;
  Context& context_;
  const bool is_deleting_;
};

}  // namespace

std::vector<Error> PipelineSpec::errors() const {
  std::vector<Error> errors;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  if (providers.empty()) wrong("the pipeline has no providers");
  std::set<std::string_view> types;
  for (const ProviderSpec& provider : providers) {
    if (auto good = check_condition_type(provider.condition); !good) errors.push_back(std::move(good.error()));
    if (!types.insert(provider.condition).second) {
      wrong("two providers have the condition \"" + provider.condition + "\": give each one of its own");
    }
    if (!provider.reconcile) wrong("the provider of condition \"" + provider.condition + "\" has an empty .reconcile");
    if (provider.when_locked < Duration::zero()) {
      wrong("the provider of condition \"" + provider.condition + "\" has a negative .when_locked");
    }
  }
  if (after_conflict < Duration::zero() || locks.limit < Duration::zero()) {
    wrong("the pipeline has a negative .after_conflict or .locks.limit");
  }
  if (auto fault = names::qualified_name_fault(instance_label)) {
    wrong("the instance label \"" + instance_label + "\" " + *fault);
  }
  return errors;
}

std::function<Outcome(Context&)> PipelineSpec::reconcile(Runtime& runtime) const {
  return [spec = *this, locks = std::make_shared<Locks>(runtime, locks)](Context& context) {
    return Run(spec, *locks, context)();
  };
}

}  // namespace pintle::guard
