# SPDX-License-Identifier: Apache-2.0
"""kubernetes-fluent-client against pintle dev. The tests themselves are in fluent_client/client_test.js.

usage: fluent_client_test.py BIN_DIR     (the client is installed beside BIN_DIR, once)
"""
import node_package

node_package.run("fluent_client")
