// SPDX-License-Identifier: Apache-2.0
// Deletions, crashes, conflicts, lost watches and changes of leader do not lose work, in any pattern.
#include "test_support.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

// Resources outside the cluster, which an operator keeps as its objects define. The part of a text before "/"
// distinguishes objects of the same name, for example "3/...".
class Outside {
 public:
  [[nodiscard]] Job job(std::string finalizer = Job{}.finalizer) {
    return {.reconcile = [this](const ObjectKey& key, const std::string& text, Context&) -> Outcome {
              things[key.name] = text;
              made.insert(object_of(key.name, text));
              return done;
            },
            .clean_up = [this](const ObjectKey& key, Context&) -> Outcome {
              const auto thing = things.find(key.name);
              if (thing != things.end()) {
                ++cleaned_of[object_of(key.name, thing->second)];
                things.erase(thing);
              }
              ++cleaned[key.name];
              return done;
            },
            .finalizer = std::move(finalizer),
            .workers = 2};
  }
  static std::string object_of(const std::string& name, const std::string& text) {
    return name + "#" + text.substr(0, text.find('/'));
  }
  // Each object for which something was created was cleaned up exactly once, and the clean-up of a name was called at
  // most as often as an object of that name was removed.
  void expect_one_clean_up_of_each(const std::map<std::string, int>& removed) const {
    for (const std::string& object : made) {
      const auto count = cleaned_of.find(object);
      EXPECT_EQ(count == cleaned_of.end() ? 0 : count->second, things_of().contains(object) ? 0 : 1) << object;
    }
    for (const auto& [name, count] : cleaned) {
      const auto most = removed.find(name);
      EXPECT_LE(count, most == removed.end() ? 0 : most->second) << name;
    }
  }
  [[nodiscard]] std::set<std::string> things_of() const {
    std::set<std::string> objects;
    for (const auto& [name, text] : things) objects.insert(object_of(name, text));
    return objects;
  }

  std::map<std::string, std::string> things;
  std::set<std::string> made;             // the objects for which something was created
  std::map<std::string, int> cleaned_of;  // clean-ups of something that was created, by object
  std::map<std::string, int> cleaned;     // all calls, by name
};

bool is_about_widgets(const http::Request& request) {
  return http::is_write(request) && request.target.find("/widgets/") != std::string::npos;
}

// With watches cut at random points, the resources of the operator finally match the objects of the server. Each object
// for which something was created was cleaned up once when it was deleted (TX-08).
TEST_P(EveryPattern, WatchesCutAtRandomPointsLoseNothing) {
  const int steps = testkit::is_sanitized ? 100 : 1000;
  Outside outside;
  run(outside.job());
  instance->transport().set_faults(
      {{.effect = http::TruncateBody{.after_bytes = 700}, .only = http::is_watch, .every = 3},
       {.effect = http::TruncateBody{.after_bytes = 5'000, .how = http::TruncateBody::How::end},
        .only = http::is_watch,
        .every = 2}});
  std::map<std::string, int> removed;
  for (int step = 0; step < steps; ++step) {
    const std::string name = "w" + std::to_string(simulation.random().below(5));
    const bool is_there = stage.there().contains(name);
    if (!is_there) {
      stage.create(name, std::to_string(step) + "/0");
    } else if (simulation.random().below(3) == 0) {
      stage.remove(name);
      ++removed[name];
      ASSERT_TRUE(simulation.wait_until([&] { return !stage.there().contains(name); }));
    } else {
      const std::string text = stage.there().at(name);
      stage.set_text(name, text.substr(0, text.find('/') + 1) + std::to_string(step));
    }
    simulation.executor().sleep_for(std::chrono::milliseconds(simulation.random().below(200)));
  }
  instance->transport().set_faults({});
  simulation.executor().sleep_for(15min);
  EXPECT_EQ(outside.things, stage.there());
  EXPECT_GE(outside.made.size(), static_cast<std::size_t>(steps / 10));
  outside.expect_one_clean_up_of_each(removed);
}

// If the watch history of the server is lost, objects are listed again, and deletions that the watch missed are cleaned
// up (TX-09).
TEST_P(EveryPattern, ADroppedWatchHistoryLosesNoDeletion) {
  Outside outside;
  run(outside.job());
  stage.create("a", "1");
  stage.create("b", "1");
  simulation.executor().sleep_for(10s);
  ASSERT_EQ(outside.things.size(), 2U);
  instance->transport().set_faults({{.effect = http::Drop{}}});
  simulation.executor().sleep_for(30min);
  stage.remove("a");
  stage.set_text("b", "2");
  simulation.server().compact();
  instance->transport().set_faults({});
  simulation.executor().sleep_for(5min);
  EXPECT_EQ(outside.things, (std::map<std::string, std::string>{{"b", "2"}}));
  EXPECT_EQ(outside.cleaned["a"], 1);
  EXPECT_EQ(stage.there().size(), 1U);
}

// Two operators with two finalizers on one object, in random order: both clean up, and both finalizers are removed
// (TX-10).
TEST_P(EveryPattern, TwoOperatorsLoseNoCleanupInAnyOrder) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 50, .sanitized = 5})) {
    SCOPED_TRACE("PINTLE_SEED=" + std::to_string(seed));
    Stage one(seed);
    Outside first;
    Outside second;
    auto first_operator = one.run(GetParam(), first.job("first.dev/cleanup"), {.name = "first"});
    auto second_operator = one.run(GetParam(), second.job("second.dev/cleanup"), {.name = "second"});
    Random& random = one.simulation.random();
    std::map<std::string, int> removed;
    const auto remove = [&](const std::string& name) {
      const auto widgets = one.simulation.server().objects("widgets.patterns.dev");
      for (const Object& widget : widgets) removed[name] += widget.name() == name && !widget.is_deleting() ? 1 : 0;
      one.remove(name);
    };
    const auto seen_by_both = [&](const std::string& object) {
      return first.made.contains(object) && second.made.contains(object);
    };
    for (int step = 0; step < 15; ++step) {
      const std::string name = "w" + std::to_string(random.below(3));
      if (random.below(2) == 0) {
        (void)one.simulation.user().create(
            Widget{.metadata = {.name = name, .namespace_ = "default"}, .spec = {.text = std::to_string(step) + "/"}});
      } else {
        remove(name);
      }
      one.simulation.executor().sleep_for(std::chrono::milliseconds(random.below(40)));
    }
    // At least one object that both operators have handled.
    one.create("known", "known/");
    EXPECT_TRUE(one.simulation.wait_until([&] { return seen_by_both("known#known"); }, 1min));
    one.simulation.executor().sleep_for(std::chrono::milliseconds(random.below(40)));
    for (const char* name : {"w0", "w1", "w2", "known"}) remove(name);
    EXPECT_TRUE(one.simulation.wait_until([&] { return one.there().empty(); }, 5min));
    EXPECT_TRUE(GetParam().is_held_at_once || one.simulation.run_until_idle());
    for (const Outside* outside : {&first, &second}) {
      EXPECT_TRUE(outside->things.empty());
      outside->expect_one_clean_up_of_each(removed);
    }
    if (HasFailure()) return;
  }
}

