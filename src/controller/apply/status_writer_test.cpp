#include <pintle/controller/status_writer.hpp>

#include <pintle/json/pointer.hpp>
#include <pintle/object/crd.hpp>
#include <pintle/testing/seeds.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
constexpr auto yes = ConditionStatus::true_;
constexpr auto no = ConditionStatus::false_;

struct Ship {
  static constexpr Type type{"test.pintle.dev/v1", "Ship"};
  struct Spec {
    std::int64_t masts = 1;
    static constexpr auto fields() { return pintle::fields(field("masts", &Spec::masts, "How many.")); }
  };
  struct Crew {
    std::int64_t sailors = 0;
    std::optional<std::string> cook{};
    static constexpr auto fields() {
      return pintle::fields(field("sailors", &Crew::sailors, "How many."), field("cook", &Crew::cook, "Who."));
    }
  };
  struct Status {
    std::string phase{};
    std::int64_t ready = 0;
    std::optional<Crew> crew{};
    std::map<std::string, std::string> cabins{};
    std::vector<std::string> ports{};
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("phase", &Status::phase, "Where it is."), field("ready", &Status::ready, "Masts up."),
                            field("crew", &Status::crew, "On board."),
                            field("cabins", &Status::cabins, "Who is where."), field("ports", &Status::ports, "Seen."),
                            field("conditions", &Status::conditions, "What is so."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

Object ship_with_status(const std::string& status) {
  return *Object::parse(R"({"apiVersion":"test.pintle.dev/v1","kind":"Ship","metadata":{"name":"a"},"status":)" +
                        status + "}");
}

class StatusWriterTest : public ::testing::Test {
 protected:
  explicit StatusWriterTest(std::uint64_t seed = 1)
      : simulation({.seed = seed}),
        spy(simulation.server()),
        transport(std::make_shared<http::InProcessTransport>(simulation.executor(), spy)),
        client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}) {
    json::Value crd = crd_of<Ship>();
    // Other clients write members that the struct does not have.
    const bool set = json::set(crd, "/spec/versions/0/schema/openAPIV3Schema/properties/status",
                               json::object{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})
                         .has_value();
    EXPECT_TRUE(set);
    EXPECT_TRUE(simulation.user().create(crd));
    EXPECT_TRUE(simulation.wait_until([&] {
      simulation.user().invalidate_discovery(Ship::type);
      return simulation.user().resource(Ship::type).has_value();
    }));
    const auto made = simulation.user().create(Ship{.metadata = {.name = "a", .namespace_ = "default"}});
    EXPECT_TRUE(made) << made.error().to_string();
  }
  ~StatusWriterTest() override { transport->stop(); }

  class Spy final : public http::Handler {
   public:
    explicit Spy(http::Handler& server) : server_(server) {}
    http::Response handle(const http::Request& request) override {
      if (request.method == "PATCH") {
        if (before_patch) before_patch();
        patches.push_back(request.body);
        targets.push_back(request.target);
      }
      if (request.method == "GET" && request.target.find("/ships/") != std::string::npos) ++gets;
      return server_.handle(request);
    }
    std::function<void()> before_patch;
    std::vector<std::string> patches;
    std::vector<std::string> targets;
    int gets = 0;

   private:
    http::Handler& server_;
  };

  const ObjectKey key{"default", "a"};
  Object stored() { return simulation.user().get(Ship::type, key).value_or(Object()); }
  StatusDraft draft() { return draft(stored()); }
  StatusDraft draft(const Object& object) { return {object, simulation.executor()}; }
  Result<Object> flush(StatusDraft& draft) { return writer.flush(draft, {}); }
  // A write by another client, which the spy does not record.
  void user_patches(const json::Value& status) {
    const auto patched = simulation.server().handle(
        {.method = "PATCH",
         .target = "/apis/test.pintle.dev/v1/namespaces/default/ships/a/status?fieldManager=somebody",
         .headers = {{"Content-Type", "application/merge-patch+json"}},
         .body = json::print(json::object{{"status", status}})});
    EXPECT_EQ(patched.status, 200) << patched.body;
  }
  void somebody_changes_spec() {
    ASSERT_TRUE(simulation.user().patch(Ship::type, key, json::Value{{"spec", {{"masts", ++masts}}}}));
  }

