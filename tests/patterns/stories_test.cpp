// SPDX-License-Identifier: Apache-2.0
// Random stories: the work of an operator fails and writes, the server fails too, users change objects, and the
// operator crashes. The work is bounded while it fails, and in the end the state is as desired.
#include <cmath>
#include <optional>

#include "random_work.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

const GroupVersionKind child_kind{ConfigMap::type};
constexpr const char* foreign_finalizer = "other.dev/cleanup";

// One story.
class FailingStory {
 public:
  FailingStory(const Pattern& pattern, std::uint64_t seed)
      : pattern_(pattern), stage_(seed), work_(pattern, seed), random_(seed) {}
  ~FailingStory() { instance_.reset(); }  // before the objects that its work uses
  FailingStory(const FailingStory&) = delete;
  FailingStory& operator=(const FailingStory&) = delete;

  void run() {
    begin();
    chaos();
    calm();
    if (::testing::Test::HasFailure()) return;
    fail_for_an_hour();
    if (::testing::Test::HasFailure()) return;
    recover();
    if (::testing::Test::HasFailure()) return;
    idle_for_an_hour();
  }

 private:
  static constexpr int objects = 4;
  static constexpr int max_foreign_changes = 4;  // in the hour
  // Every back-off begins with at least 5 ms and doubles.
  static constexpr int max_attempts_an_hour = 26;
  static constexpr int max_delays_an_hour = 13;
  static constexpr int max_failures_of_a_success = 10;
  static constexpr int max_calls_of_an_attempt = 16;
  static constexpr int max_watches_an_hour = 60;  // of all kinds

  [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  [[nodiscard]] bool chance(unsigned percent) { return random_.below(100) < percent; }
  [[nodiscard]] std::string any_name() { return "w" + std::to_string(below(objects)); }
  void sleep(Duration time) { stage_.simulation.executor().sleep_for(time); }
  // From one millisecond to about half a minute, with short times as likely as long ones.
  [[nodiscard]] Duration any_time() {
    return std::chrono::milliseconds(static_cast<int>(std::exp2(random_.unit() * 15)));
  }

  void begin() {
    instance_ = stage_.make(pattern_, work_.job(), {.log_level = LogLevel::off});
    instance_->start();
    EXPECT_TRUE(stage_.simulation.wait_until([&] { return instance_->manager().is_ready(); }));
    draw_work();
    for (int i = 0; i < objects; ++i) create("w" + std::to_string(i));
  }
  void draw_work() {
    for (int i = 0; i < objects; ++i) {
      Work& work = work_.works["w" + std::to_string(i)];
      work.weights = ways_to_fail.at(below(ways_to_fail.size()));
      work.writes_always = chance(50);
      work.writes = {.status = chance(60), .annotation = chance(50), .child = chance(30), .event = chance(30)};
    }
  }

  void chaos() {
    const auto steps = 10 + below(20);
    plan_faults();
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (chance(10)) draw_work();
      if (chance(4)) die();
      if (instance_->transport().is_crashed()) {
        live_again();
        if (chance(50)) plan_faults();
      }
      disturb(true);
      sleep(any_time());
    }
  }