// Three objects: one stays, one is changed, one is removed. Each step is done once, no matter how often the operator is
// restarted.
class Story {
 public:
  explicit Story(Stage& stage) : stage_(stage) {}

  // Runs the operator until all is done or it crashes. Returns the number of its calls.
  std::uint64_t live(const Pattern& pattern, Outside& outside, http::FaultPlan faults) {
    auto instance = stage_.make(pattern, outside.job(), {.log_level = LogLevel::off}, std::move(faults));
    instance->start();
    const auto wait_for = [&](const std::function<bool()>& condition, Duration most) {
      stage_.simulation.wait_until([&] { return instance->transport().is_crashed() || condition(); }, most);
      return !instance->transport().is_crashed();
    };
    bool lives = wait_for([&] { return instance->manager().is_ready(); }, 2min);
    for (; lives && next_ < 4; ++next_) {
      switch (next_) {
        case 0: stage_.create("stays", "1"); break;
        case 1: stage_.create("goes", "1"); break;
        case 2: stage_.set_text("stays", "2"); break;
        default: stage_.remove("goes"); break;
      }
      lives = wait_for([&] { return false; }, 2s);
    }
    if (lives) lives = wait_for([&] { return is_over(outside); }, 30min);
    const std::uint64_t calls = instance->transport().calls();
    if (lives) {
      instance->stop();
    } else {
      instance->crash();
    }
    return calls;
  }
  [[nodiscard]] bool is_over(const Outside& outside) const {
    const std::map<std::string, std::string> wanted{{"stays", "2"}};
    return next_ == 4 && stage_.there() == wanted && outside.things == wanted;
  }

 private:
  Stage& stage_;
  int next_ = 0;
};

// Every first write to an object fails with a conflict (TX-11).
TEST_P(EveryPattern, ConflictsLeadToTheSameState) {
  Outside outside;
  Story story(stage);
  (void)story.live(GetParam(), outside,
                   {{.effect = http::conflict_response(), .only = is_about_widgets, .per_target = true, .every = 2}});
  EXPECT_TRUE(story.is_over(outside));
}

// The operator is killed at any call and started again (TX-12).
TEST_P(EveryPattern, ACrashAtAnyCallLeadsToTheSameState) {
  std::uint64_t calls = 0;
  {
    Stage calm;
    Outside outside;
    Story story(calm);
    calls = story.live(GetParam(), outside, {});
    ASSERT_TRUE(story.is_over(outside));
  }
  ASSERT_GT(calls, 5U);
  for (const std::uint64_t seed : testkit::seeds({.usual = 60, .sanitized = 6})) {
    Stage one(seed);
    const bool after_commit = one.simulation.random().below(2) == 0;
    const std::uint64_t call = 1 + seed % calls;
    SCOPED_TRACE(::testing::Message() << "PINTLE_SEED=" << seed << ", call " << call
                                      << (after_commit ? ", after" : ""));
    Outside outside;
    Story story(one);
    (void)story.live(GetParam(), outside, {{.effect = http::Crash{.after_commit = after_commit}, .first = call}});
    (void)story.live(GetParam(), outside, {});
    EXPECT_TRUE(story.is_over(outside));
    if (HasFailure()) return;
  }
}

