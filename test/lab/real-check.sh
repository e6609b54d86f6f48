#!/bin/sh
# Tries what real nodes need, in namespaces that end with it; says what is refused.
set -eu
what=
trap '[ $? = 0 ] || echo "refused: $what"' EXIT

what="mounting"
mount --make-rprivate /
mount -t tmpfs check /mnt
what="an overlay"
mkdir /mnt/upper /mnt/work
mount -t overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work check /etc
what="/proc of its own"
mount -t proc check /proc
what="a bridge"
ip link add br0 type bridge
what="a veth"
ip link add veth0 type veth peer name veth1
what="nftables with address translation"
nft 'add table inet check; add chain inet check nat { type nat hook prerouting priority 0; }; add rule inet check nat ip daddr 192.0.2.1 dnat ip to 192.0.2.2'
what="a cgroup"
name=surespray-check-$$-$(date +%N)
for dir in /sys/fs/cgroup/memory /sys/fs/cgroup; do
  if [ -e "$dir/cgroup.procs" ]; then mkdir "$dir/$name"; rmdir "$dir/$name"; exit 0; fi
done
exit 1
