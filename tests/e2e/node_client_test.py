# SPDX-License-Identifier: Apache-2.0
"""@kubernetes/client-node against pintle dev. The tests themselves are in node_client/client_test.js.

usage: node_client_test.py BIN_DIR     (the client is installed beside BIN_DIR, once)
"""
import node_package

node_package.run("node_client")