  int masts = 1;
  testing::Simulation simulation;
  Spy spy;
  std::shared_ptr<http::InProcessTransport> transport;
  Client client;
  StatusWriter writer{client, "manager"};
};

TEST_F(StatusWriterTest, WritesAllChangesInOneRequest) {
  StatusDraft status = draft();
  EXPECT_TRUE(status.empty());
  status.set("/phase", "Sailing");
  status.set("/crew/sailors", 7);
  status.set_condition({.type = "Ready", .status = yes, .reason = "Complete", .message = "all is well"});
  EXPECT_FALSE(status.empty());
  const auto written = flush(status);
  ASSERT_TRUE(written) << written.error().to_string();
  EXPECT_EQ(*written, stored());
  EXPECT_EQ(spy.patches.size(), 1U);
  EXPECT_EQ(stored()["/status/phase"], "Sailing");
  EXPECT_EQ(stored()["/status/crew/sailors"], 7);
  const auto ready = find_condition(stored(), "Ready");
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->message, "all is well");
  EXPECT_EQ(ready->observed_generation, 1);
  EXPECT_EQ(ready->last_transition_time, std::chrono::floor<std::chrono::seconds>(simulation.executor().wall_now()));
  EXPECT_NE(spy.targets[0].find("/ships/a/status?fieldManager=manager"), std::string::npos) << spy.targets[0];
}

TEST_F(StatusWriterTest, SendsNothingWhenNothingChanged) {
  user_patches({{"phase", "Sailing"}});
  StatusDraft untouched = draft();
  EXPECT_TRUE(flush(untouched));
  StatusDraft same = draft();
  same.set("/phase", "Sailing");
  same.remove("/crew");
  same.remove_condition("Ready");
  EXPECT_TRUE(flush(same));
  EXPECT_TRUE(spy.patches.empty());
}

TEST_F(StatusWriterTest, ASecondFlushSendsLaterChangesOnly) {
  StatusDraft status = draft();
  status.set("/phase", "Leaving");
  ASSERT_TRUE(flush(status));
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(spy.patches.size(), 1U);
  status.set("/phase", "Sailing");
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(spy.patches.size(), 2U);
  EXPECT_EQ(spy.gets, 0) << "no conflict with an own write";
  EXPECT_EQ(stored()["/status/phase"], "Sailing");
}

TEST_F(StatusWriterTest, ALaterFlushDoesNotOverwriteForeignChanges) {
  StatusDraft status = draft();
  status.set("/phase", "Leaving");
  ASSERT_TRUE(flush(status));
  EXPECT_TRUE(status.empty());
  user_patches({{"phase", "Theirs"}});
  status.set("/ready", 1);
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(stored()["/status/phase"], "Theirs");
  EXPECT_EQ(stored()["/status/ready"], 1);
}

// The status of another writer survives (TX-13).
TEST_F(StatusWriterTest, ForeignChangesSinceTheReadStay) {
  user_patches({{"phase", "Old"}, {"theirs", "a"}});
  StatusDraft status = draft();
  status.set("/phase", "New");
  status.set_condition({.type = "Ready", .status = yes, .reason = "R"});
  user_patches({{"theirs", "b"},
                {"more", 1},
                {"conditions", json::array{json::object{{"type", "Theirs"},
                                                        {"status", "True"},
                                                        {"reason", "T"},
                                                        {"message", ""},
                                                        {"extra", "kept"},
                                                        {"lastTransitionTime", "2020-01-01T00:00:00Z"}}}}});
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(stored()["/status/phase"], "New");
  EXPECT_EQ(stored()["/status/theirs"], "b");
  EXPECT_EQ(stored()["/status/more"], 1);
  EXPECT_EQ(stored()["/status/conditions/0/type"], "Theirs");
  EXPECT_EQ(stored()["/status/conditions/0/extra"], "kept");
  EXPECT_EQ(stored()["/status/conditions/1/type"], "Ready");
  EXPECT_EQ(spy.gets, 1) << "read again once";
}

