// SPDX-License-Identifier: Apache-2.0
// TestEnvironment: an operator and a cluster for ordinary tests: on virtual time, in real time, or in a real cluster.
//
//   TEST(Shelf, HasAConfigMap) {
//     pintle::testkit::TestEnvironment environment({.add_controllers = add_controllers});
//     environment.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = 3}});
//     EXPECT_TRUE(environment.eventually<pintle::ConfigMap>("a", pintle::testkit::has_data("slots", "3")));
//   }
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/client/client.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/testing/matchers.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {

/// The environment variables that run the tests of a program in a cluster: the path of a kubeconfig, and the name of a
/// context in it (default: its current context).
inline constexpr const char* test_kubeconfig_variable = "PINTLE_TEST_KUBECONFIG";
inline constexpr const char* test_context_variable = "PINTLE_TEST_CONTEXT";

/// The cluster of a TestEnvironment, and its time.
enum class EnvironmentMode {
  simulated,  ///< the embedded API server on virtual time: a Simulation
  real_time,  ///< the embedded API server in this process, with the threads and the clocks of this machine
  cluster,    ///< the cluster of a kubeconfig, in real time; the operator runs in this process
};
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(EnvironmentMode mode) noexcept;

/// Thrown by the functions of TestEnvironment that prepare a test. The message describes what failed. GoogleTest,
/// Catch2 and doctest report an exception as a failure of the test.
class PINTLE_EXPORT TestFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct TestEnvironmentOptions {
  ManagerOptions manager{};
  /// Does the work of main() between the construction and the start of the manager.
  std::function<void(Manager&)> add_controllers{};
  /// Replaces `manager` and `add_controllers`: main() of the operator, as for Instance.
  std::function<int()> program{};
  /// Changes the options of the manager. The environment has already set the executor and the cluster, and, if they
  /// were empty, `namespaces` and the namespace of leader election. Without a log sink, the log is not printed.
  /// Environment variables of the operator have no effect.
  std::function<void(ManagerOptions&)> adjust{};
  bool start = true;  ///< the constructor starts the operator
  /// A cluster takes precedence, if `kubeconfig` or PINTLE_TEST_KUBECONFIG is set.
  EnvironmentMode mode = EnvironmentMode::simulated;
  std::string kubeconfig{};  ///< default: PINTLE_TEST_KUBECONFIG
  std::string context{};     ///< default: PINTLE_TEST_CONTEXT, if the kubeconfig is that of PINTLE_TEST_KUBECONFIG
  /// The seed, the server and the checks of permissions. With EnvironmentMode::real_time, only `server` has an effect;
  /// in a cluster, none.
  SimulationOptions simulation{};
  /// The operator watches all namespaces, and the test may create objects in all. Otherwise both are restricted to the
  /// namespace of the environment, so that several tests can use one cluster at a time.
  bool all_namespaces = false;
  /// The default limit of eventually(): 10 minutes of virtual time, 30 seconds of real time, 2 minutes in a cluster. It
  /// also applies to the start of the operator and to clean_up().
  Duration limit{};
  /// The default time of always() and never(): 10 minutes of virtual time, 500 milliseconds, 2 seconds in a cluster.
  Duration observation{};
};

/// The name of an object in a test. Without a namespace it is in the namespace of the environment, unless its kind is
/// cluster-scoped. A plain value.
struct ObjectName {
  ObjectName(const char* name) : key{"", name} {}             // NOLINT(google-explicit-constructor)
  ObjectName(std::string name) : key{"", std::move(name)} {}  // NOLINT(google-explicit-constructor)
  ObjectName(ObjectKey of) : key(std::move(of)) {}            // NOLINT(google-explicit-constructor)
  ObjectName(const Object& object) : key(object.key()) {}     // NOLINT(google-explicit-constructor)
  template <Described T>
  ObjectName(const T& object) : key(object.metadata.key()) {}  // NOLINT(google-explicit-constructor)
  ObjectName(std::string namespace_, std::string name) : key{std::move(namespace_), std::move(name)} {}

  ObjectKey key;
};

class EnvironmentState;

/// A cluster, or an embedded API server, with a namespace for one test and with an operator. The same test runs in all
/// modes. Use it on the thread that created it.
///
/// In a cluster, the environment creates a namespace with a name of its own, and removes it with all objects of the
/// test at the end. The operator installs its CRDs as its options require; they remain. Its webhooks need
/// WebhookOptions::url, with an address of this machine that the cluster can reach.
///
/// given() and the other functions that prepare a test throw TestFailure. The checks return a CheckResult, which the
/// macros of GoogleTest print, and which converts to bool for others: REQUIRE(bool(environment.gone<Shelf>("a"))).
class PINTLE_EXPORT TestEnvironment {
 public:
  /// Creates the namespace, starts the operator and waits until it is ready. Throws TestFailure, with the errors of the
  /// operator.
  explicit TestEnvironment(TestEnvironmentOptions options);
  /// As clean_up(), whose failure is printed to standard error. Then stops the operator.
  ~TestEnvironment();
  TestEnvironment(const TestEnvironment&) = delete;
  TestEnvironment& operator=(const TestEnvironment&) = delete;

  [[nodiscard]] EnvironmentMode mode() const noexcept;
  /// The namespace of this environment.
  [[nodiscard]] const std::string& namespace_() const noexcept;
  /// The client of a user who changes objects.
  [[nodiscard]] Client& user() noexcept;
  /// The clocks and threads of the operator; sleep_for() lets virtual time pass.
  [[nodiscard]] Executor& executor() noexcept;
  /// The simulation, for faults and further clusters; null in the other modes.
  [[nodiscard]] Simulation* simulation() noexcept;
  /// Returns a name with eight random characters: "PREFIX-x8k2qwz4". In a simulation they depend only on the seed.
  [[nodiscard]] std::string unique_name(std::string_view prefix);

  /// Starts the operator as a new process would, and waits until it is ready. Stops it first if it runs.
  void start_operator();
  /// Ends the operator as SIGTERM does. Has no effect if it does not run.
  void stop_operator();
  /// The text that the operator prints for these arguments; see output_of_program(). The environment does not change
  /// its options.
  [[nodiscard]] Result<std::string> output(const std::vector<std::string>& arguments) const;
  /// Compares output() with a file; see golden_file(): EXPECT_TRUE(environment.golden({"--print-crds"}, "crds.yaml")).
  [[nodiscard]] CheckResult golden(const std::vector<std::string>& arguments, const std::string& file) const;

  /// Creates an object, and returns it as it is on the server. Unknown fields are errors. Waits until the kind of a new
  /// CustomResourceDefinition is served.
  template <Described T>
  T given(const T& object) {
    return decoded<T>(given(encode(object)));
  }
  Object given(const json::Value& object);
  /// Creates the objects of all documents in a text or a file.
  std::vector<Object> given_yaml(const std::string& text);
  std::vector<Object> given_file(const std::string& path);
  /// Installs the CRD of a described struct, for a kind that the operator does not install, and waits until the kind is
  /// served. The CRD may exist already, and it remains in a cluster.
  template <Described T>
  void install() {
    install(crd_of<T>());
  }
  void install(const json::Value& crd);

  /// Applies a JSON merge patch to an object, or to its status, as another program would do it.
  template <Described T>
  T change(const ObjectName& name, const json::Value& merge_patch) {
    return decoded<T>(change(T::type, name, merge_patch));
  }
  template <Described T>
  T set_status(const ObjectName& name, const json::Value& status) {
    return decoded<T>(set_status(T::type, name, status));
  }
  /// Requests the deletion of an object, which must exist.
  template <Described T>
  void remove(const ObjectName& name) {
    remove(T::type, name);
  }
  Object change(const GroupVersionKind& kind, const ObjectName& name, const json::Value& merge_patch);
  Object set_status(const GroupVersionKind& kind, const ObjectName& name, const json::Value& status);
  void remove(const GroupVersionKind& kind, const ObjectName& name);

  /// Returns an object, which must exist, or all objects of a kind in the namespace of this environment.
  template <Described T>
  [[nodiscard]] T get(const ObjectName& name) {
    return decoded<T>(get(T::type, name));
  }
  template <Described T>
  [[nodiscard]] std::vector<T> list() {
    std::vector<T> all;
    for (const Object& one : list(T::type)) all.push_back(decoded<T>(one));
    return all;
  }
  [[nodiscard]] Object get(const GroupVersionKind& kind, const ObjectName& name);
  [[nodiscard]] std::vector<Object> list(const GroupVersionKind& kind);

  /// Waits until the object exists and matches. Fails after `limit`, or when the operator has ended by itself. The
  /// message contains the object, or that it does not exist, and the last warnings and errors of the operator.
  template <Described T, MatcherOf<T> M>
  [[nodiscard]] CheckResult eventually(const ObjectName& name, const M& matcher, Duration limit = {}) {
    return eventually(T::type, name, Matcher(on_object<T>(matcher)), limit);
  }
  template <Described T>
  [[nodiscard]] CheckResult eventually(const ObjectName& name) {
    return eventually(T::type, name, Matcher(&exists));
  }
  [[nodiscard]] CheckResult eventually(const GroupVersionKind& kind, const ObjectName& name, const Matcher& matcher,
                                       Duration limit = {});
  /// Waits until a condition is true; `description` is for the message. The condition returns a CheckResult, a bool or
  /// a Result<void>.
  template <class C>
    requires requires(const C& condition) { to_check(condition()); }
  [[nodiscard]] CheckResult eventually(const std::string& description, const C& condition, Duration limit = {}) {
    return wait_for(
        description, [&condition] { return to_check(condition()); }, limit);
  }

  /// Waits until no such object exists.
  template <Described T>
  [[nodiscard]] CheckResult gone(const ObjectName& name, Duration limit = {}) {
    return gone(T::type, name, limit);
  }
  [[nodiscard]] CheckResult gone(const GroupVersionKind& kind, const ObjectName& name, Duration limit = {});
  /// Waits until the condition Ready of the object is True for its current generation (testkit::is_ready()).
  template <Described T>
  [[nodiscard]] CheckResult is_ready(const T& object, Duration limit = {}) {
    return eventually(T::type, object, testkit::is_ready(), limit);
  }

  /// Checks during `time` that the object exists and matches, or that no such object matches. Reads the object again
  /// and again, at first after 20 milliseconds of virtual time, and at least every second. A version that exists for a
  /// shorter time may be missed.
  template <Described T, MatcherOf<T> M>
  [[nodiscard]] CheckResult always(const ObjectName& name, const M& matcher, Duration time = {}) {
    return always(T::type, name, Matcher(on_object<T>(matcher)), time);
  }
  [[nodiscard]] CheckResult always(const GroupVersionKind& kind, const ObjectName& name, const Matcher& matcher,
                                   Duration time = {});
  template <Described T, MatcherOf<T> M>
  [[nodiscard]] CheckResult never(const ObjectName& name, const M& matcher, Duration time = {}) {
    return never(T::type, name, Matcher(on_object<T>(matcher)), time);
  }
  template <Described T>
  [[nodiscard]] CheckResult never(const ObjectName& name) {
    return never(T::type, name, Matcher(&exists));
  }
  [[nodiscard]] CheckResult never(const GroupVersionKind& kind, const ObjectName& name, const Matcher& matcher,
                                  Duration time = {});

  /// In a cluster, removes the namespace of this environment and the objects that the test has created outside of it,
  /// and waits until they are gone. The operator still runs, for its finalizers. The result names an object that
  /// remains. In the other modes, has no effect.
  [[nodiscard]] CheckResult clean_up();

 private:
  template <Described T, class M>
  [[nodiscard]] static auto on_object(const M& matcher) {
    return [matcher](const Object& object) -> CheckResult {
      const auto read = decode<T>(object);
      return read ? match(*read, matcher) : CheckResult{.holds = false, .message = read.error().to_string()};
    };
  }
  template <Described T>
  [[nodiscard]] static T decoded(const Object& object) {
    auto read = decode<T>(object);
    if (!read) throw TestFailure(object.describe() + ": " + read.error().to_string());
    return std::move(*read);
  }
  [[nodiscard]] static CheckResult exists(const Object& object);
  [[nodiscard]] CheckResult wait_for(const std::string& description, const std::function<CheckResult()>& condition,
                                     Duration limit);

  const std::unique_ptr<EnvironmentState> state_;
};

}  // namespace pintle::testkit
