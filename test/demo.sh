#!/usr/bin/env bash
# The story in one screen: a real control plane, real ansible-core, a small Kubespray.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${SURESPRAY_TEST_CACHE:=${XDG_CACHE_HOME:-$HOME/.cache}/surespray-dev}"
export SURESPRAY_TEST_CACHE
unset KUBECONFIG KUBESPRAY_DIR ANSIBLE_CONFIG ANSIBLE_INVENTORY

work=$(mktemp -d)
lab=$work/surespray-lab
log=$work/log
trap 'status=$?; "$work/lab" down --dir "$lab" 2>/dev/null || true; rm -rf "$work"; exit $status' EXIT

bold=$(tput bold 2>/dev/null || true) plain=$(tput sgr0 2>/dev/null || true)
title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() { printf '$ %s\n' "$*"; }
fail() { echo "demo: $*" >&2; tail -n 60 "$log" >&2; exit 1; }
# try WANTED COMMAND...: shows the command, runs it, insists on its exit code.
try() {
  local wanted=$1 got=0
  shift
  local words=("$@")
  show "${words[*]/#$inventory/\$INVENTORY}"
  "$@" >"$log" 2>&1 || got=$?
  [ "$got" = "$wanted" ] || fail "exit code $got, expected $wanted"
}

echo "Preparing: an Ansible environment, and the parts of a control plane (the first time takes minutes)."
ansible=$(XDG_CACHE_HOME=$SURESPRAY_TEST_CACHE bin/surespray setup --kubespray test/checkout 2>"$log") || fail "surespray setup"
PATH=$(dirname "$ansible"):$PWD/bin:$PATH
go build -o "$work/lab" ./test/lab/cmd/lab
"$work/lab" tools >/dev/null
"$work/lab" up --dir "$lab" >"$log" 2>&1 || fail "the lab did not start"
inventory=$lab/inventory/hosts.yaml
export KUBECONFIG=$lab/kubeconfig
cd test/checkout
echo "Ready. INVENTORY=$inventory"

title "1. Raw ansible-playbook: -e helm_enabled=true is the text \"true\""
try 2 ansible-playbook cluster.yml -i "$inventory" -e helm_enabled=true
grep -o 'Stop if known booleans[^]]*' "$log" | head -1 | sed 's/^/   stopped by the check "/; s/$/"/'
echo "   The release checks four variables. The others slip past, and die at a condition later:"
try 2 ansible-playbook cluster.yml -i "$inventory" -e metrics_server_enabled=true
grep -m1 -o "Conditional result (True).*boolean result" "$log" | sed 's/^/   /' || fail "no broken condition"

title "2. surespray: the same arguments, sent as JSON booleans, and proven on the cluster"
try 0 surespray run cluster.yml -i "$inventory" -e metrics_server_enabled=true -e helm_enabled=true
grep -E '^(Ansible:|pass .*(node-coverage|apiservice))|^surespray: OK' "$log" | sed 's/^/   /' | cut -c1-150

title "3. Something breaks: the Service selects nothing any more. Which link, why, and how to mend it?"
broken='{"spec":{"selector":{"app.kubernetes.io/name":"metrics-servr"}}}'
show "kubectl -n kube-system patch service metrics-server -p '$broken'"
"$lab/host/bin/kubectl" -n kube-system patch service metrics-server -p "$broken" >"$log" 2>&1 || fail "kubectl"
try 73 surespray verify metrics-server -i "$inventory"
sed -n '/^FAIL/,/^$/p' "$log" | sed 's/^/   /' | cut -c1-170

title "4. surespray addon apply mends it, and proves it"
try 0 surespray addon apply metrics-server -i "$inventory" -e metrics_server_enabled=true
grep -E '^(Ansible:|pass .*(node-coverage|apiservice))|^surespray: OK' "$log" | sed 's/^/   /' | cut -c1-150
