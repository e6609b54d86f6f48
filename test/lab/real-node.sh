#!/bin/sh
# The first process of a real node of the lab: it has namespaces of its own (mounts,
# processes, network, host name) and makes of them what looks like a host. What is
# written below /etc, /opt, /root, /usr/local, /var and /run stays on the node and goes
# with it; the kernel ends everything in here when this process ends.
# Arguments: the node's directory, its name, the pause program, the /etc/hosts.
set -eu
dir=$1 name=$2 pause=$3 hosts=$4

# /proc is still that of the machine: this is our number as the lab sees it.
read -r pid rest < /proc/self/stat

mount --make-rprivate /
hostname "$name"
mount -t tmpfs -o mode=755 node /run
mkdir -p /run/node/disk /run/lock /run/sshd /run/netns
mount --bind "$dir" /run/node/disk
for path in etc opt root usr/local var; do
  mkdir -p "/run/node/upper/$path" "/run/node/work/$path"
  chmod --reference="/$path" "/run/node/upper/$path"
  mount -t overlay -o "lowerdir=/$path,upperdir=/run/node/upper/$path,workdir=/run/node/work/$path" node "/$path"
done

# /sys with the node's own network devices, but the machine's cgroups.
mkdir /run/node/cgroup
mount --rbind /sys/fs/cgroup /run/node/cgroup
mount -t sysfs node /sys
mount --move /run/node/cgroup /sys/fs/cgroup

# What a kubelet would set for the whole machine it finds set already.
mount -t proc node /proc
mkdir /run/node/sysctl
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
  kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  file=/run/node/sysctl/$(echo "${setting%=*}" | tr / .)
  echo "${setting#*=}" > "$file"
  mount --bind "$file" "/proc/sys/${setting%=*}"
done
echo 1 > /proc/sys/net/ipv4/ip_forward

# On the disk, as they grow: images and containers, pods, volumes.
for path in var/lib/containerd var/lib/kubelet opt/local-path-provisioner; do
  mkdir -p "/run/node/disk/$path" "/$path"
  mount --bind "/run/node/disk/$path" "/$path"
done
mkdir -p /etc/cni/net.d /etc/kubernetes/ssl /etc/containerd /usr/local/bin /root/.kube /opt/cni/bin
mount --bind /usr/lib/cni /opt/cni/bin

# No name is ever looked up outside.
rm -f /etc/resolv.conf /etc/hosts /etc/hostname /etc/machine-id
echo "nameserver 127.0.0.1" > /etc/resolv.conf
echo "$name" > /etc/hostname
printf '%s' "$hosts" > /etc/hosts
printf '%s' "$dir" | md5sum | cut -c1-32 > /etc/machine-id

mount --make-rshared /
echo "$pid" > "/run/node/disk/pid.new"
mv /run/node/disk/pid.new /run/node/disk/pid
exec "$pause"