// The status members of other writers are preserved, no matter when they are written (TX-13).
TEST_P(EveryPattern, TheStatusOfAnotherWriterIsKept) {
  run({.reconcile = [](const ObjectKey&, const std::string& text, Context& ctx) -> Outcome {
    ctx.status().set("/seen", text);
    return done;
  }});
  const auto others = [&](const std::string& type) {
    const auto widget = simulation.user().get(widget_kind, {"default", "a"});
    ASSERT_TRUE(widget);
    json::Value conditions = json::array{};
    for (const json::View one : (*widget)["/status/conditions"].elements()) {
      conditions.as_array().push_back(one.to_value());
    }
    conditions.as_array().push_back(json::object{{"type", type},
                                                 {"status", GetParam().foreign_condition_status},
                                                 {"reason", "Other"},
                                                 {"message", "by another"},
                                                 {"lastTransitionTime", "2026-01-01T00:00:00Z"}});
    ASSERT_TRUE(simulation.user().patch(widget_kind, {"default", "a"},
                                        json::Value{{"status", {{"conditions", conditions}}}},
                                        {.subresource = "status"}));
  };
  stage.create("a", "1");
  simulation.executor().sleep_for(10s);
  others("Foreign");
  simulation.executor().sleep_for(10s);
  stage.set_text("a", "2");
  simulation.executor().sleep_for(10s);
  others("Strange");
  stage.set_text("a", "3");
  simulation.executor().sleep_for(10s);
  const std::vector<Object> widgets = simulation.server().objects("widgets.patterns.dev");
  ASSERT_EQ(widgets.size(), 1U);
  const std::string status = widgets[0]["/status"].print();
  EXPECT_NE(status.find("Foreign"), std::string::npos) << status;
  EXPECT_NE(status.find("Strange"), std::string::npos) << status;
  EXPECT_EQ(widgets[0]["/status/seen"], "3");
}

// A leader that loses its lease has ended all reconciles before the next leader begins its first one (TX-15).
TEST_P(EveryPattern, WorkOfTwoLeadersNeverOverlaps) {
  int working = 0;
  int most = 0;
  std::vector<std::string> order;
  const auto job = [&](const std::string& who) {
    return Job{.reconcile = [&, who](const ObjectKey&, const std::string&, Context& ctx) -> Outcome {
      most = std::max(most, ++working);
      if (order.empty() || order.back() != who) order.push_back(who);
      ctx.executor().sleep_for(20s, ctx.stop_token());
      --working;
      return requeue_after(1s);
    }};
  };
  const ManagerOptions elected{.name = "op", .leader_election = LeaderElectionOptions{.namespace_ = "default"}};
  auto first = stage.run(GetParam(), job("first"), elected);
  auto second = stage.run(GetParam(), job("second"), elected);
  stage.create("a");
  simulation.executor().sleep_for(1min);
  first->transport().set_faults({{.effect = http::Drop{}}});
  simulation.executor().sleep_for(3min);
  EXPECT_EQ(order, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(most, 1);
  EXPECT_FALSE(first->manager().is_leading());
}

// No finalizer is requested for an object that is being deleted, while another object gets its finalizer (TX-19).
TEST_P(EveryPattern, NoFinalizerIsAddedDuringDeletion) {
  Outside outside;
  run({.reconcile = [](const ObjectKey&, const std::string&, Context&) -> Outcome { return done; }, .finalizer = "-"});
  instance.reset();  // the CRD is installed now
  ASSERT_TRUE(simulation.user().create(
      Widget{.metadata = {.name = "a", .namespace_ = "default", .finalizers = {"other.dev/cleanup"}}}));
  stage.remove("a");
  stage.create("b", "1");
  std::map<std::string, int> requests;  // by the last part of the path
  instance = stage.make(GetParam(), outside.job(), {},
                        {{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                            const auto contains = [&](const std::string& text) {
                              return request.body.find(text) != std::string::npos;
                            };
                            if (!http::is_write(request) || !contains("finalizers") || !contains(Job{}.finalizer)) {
                              return false;
                            }
                            const std::string path = request.target.substr(0, request.target.find('?'));
                            ++requests[path.substr(path.rfind('/') + 1)];
                            return false;
                          }}});
  instance->start();
  simulation.executor().sleep_for(5min);
  EXPECT_EQ(requests, (std::map<std::string, int>{{"b", 1}}));
  EXPECT_EQ(outside.things, (std::map<std::string, std::string>{{"b", "1"}}));
  EXPECT_EQ(outside.cleaned["a"], 0);
  EXPECT_EQ(stage.there().size(), 2U);
}

}  // namespace
}  // namespace pintle::every_pattern
