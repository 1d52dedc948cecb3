// children-operator: for every Database, a Secret that others put the password into; once it is there, a ConfigMap that
// tells clients where to connect, and one for backups as long as they are wanted.
#include <pintle/pintle.hpp>

struct Database {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Database"};
  struct Spec {
    std::string host{};
    bool backups = false;
    static constexpr auto fields() {
      return pintle::fields(pintle::field("host", &Spec::host, "Where it listens.").required().min_length(1),
                            pintle::field("backups", &Spec::backups, "Whether to make backups."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

bool has_password(const pintle::Object& secret) {
  return secret["/data/password"].exists();
}

// Says all that should exist, every time; what is so already is not sent again.
pintle::Outcome keep_children(const Database& database, pintle::Context& ctx) {
  pintle::ChildSet children;
  // An apply owns the members it names and no others, so the password stays as it is.
  const std::string login =
      children.add(pintle::Secret{.metadata = pintle::owned_by(database, "login")}, {.ready = has_password});
  children.add(pintle::ConfigMap{.metadata = pintle::owned_by(database, "client"),
                                 .data = {{"host", database.spec.host}, {"login", database.metadata.name + "-login"}}},
               {.after = {login}});
  if (database.spec.backups) {
    children.add(
        pintle::ConfigMap{.metadata = pintle::owned_by(database, "backups"), .data = {{"schedule", "0 3 * * *"}}},
        {.after = {login}});
  }
  return ctx.apply(children);  // and removes what it applied before and is not in the set
}

pintle::Controller<Database> databases() {
  return {.owns = {pintle::Secret::type, pintle::ConfigMap::type}, .reconcile = keep_children};
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "children-operator", .args = {argc, argv}}};
  manager.add(databases());
  return pintle::run_until_signal(manager);
}
