#!/usr/bin/env bash
# The Ansible environments that tests use, made by surespray setup itself and kept in the
# cache: the mini checkout's own, and one for the older core. Their paths go to venvs.env.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${SURESPRAY_TEST_CACHE:=${XDG_CACHE_HOME:-$HOME/.cache}/surespray-dev}"
mkdir -p "$SURESPRAY_TEST_CACHE"
venv() { # venv CHECKOUT
  XDG_CACHE_HOME="$SURESPRAY_TEST_CACHE" bin/surespray setup --kubespray "$1" | sed 's#/bin/ansible-playbook$##'
}
new=$(venv test/checkout)
old_checkout=$(mktemp -d)
trap 'rm -rf "$old_checkout"' EXIT
mkdir -p "$old_checkout/roles/kubespray_defaults" "$old_checkout/playbooks"
echo 'ansible-core>=2.18,<2.19' > "$old_checkout/requirements.txt"
old=$(venv "$old_checkout")
printf 'export SURESPRAY_TEST_ANSIBLE_219=%q SURESPRAY_TEST_ANSIBLE_218=%q\n' "$new" "$old" > "$SURESPRAY_TEST_CACHE/venvs.env.tmp"
mv "$SURESPRAY_TEST_CACHE/venvs.env.tmp" "$SURESPRAY_TEST_CACHE/venvs.env"