// Three writers of one list, each with its own condition, with writes in random order: no condition and no field is
// lost (TX-13, R10).
TEST(StatusOfTwoWriters, KeepsBoth) {
  for (const std::uint64_t seed : testing::seeds({.usual = 25, .sanitized = 25, .long_run = 500})) {
    SCOPED_TRACE(seed);
    testing::Simulation simulation({.seed = seed});
    Client& user = simulation.user();
    ASSERT_TRUE(user.create(crd_of<Ship>()));
    ASSERT_TRUE(simulation.wait_until([&] {
      user.invalidate_discovery(Ship::type);
      return user.resource(Ship::type).has_value();
    }));
    ASSERT_TRUE(user.create(Ship{.metadata = {.name = "a", .namespace_ = "default"}}));
    constexpr int rounds = 10;
    const auto write = [&](const std::string& name) {
      StatusWriter writer(user, name);
      Random random(seed * 31 + name.size());
      Object seen;
      for (int round = 1; round <= rounds;) {
        // In some rounds the writer starts from an older object.
        if (!seen || random.below(3) != 0) seen = *user.get(Ship::type, {"default", "a"});
        simulation.executor().sleep_for(std::chrono::milliseconds(random.below(4)));
        StatusDraft draft(seen, simulation.executor());
        draft.set("/cabins/" + name, std::to_string(round));
        draft.set_condition({.type = name, .status = round % 2 == 0 ? yes : no, .reason = "R" + std::to_string(round)});
        const auto written = writer.flush(draft, {});
        if (written) {
          ++round;
        } else {
          EXPECT_EQ(written.error().code, ErrorCode::conflict) << written.error().to_string();
        }
      }
    };
    {
      std::vector<Thread> threads;
      for (const char* name : {"One", "Second", "Another"}) {
        threads.push_back(simulation.executor().spawn({.name = name}, [&, name] { write(name); }));
      }
    }
    const Object ship = *user.get(Ship::type, {"default", "a"});
    for (const char* name : {"One", "Second", "Another"}) {
      EXPECT_EQ(ship["/status/cabins"].member(name), std::to_string(rounds));
      const auto condition = find_condition(ship, name);
      ASSERT_TRUE(condition) << ship.print();
      EXPECT_EQ(condition->reason, "R" + std::to_string(rounds));
    }
    EXPECT_EQ(ship["/status/conditions"].size(), 3U);
    if (::testing::Test::HasFailure()) return;
  }
}

// The transition time depends on the object of the server, not on the one that was read (R10).
TEST_F(StatusWriterTest, TheTransitionTimeFollowsFromTheNewestObject) {
  const Object old = stored();
  StatusDraft first = draft(old);
  first.set_condition({.type = "Ready", .status = yes, .reason = "A"});
  ASSERT_TRUE(flush(first));
  const auto began = find_condition(stored(), "Ready")->last_transition_time;
  simulation.executor().sleep_for(1h);
  StatusDraft second = draft(old);
  second.set_condition({.type = "Ready", .status = yes, .reason = "B"});
  ASSERT_TRUE(flush(second));
  EXPECT_EQ(find_condition(stored(), "Ready")->last_transition_time, began);
  EXPECT_EQ(find_condition(stored(), "Ready")->reason, "B");
  StatusDraft third = draft();
  third.set_condition({.type = "Ready", .status = no, .reason = "C"});
  ASSERT_TRUE(flush(third));
  EXPECT_GE(find_condition(stored(), "Ready")->last_transition_time, began + 1h);
}

TEST_F(StatusWriterTest, ObservedGenerationIsThatOfTheReconciledObject) {
  StatusDraft status = draft();
  somebody_changes_spec();
  status.set_condition({.type = "Ready", .status = yes, .reason = "R", .observed_generation = 99});
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(stored().generation(), 2);
  EXPECT_EQ(find_condition(stored(), "Ready")->observed_generation, 1);
  StatusDraft next = draft();
  next.set_condition({.type = "Ready", .status = yes, .reason = "R"});
  ASSERT_TRUE(flush(next));
  EXPECT_EQ(find_condition(stored(), "Ready")->observed_generation, 2);
  somebody_changes_spec();
  next.set_observed_object(stored());
  next.set_condition({.type = "Ready", .status = yes, .reason = "R"});
  ASSERT_TRUE(flush(next));
  EXPECT_EQ(find_condition(stored(), "Ready")->observed_generation, 3);
}

// A condition type with its own statuses and with an optional member.
struct Watch {
  enum class State { on, off };
  friend constexpr auto enum_names(State) {
    return names_of<State>({{State::on, "On Watch"}, {State::off, "Off Watch"}});
  }
  std::string type{};
  State status = State::off;
  std::optional<std::string> officer{};
  WallTime last_transition_time{};
  static constexpr std::string_view list_map_key = "type";
  static constexpr auto fields() {
    return pintle::fields(field("type", &Watch::type), field("status", &Watch::status),
                          field("officer", &Watch::officer), field("lastTransitionTime", &Watch::last_transition_time));
  }
};

