// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "command_reference.hpp"

namespace pintle {
namespace {

TEST(ManPage, ListsOptionsWithTheirDefaultsVariablesAndValues) {
  const CommandReference program{.name = "hello-operator",
                                 .summary = "Kubernetes operator hello.",
                                 .groups = {{"Options",
                                             {{.name = "help", .short_name = 'h', .help = "Print this"},
                                              {.name = "crds",
                                               .value = "POLICY",
                                               .choices = {"never", "upgrade"},
                                               .help = "CRDs to install",
                                               .variable = "PINTLE_CRDS",
                                               .initial = "never"}}},
                                            {"Other", {{.name = "tls", .is_negatable = true, .help = "Serve HTTPS"}}}},
                                 .version = "hello 1.0",
                                 .description = "First.\n\nSecond.",
                                 .exit_codes = {{2, "Invalid."}}};

  EXPECT_EQ(print_man_page(program), R"(.TH "HELLO\-OPERATOR" 1 "" "hello 1.0" "User Commands"
.SH NAME
hello\-operator \- Kubernetes operator hello
.SH SYNOPSIS
\fBhello\-operator\fR [\fIOPTION\fR]...
.SH DESCRIPTION
First.
.PP
Second.
.SH OPTIONS
.TP
\fB\-h\fR, \fB\-\-help\fR
Print this
.TP
\fB\-\-crds\fR=\fIPOLICY\fR
CRDs to install
.br
Values: \fBnever\fR, \fBupgrade\fR
.br
Default: \fBnever\fR
.br
Environment variable: \fBPINTLE_CRDS\fR
.SS Other
.TP
\fB\-\-tls\fR, \fB\-\-no\-tls\fR
Serve HTTPS
.SH EXIT STATUS
.TP
2
Invalid.
)");
}

TEST(ManPage, ListsTheCommandsThatCanBeRun) {
  const CommandReference types{
      .name = "types",
      .summary = "Write types.",
      .groups = {{"Options", {{.name = "out", .value = "DIR", .help = "Folder"}}}},
      .arguments = {{.value = "FILE", .help = "Files", .is_required = true, .is_repeatable = true}}};
  const CommandReference program{
      .name = "tool", .summary = "Tool.", .commands = {{.name = "gen", .summary = "Write.", .commands = {types}}}};

  const std::string page = print_man_page(program);

  EXPECT_NE(page.find(".SH SYNOPSIS\n\\fBtool gen types\\fR [\\fIOPTION\\fR]... \\fIFILE\\fR...\n.SH OPTIONS"),
            std::string::npos)
      << page;
  EXPECT_NE(
      page.find(".SS tool gen types\nWrite types.\n.TP\n\\fIFILE\\fR\nFiles\n.TP\n\\fB\\-\\-out\\fR=\\fIDIR\\fR\n"),
      std::string::npos)
      << page;
}

TEST(ManPage, EscapesTextThatRoffInterprets) {
  const CommandReference program{
      .name = "tool",
      .summary = "A \\fB and 'b'.",
      .groups = {{"Options", {{.name = "x", .help = ".TH at the start\n'quoted' line\n  .indented"}}}}};

  const std::string page = print_man_page(program);

  EXPECT_NE(page.find("tool \\- A \\efB and \\(aqb\\(aq\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\n\\&.TH at the start\n.br\n\\&\\(aqquoted\\(aq line\n.br\n  .indented\n"), std::string::npos)
      << page;
}

}  // namespace
}  // namespace pintle
