#!/usr/bin/env bash
# Installs what the lab's real nodes are made of, beside what it builds. The packages only
# bring programs: none of their services is started, and what runs already is left alone.
set -euo pipefail
packages=(busybox-static conntrack containerd containernetworking-plugins iproute2 iptables
  nftables openssh-client openssh-server procps runc util-linux)
missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "lab: installing ${missing[*]}"
if [ ! -e /usr/sbin/policy-rc.d ]; then
  trap 'rm -f /usr/sbin/policy-rc.d' EXIT
  printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d # no service is to be started
  chmod +x /usr/sbin/policy-rc.d
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q install -y --no-install-recommends -o Dpkg::Options::=--force-confold "${missing[@]}"