  void plan_faults() {
    http::FaultPlan plan;
    const auto maybe = [&](const decltype(http::Fault::effect)& effect, bool (*only)(const http::Request&),
                           unsigned max_percent) {
      if (chance(50)) {
        plan.push_back(
            {.effect = effect, .only = only, .probability = static_cast<double>(1 + below(max_percent)) / 100});
      }
    };
    const auto not_watch = [](const http::Request& request) { return !http::is_watch(request); };
    maybe(http::conflict_response(), http::is_write, 30);
    maybe(http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, not_watch, 20);
    maybe(http::ErrorResponse{.status = 500, .after_commit = true}, http::is_write, 20);
    maybe(http::ErrorResponse{.status = 429, .reason = "TooManyRequests", .headers = {{"Retry-After", "1"}}}, not_watch,
          10);
    maybe(http::Drop{}, not_watch, 10);
    maybe(http::Drop{.after_commit = true}, http::is_write, 20);
    maybe(http::Delay{.duration = any_time()}, not_watch, 20);
    maybe(http::Delay{.duration = any_time(), .after_commit = true}, http::is_write, 20);
    maybe(http::TruncateBody{.after_bytes = 200 + below(3'000)}, http::is_watch, 60);
    maybe(http::TruncateBody{.after_events = below(4), .how = http::TruncateBody::How::end}, http::is_watch, 60);
    maybe(http::StallEvents{.nth = 1 + below(4), .duration = any_time()}, http::is_watch, 60);
    maybe(http::RepeatEvent{}, http::is_watch, 60);
    maybe(http::ErrorResponse{.status = 410, .reason = "Expired"}, http::is_watch, 20);
    if (chance(30)) plan.push_back({.effect = http::Crash{.after_commit = chance(50)}, .first = 1 + below(100)});
    instance_->transport().set_faults(std::move(plan));
  }

  void die() { instance_->transport().crash(); }
  void live_again() {
    excuse_what_nothing_holds();
    instance_->crash();
    for (auto& [name, work] : work_.works) work.failures = 0;
    if (chance(50)) sleep(any_time());
    instance_->start();
  }
  // In patterns that add the finalizer late, a crash may lose work that was begun.
  void excuse_what_nothing_holds() {
    if (pattern_.is_held_at_once) return;
    for (const auto& [name, text] : work_.things) work_.excused.insert(object_named(name, text));
  }

  // A user makes a random change.
  void disturb(bool may_delete) {
    const std::string name = any_name();
    const auto widget = find(name);
    if (!widget) {
      if (may_delete) create(name);
      return;
    }
    changed(name);
    switch (below(may_delete ? 8 : 5)) {
      case 0:
      case 1: set_text(name); break;
      case 2: annotate(name); break;
      case 3: write_status(name); break;
      case 4: touch_child(name); break;
      case 5: hold(name); break;
      case 6:
      case 7: stage_.remove(name); break;
    }
  }
  void changed(const std::string& name) { work_.works[name].changed = stage_.simulation.executor().now(); }
  void create(const std::string& name) {
    changed(name);
    stage_.create(name, std::to_string(++texts_) + "/0");
  }
  void set_text(const std::string& name) {
    const auto widget = find(name);
    if (!widget || widget->is_deleting()) return annotate(name);
    const std::string text((*widget)["/spec/text"].text());
    if (pattern_.has_back_off_of_each_action) work_.works[name].failures = 0;
    stage_.set_text(name, text.substr(0, text.find('/') + 1) + std::to_string(++texts_));
  }
  void annotate(const std::string& name) {
    patch(name, {{"metadata", {{"annotations", {{"people.dev/note", std::to_string(++texts_)}}}}}}, {});
  }
  void write_status(const std::string& name) {
    patch(name, {{"status", {{"seen", "people " + std::to_string(++texts_)}}}}, {.subresource = "status"});
  }
  void patch(const std::string& name, const json::Value& merge_patch, const WriteOptions& options) {
    const auto patched = stage_.simulation.user().patch(widget_kind, {"default", name}, merge_patch, options);
    EXPECT_TRUE(patched || patched.error().code == ErrorCode::not_found) << patched.error().to_string();
  }
  void touch_child(const std::string& name) {
    Client& user = stage_.simulation.user();
    if (chance(50)) {
      (void)user.remove(child_kind, {"default", name});
    } else {
      (void)user.patch(child_kind, {"default", name}, json::Value{{"data", {{"text", std::to_string(++texts_)}}}});
    }
  }
  // Adds another finalizer, which keeps the object when it is deleted.
  void hold(const std::string& name) {
    const auto widget = find(name);
    if (widget->is_deleting()) return;
    set_foreign_finalizer(*widget, true);
  }
  void set_foreign_finalizer(const Object& widget, bool is_on) {
    json::array finalizers;
    for (const json::View one : widget.finalizers().elements()) {
      if (one != foreign_finalizer) finalizers.push_back(one.to_value());
    }
    if (is_on) finalizers.emplace_back(foreign_finalizer);
    const auto set = stage_.simulation.user().patch(
        widget_kind, widget.key(),
        json::Value{
            {"metadata", {{"resourceVersion", widget.resource_version()}, {"finalizers", std::move(finalizers)}}}});
    EXPECT_TRUE(set || set.error().code == ErrorCode::conflict) << set.error().to_string();
  }
  [[nodiscard]] std::optional<Object> find(const std::string& name) const {
    for (Object& widget : stage_.simulation.server().objects("widgets.patterns.dev")) {
      if (widget.name() == name) return std::move(widget);
    }
    return {};
  }

  // Ends all faults; the work still behaves as before.
  void calm() {
    instance_->transport().set_faults({});
    sleep(1min);  // requests in progress may still meet a fault
    if (instance_->transport().is_crashed()) live_again();
    ASSERT_TRUE(stage_.simulation.wait_until([&] { return instance_->manager().is_ready(); }));
    release_what_is_held();
    sleep(3min);
    expect_no_violations();
  }
  void release_what_is_held() {
    for (bool is_held = true; is_held;) {
      is_held = false;
      for (const Object& widget : stage_.simulation.server().objects("widgets.patterns.dev")) {
        if (widget["/metadata/finalizers"].print().find(foreign_finalizer) == std::string::npos) continue;
        is_held = true;
        changed(std::string(widget.name()));
        set_foreign_finalizer(widget, false);
      }
    }
  }
  void expect_no_violations() const {
    for (const std::string& violation : work_.violations) ADD_FAILURE() << violation;
  }

  // The work fails for an hour while few objects change: its cost is bounded.
  void fail_for_an_hour() {
    draw_work();
    for (auto& [name, work] : work_.works) {
      if (chance(25) && find(name)) stage_.remove(name);
      // For work that may have no retries left, the next attempt is unpredictable unless it begins again.
      if ((chance(75) || pattern_.gives_up_after != 0) && find(name)) set_text(name);
      changed(name);
    }
    sleep(5s);
    std::map<std::string, int> before;
    for (auto& [name, work] : work_.works) {
      before[name] = work.attempts;
      work.failures = 0;  // the effect of the faults on this number is unknown
      work.delays = 0;
      work.successes = 0;
    }
    work_.is_checked = true;
    count_calls();
    std::map<std::string, int> changes;
    const auto times = below(max_foreign_changes + 1);
    for (std::uint64_t i = 0; i <= times; ++i) {
      advance_time(Duration(1h) / static_cast<int>(times + 1), before);
      if (i == times) break;
      const std::string name = any_name();
      if (!find(name)) continue;
      ++changes[name];
      changed(name);
      below(2) == 0 ? set_text(name) : annotate(name);
    }
    work_.is_checked = false;
    int attempts = 0;
    for (const auto& [name, work] : work_.works) {
      // A requested delay resets the back-off, and so does a success; successes do not follow each other immediately.
      const int most = max_attempts_an_hour * (changes[name] + work.delays + 1);
      EXPECT_LE(work.delays, max_delays_an_hour + changes[name]) << name;
      EXPECT_LE(work.successes, most) << name;
      EXPECT_LE(work.attempts - before[name], most + max_failures_of_a_success * work.successes) << name;
      attempts += work.attempts - before[name];
      expect_truth_of_failure(name, work);
    }
    EXPECT_LE(calls_, max_calls_of_an_attempt * (attempts + 1));
    EXPECT_LE(watches_, max_watches_an_hour);
    expect_no_violations();
  }
  // Ends earlier if there are far too many attempts.
  void advance_time(Duration time, const std::map<std::string, int>& before) {
    const auto has_gone_wrong = [&](const auto& one) {
      return work_.works[one.first].attempts - one.second > 40 * max_attempts_an_hour;
    };
    for (Duration passed{}; passed < time; passed += 1min) {
      if (std::any_of(before.begin(), before.end(), has_gone_wrong)) return;
      sleep(1min);
    }
  }
  void count_calls() {
    calls_ = 0;
    watches_ = 0;
    instance_->transport().set_faults({{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                          ++(http::is_watch(request) ? watches_ : calls_);
                                          return false;
                                        }}});
  }
  void expect_truth_of_failure(const std::string& name, const Work& work) const {
    const auto widget = find(name);
    if (!widget || widget->is_deleting() || work.is_clean_up || work.failure.empty()) return;
    const Readiness readiness = pattern_.readiness(*widget);
    EXPECT_FALSE(readiness.is_ready) << name << " failed: " << work.failure;
    const bool is_reported = pattern_.reports_exceptions || work.end != End::exception;
    EXPECT_EQ(readiness.failure.find(work.failure) != std::string::npos, is_reported)
        << name << " failed: " << work.failure << ", and says: " << readiness.failure;
  }

  // Ends all failures. Work that is retried succeeds by itself; the rest succeeds after a change.
  void recover() {
    for (auto& [name, work] : work_.works) work.weights = all_is_well;
    sleep(40min);
    for (const auto& [name, work] : work_.works) {
      const auto widget = find(name);
      if (!widget) continue;
      const bool may_have_given_up = work.end != End::delay && pattern_.gives_up_after != 0;
      const bool is_final = work_.is_final(work) || may_have_given_up ||
                            (pattern_.has_final_phase && (*widget)["/status/phase"] == "Error");
      EXPECT_TRUE(work.end == End::done || is_final) << name << " was forgotten: " << widget->to_value();
      if (pattern_.has_final_phase) patch(name, {{"status", {{"phase", "Deploying"}}}}, {.subresource = "status"});
      set_text(name);
    }
    sleep(20min);
    expect_the_end();
  }
  void expect_the_end() {
    std::erase_if(work_.things, [&](const auto& thing) {
      return !find(thing.first) && work_.excused.contains(object_named(thing.first, thing.second));
    });
    std::map<std::string, std::string> children;
    for (const Object& child : stage_.simulation.server().objects("configmaps")) {
      children[std::string(child.name())] = child["/data/text"].text();
    }
    EXPECT_EQ(work_.things, stage_.there());
    EXPECT_EQ(children, stage_.there());
    for (const Object& widget : stage_.simulation.server().objects("widgets.patterns.dev")) {
      EXPECT_FALSE(widget.is_deleting()) << widget.name();
      const Readiness readiness = pattern_.readiness(widget);
      EXPECT_TRUE(readiness.is_ready) << widget.to_value();
      EXPECT_EQ(readiness.failure, "") << widget.name();
      EXPECT_EQ(widget["/status/seen"], widget["/spec/text"].text()) << widget.name();
      EXPECT_EQ(observed_generation(widget), widget.generation()) << widget.to_value();
    }
    for (const std::string& object : work_.made) {
      const bool is_there = is_kept(object);
      const bool may_be_lost = work_.excused.contains(object);
      EXPECT_TRUE(is_there || may_be_lost || work_.cleaned.contains(object)) << object << " was not cleaned up";
      EXPECT_FALSE(is_there && work_.cleaned.contains(object)) << object << " was cleaned up while it was there";
    }
    EXPECT_FALSE(work_.made.empty());
    expect_no_violations();
  }
  [[nodiscard]] bool is_kept(const std::string& object) const {
    return std::any_of(work_.things.begin(), work_.things.end(),
                       [&](const auto& thing) { return object_named(thing.first, thing.second) == object; });
  }
  [[nodiscard]] std::int64_t observed_generation(const Object& widget) const {
    for (const json::View condition : widget["/status/conditions"].elements()) {
      if (condition["/type"] == pattern_.readiness_condition)
        return condition["/observedGeneration"].as_integer().value_or(0);
    }
    return 0;
  }

  void idle_for_an_hour() {
    count_calls();
    int before = 0;
    for (const auto& [name, work] : work_.works) before += work.attempts;
    const std::uint64_t writes = stage_.simulation.server().writes();
    sleep(1h);
    int after = 0;
    for (const auto& [name, work] : work_.works) after += work.attempts;
    EXPECT_EQ(after, before) << "reconciles in an idle hour";
    EXPECT_EQ(calls_, 0) << "calls in an idle hour";
    EXPECT_EQ(stage_.simulation.server().writes(), writes);
    EXPECT_LE(watches_, max_watches_an_hour);
  }

  const Pattern& pattern_;
  mutable Stage stage_;
  RandomWork work_;
  Random random_;
  std::unique_ptr<testkit::Instance> instance_;
  int texts_ = 0;
  int calls_ = 0;    // requests to the server, since count_calls()
  int watches_ = 0;  // watches, since count_calls()
};

// With work that fails and writes, there are no endless loops, no lost objects and no wrong status.
TEST_P(EveryPattern, RandomWorkWithFailuresEndsInTheRightState) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 30, .sanitized = 3, .long_run = 1'000})) {
    SCOPED_TRACE("PINTLE_SEED=" + std::to_string(seed));
    FailingStory(GetParam(), seed).run();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace pintle::every_pattern