TEST_F(StatusWriterTest, AConditionMayHaveCustomStatuses) {
  StatusDraft status = draft();
  status.set_condition(Watch{.type = "First", .status = Watch::State::on, .officer = "Joe"});
  ASSERT_TRUE(flush(status));
  const Object first = stored();
  EXPECT_EQ(first["/status/conditions/0/status"], "On Watch");
  EXPECT_EQ(first["/status/conditions/0/officer"], "Joe");
  EXPECT_EQ(first["/status/conditions/0/observedGeneration"], 1);
  simulation.executor().sleep_for(1h);
  status.set_condition(Watch{.type = "First", .status = Watch::State::on});
  status.set_condition(Watch{.type = "Second"});
  ASSERT_TRUE(flush(status));
  const Object second = stored();
  EXPECT_FALSE(second["/status/conditions/0/officer"].exists()) << "omitted fields are removed";
  EXPECT_EQ(second["/status/conditions/0/lastTransitionTime"], first["/status/conditions/0/lastTransitionTime"].text());
  EXPECT_FALSE(second["/status/conditions/1/officer"].exists());
  EXPECT_EQ(second["/status/conditions/1/status"], "Off Watch");
}

TEST_F(StatusWriterTest, AWriteOfTheSameReconcileIsNoConflict) {
  StatusDraft status = draft();
  status.set("/phase", "Sailing");
  const auto patched = simulation.user().patch(Ship::type, key, json::Value{{"metadata", {{"labels", {{"a", "b"}}}}}});
  ASSERT_TRUE(patched);
  status.rebase(*patched);
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(spy.patches.size(), 1U);
  EXPECT_EQ(spy.gets, 0);
}

TEST_F(StatusWriterTest, RetriesOfConflictsAreLimited) {
  StatusDraft status = draft();
  status.set("/phase", "Sailing");
  int n = 0;
  spy.before_patch = [&] { user_patches({{"theirs", ++n}}); };
  const auto written = flush(status);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::conflict);
  EXPECT_EQ(spy.patches.size(), 5U);
}

TEST_F(StatusWriterTest, ChangesThatTheCheckRefusesAreNotWritten) {
  StatusDraft status = draft();
  status.set("/phase", "Sailing");
  user_patches({{"theirs", "a"}});
  std::string newest;
  const auto refused = writer.flush(status, {}, [&](const Object& object) -> Result<void> {
    newest = object["/status/theirs"].text();
    return fail(ErrorCode::conflict, "not on top of that");
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "not on top of that");
  EXPECT_EQ(newest, "a");
  EXPECT_FALSE(stored()["/status/phase"].exists());
  const auto written = writer.flush(status, {}, [](const Object&) -> Result<void> { return fail({}); });
  EXPECT_TRUE(written) << "no change since the last read";
}

TEST_F(StatusWriterTest, ADraftReturnsTheNewestObject) {
  StatusDraft status = draft();
  EXPECT_EQ(status.object(), stored());
  status.set("/phase", "Sailing");
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(status.object(), stored());
}

TEST_F(StatusWriterTest, AMissingObjectIsNoFailure) {
  StatusDraft status = draft();
  status.set("/phase", "Sunk");
  ASSERT_TRUE(simulation.user().remove(Ship::type, key));
  EXPECT_FALSE(status.is_gone());
  EXPECT_TRUE(flush(status));
  EXPECT_TRUE(status.is_gone());
  status.set("/phase", "Deeper");
  EXPECT_TRUE(flush(status));
  EXPECT_EQ(spy.patches.size(), 1U) << "it is not retried";
}

TEST_F(StatusWriterTest, AnotherObjectOfTheSameNameIsNotTouched) {
  StatusDraft status = draft();
  status.set("/phase", "Sunk");
  ASSERT_TRUE(simulation.user().remove(Ship::type, key));
  ASSERT_TRUE(simulation.user().create(Ship{.metadata = {.name = "a", .namespace_ = "default"}}));
  EXPECT_TRUE(flush(status));
  EXPECT_FALSE(stored()["/status/phase"] == "Sunk");
}

TEST_F(StatusWriterTest, AKindWithoutAStatusIsReported) {
  const auto map = simulation.user().create(encode(ConfigMap{.metadata = {.name = "m", .namespace_ = "default"}}));
  ASSERT_TRUE(map);
  StatusDraft status = draft(*map);
  status.set("/phase", "Sailing");
  const auto written = flush(status);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::unsupported);
  EXPECT_TRUE(written.error().is_terminal);
  EXPECT_NE(written.error().to_string().find("has no status sub-resource; declare a status for ConfigMap"),
            std::string::npos)
      << written.error().to_string();
}

