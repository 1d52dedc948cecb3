# SPDX-License-Identifier: Apache-2.0
"""Wrong versions of the code that `pintle new` writes. The tests of the project must find each of them."""
import dataclasses


@dataclasses.dataclass
class Wrong:
    """Replacements of texts in a file of the project, or in the only one of a folder, and the tests that must fail then."""
    what: str
    replacements: dict
    tests: list
    file: str = "src/reconcile.cpp"


FOLLOWS, DELETED, RESTORED, REVERTED, DOWN, READY = (
    "TheConfigMapFollowsTheObject", "TheConfigMapIsDeletedWithTheObject", "ADeletedConfigMapIsRestored",
    "AChangedConfigMapIsRestored", "AConfigMapIsRestoredThatIsDeletedWhileTheOperatorIsDown", "TheObjectBecomesReady")
COMPLETED = "TheConditionReportsThatTheStepIsCompleted"
DEFAULT, LOCKED = "AnEmptyMessageGetsADefault", "TheMessageOfALockedObjectCannotBeChanged"

WITHOUT_OWNER = {"pintle::owned_by(object)": "{.name = object.metadata.name, .namespace_ = object.metadata.namespace_}"}
IGNORES_MESSAGE = Wrong("it ignores the message", {"object.spec.message": 'std::string("one")'}, [FOLLOWS])
HAS_NO_OWNER = Wrong("the ConfigMap has no owner", WITHOUT_OWNER, [DELETED])


def does_not_watch(text, instead=""):
    return Wrong("it does not watch ConfigMaps", {text: instead}, [RESTORED, REVERTED])


def is_never_ready(text, instead="", test=READY):
    return Wrong("it does not report that it is ready", {text: instead}, [test])


OWNS = "controller.owns = {pintle::ConfigMap::type};"
REPORTS = is_never_ready(".reports_ready = true", ".reports_ready = false")
BY_PATTERN = {
    "plain": [IGNORES_MESSAGE, HAS_NO_OWNER, does_not_watch(".owns = {pintle::ConfigMap::type}, "),
              is_never_ready("pintle::report_ready(ctx.status());")],
    "crud": [IGNORES_MESSAGE, does_not_watch(".controller = {.owns = {pintle::ConfigMap::type}},"),
             Wrong("nothing is deleted",
                   {**WITHOUT_OWNER, "return ctx.remove(pintle::ConfigMap::type, object.metadata.key());": "return {};"},
                   [DELETED])],
    "external": [IGNORES_MESSAGE, REPORTS,
                 Wrong("it does not read the other system again", {"std::chrono::minutes(5)": "std::chrono::hours(24)"},
                       [RESTORED, REVERTED]),
                 Wrong("nothing is deleted", {"if (!found.map) return pintle::done;": "return pintle::done;"}, [DELETED])],
    "phased": [IGNORES_MESSAGE, does_not_watch(OWNS), REPORTS],  # the pattern itself sets the owner
    "watcher": [IGNORES_MESSAGE, HAS_NO_OWNER, does_not_watch("{.owns = {pintle::ConfigMap::type}}", "{}")],
    "service": [IGNORES_MESSAGE, is_never_ready("if (applied) service::status_ready(ctx.status());"),
                Wrong("it does not poll", {"std::chrono::minutes(1)": "std::chrono::hours(24)"}, [RESTORED],
                      file="src/api"),
                Wrong("nothing is deleted",
                      {"return clusters.mcp_cluster.remove(pintle::ConfigMap::type, key_of(object));":
                       "return pintle::done;"}, [DELETED])],
    "guard": [IGNORES_MESSAGE, HAS_NO_OWNER, does_not_watch(OWNS),
              is_never_ready("ConditionStatus::completed", "ConditionStatus::waiting", COMPLETED)],
}
WEBHOOK = [Wrong("it sets no default", {"if (object.spec.message.empty())": "if (false)"}, [DEFAULT],
                 file="src/admission.cpp"),
           Wrong("it ignores the label", {"if (!is_locked) return": "return"}, [LOCKED], file="src/admission.cpp")]


def of(pattern, webhook):
    return BY_PATTERN[pattern] + (WEBHOOK if webhook else [])


def tests_of_nothing_done(pattern):
    """The tests that fail if the reconcile does nothing."""
    last = {"guard": [COMPLETED], "crud": [], "watcher": []}.get(pattern, [READY])
    return [FOLLOWS, DELETED, RESTORED, DOWN, *([] if pattern == "service" else [REVERTED]), *last]