// ---- the struct ----

TEST_F(StatusWriterTest, AStructChangesOnlyItsOwnMembers) {
  user_patches({{"phase", "Old"},
                {"theirs", "a"},
                {"ready", 3},
                {"crew", {{"sailors", 2}, {"cook", "Joe"}, {"cat", "Tom"}}},
                {"cabins", {{"1", "x"}, {"2", "y"}}},
                {"ports", json::array{"A"}}});
  StatusDraft draft = this->draft();
  auto status = draft.as<Ship::Status>();
  ASSERT_TRUE(status);
  EXPECT_EQ(status->crew->cook, "Joe");
  status->phase = "New";
  status->ready = 0;
  status->crew->cook.reset();
  status->cabins.erase("1");
  status->cabins["3"] = "z";
  status->ports.emplace_back("B");
  draft.set(*status);
  ASSERT_TRUE(flush(draft));
  EXPECT_EQ(stored()["/status"].print(), R"({"phase":"New","theirs":"a","ready":0,"crew":{"sailors":2,"cat":"Tom"},)"
                                         R"("cabins":{"2":"y","3":"z"},"ports":["A","B"]})");
}

// 0 and "" are values, and are written too.
TEST_F(StatusWriterTest, AStructWritesItsDefaultsIfTheStatusIsMissing) {
  StatusDraft draft = this->draft();
  draft.set(Ship::Status{});
  ASSERT_TRUE(flush(draft));
  EXPECT_EQ(stored()["/status/ready"], 0);
  EXPECT_EQ(stored()["/status/phase"], "");
  StatusDraft again = this->draft();
  again.set(Ship::Status{});
  ASSERT_TRUE(flush(again));
  EXPECT_EQ(spy.patches.size(), 1U);
}

TEST_F(StatusWriterTest, AStructKeepsForeignAndEarlierConditions) {
  StatusDraft first = draft();
  first.set_condition({.type = "Ready", .status = no, .reason = "A"});
  first.set_condition({.type = "Theirs", .status = no, .reason = "A"});
  ASSERT_TRUE(flush(first));

  StatusDraft second = draft();
  Ship::Status status = *second.as<Ship::Status>();
  second.set_condition({.type = "Ready", .status = yes, .reason = "B"});
  set_condition(status.conditions, {.type = "Other", .status = yes, .reason = "C"}, simulation.executor().wall_now());
  second.set(status);
  ASSERT_TRUE(flush(second));
  EXPECT_TRUE(is_condition_true(stored(), "Ready"));
  EXPECT_TRUE(is_condition_true(stored(), "Other"));
  EXPECT_TRUE(find_condition(stored(), "Theirs"));

  StatusDraft third = draft();
  third.set(Ship::Status{.phase = "Fresh"});
  third.remove_condition("Other");
  ASSERT_TRUE(flush(third));
  EXPECT_EQ(stored()["/status/conditions"].size(), 2U) << "only remove_condition removes";
}

TEST_F(StatusWriterTest, AStructKeepsForeignChangesOfUnchangedMembers) {
  user_patches({{"phase", "Old"}, {"ready", 1}});
  StatusDraft draft = this->draft();
  Ship::Status status = *draft.as<Ship::Status>();
  status.phase = "New";
  draft.set(status);
  user_patches({{"ready", 5}});
  ASSERT_TRUE(flush(draft));
  EXPECT_EQ(stored()["/status/ready"], 5);
  EXPECT_EQ(stored()["/status/phase"], "New");
}

// ---- errors in a draft ----

TEST_F(StatusWriterTest, ErrorsAreReturnedAndTheRestIsWritten) {
  const auto error_of = [&](const std::function<void(StatusDraft&)>& write) {
    StatusDraft status = draft();
    write(status);
    status.set("/phase", "Written " + std::to_string(spy.patches.size()));
    const auto written = flush(status);
    EXPECT_TRUE(stored()["/status/phase"].text().starts_with("Written"));
    return written ? std::string() : written.error().to_string();
  };
  using D = StatusDraft;
  EXPECT_EQ(error_of([](D&) {}), "");
  EXPECT_NE(error_of([](D& s) {
              s.set_condition({.type = "Ready", .reason = "two words"});
            }).find("condition \"Ready\": reason"),
            std::string::npos);
  EXPECT_NE(error_of([](D& s) { s.set("phase", 1); }).find("is not a JSON pointer"), std::string::npos);
  EXPECT_NE(error_of([](D& s) { s.set("", 1); }), "");
  EXPECT_NE(error_of([](D& s) { s.set("/phase/deep", 1); }), "") << "the parent is a text";
  EXPECT_NE(error_of([](D& s) { s.set("/conditions/0/status", "True"); }).find("use set_condition()"),
            std::string::npos);
  EXPECT_NE(error_of([](D& s) {
              Ship::Status status;
              status.conditions.push_back({.type = "Ready", .status = yes, .reason = ""});
              s.set(status);
            }).find("reason must not be empty"),
            std::string::npos);
  EXPECT_EQ(spy.patches.size(), 7U);
}

TEST_F(StatusWriterTest, ANullRemovesAMember) {
  user_patches({{"phase", "Old"}, {"crew", {{"sailors", 1}}}});
  StatusDraft status = draft();
  status.set("/phase", nullptr);
  status.set("/crew", {{"sailors", 2}, {"cook", nullptr}});
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(stored()["/status"].print(), R"({"crew":{"sailors":2}})");
}

TEST_F(StatusWriterTest, ValueIsTheStatusWithTheDraftedChanges) {
  StatusDraft status = draft();
  EXPECT_TRUE(status.value().is_null());
  status.set("/phase", "A");
  status.set("/phase", "B");
  status.set_condition({.type = "Ready", .status = yes, .reason = "A"});
  status.remove_condition("Ready");
  EXPECT_EQ(json::print(status.value()), R"({"phase":"B"})");
  EXPECT_EQ(status.as<Ship::Status>()->phase, "B");
  status.set("/phase", 7);
  EXPECT_EQ(status.as<Ship::Status>().error().message, "status.phase: expected a string, got an integer");
}

TEST(StatusJoin, AFailureTakesPrecedenceAndTwoAreCombined) {
  const Result<Object> fine = Object();
  const Result<Object> bad = make_error(ErrorCode::unavailable, "no status");
  const Result<Object> stopped = make_error(ErrorCode::cancelled, "stop");
  EXPECT_TRUE(join(done, fine).is_done());
  EXPECT_NE(join(requeue_after(1s), fine).as_requeue_after(), nullptr);
  EXPECT_EQ(join(done, bad).as_failed()->message, "no status");
  EXPECT_EQ(join(requeue_after(1s), bad).as_failed()->code, ErrorCode::unavailable);
  EXPECT_EQ(join(done, stopped).as_failed()->code, ErrorCode::cancelled);
  const Error first = make_error(ErrorCode::invalid, "first").terminal();
  const Outcome both = join(failed(first), bad);
  EXPECT_EQ(both.as_failed()->message, "first; and no status");
  EXPECT_EQ(both.as_failed()->code, ErrorCode::invalid);
  EXPECT_FALSE(both.as_failed()->is_terminal) << "a retry may write the status";
  EXPECT_EQ(join(failed(first), stopped).as_failed()->message, "first");
}

TEST(StatusDraftTest, EditChangesTheMembersThatTheFunctionChanges) {
  const auto executor = make_real_executor();
  StatusDraft draft(ship_with_status(R"({"phase":"Docked","other":1})"), *executor);
  draft.edit<Ship::Status>([](Ship::Status& status) { status.phase += "!"; });
  EXPECT_EQ(draft.value().at("phase"), "Docked!");
  EXPECT_EQ(draft.value().at("other"), 1) << "a member that the struct does not have";
}

TEST(StatusDraftTest, EditOfAStatusThatCannotBeDecodedIsAnError) {
  const auto executor = make_real_executor();
  StatusDraft draft(ship_with_status(R"({"phase":7})"), *executor);
  bool was_called = false;
  draft.edit<Ship::Status>([&](Ship::Status&) { was_called = true; });
  EXPECT_FALSE(was_called);
  ASSERT_TRUE(draft.error());
  EXPECT_NE(draft.error()->to_string().find("phase"), std::string::npos);
}

TEST(StatusDraftTest, SetTakesEnumerationsAndLists) {
  const auto executor = make_real_executor();
  StatusDraft draft(ship_with_status("{}"), *executor);
  draft.set("/state", ConditionStatus::true_);
  draft.set("/names", std::vector<std::string>{"a", "b"});
  EXPECT_EQ(draft.value(), (json::Value{{"state", "True"}, {"names", {"a", "b"}}}));
}

}  // namespace
}  // namespace pintle
