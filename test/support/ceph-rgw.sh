#!/usr/bin/env bash
# Runs a small S3 server in the foreground: Ceph's object gateway on one monitor and one store in memory, on loopback.
#   ceph-rgw.sh FOLDER PORT...    the gateway, the monitor, and a range of 20 more from the third on
# Writes "gateway is ready" when it answers; the key is QUARRYKEY, the secret quarrysecret.
set -euo pipefail
folder=$1 port=$2 monitor=$3 first=$4
cd "$folder"
mkdir -p mon/ceph-a osd/ceph-0 rgw run
cat > ceph.conf <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon initial members = a
mon host = [v1:127.0.0.1:$monitor]
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
mon allow pool size one = true
osd pool default pg num = 4
osd crush chooseleaf type = 0
osd pool default pg autoscale mode = off
run dir = $folder/run
admin socket = $folder/run/\$cluster-\$name.asok
log file = $folder/run/\$cluster-\$name.log
pid file = $folder/run/\$name.pid
keyring = $folder/keyring
ms bind port min = $first
ms bind port max = $((first + 20))
setuser match path =
mon data = $folder/mon/ceph-\$id
osd data = $folder/osd/ceph-\$id
osd objectstore = memstore
memstore device bytes = 16000000000
osd max object name len = 256
osd max object namespace len = 64
rgw frontends = beast endpoint=127.0.0.1:$port
rgw data = $folder/rgw
CONF
# The whole group: the caller gives it one.
trap 'trap - TERM EXIT; kill 0' EXIT
export CEPH_CONF=$folder/ceph.conf
ceph-authtool --create-keyring mon.keyring --gen-key -n mon. --cap mon 'allow *'
ceph-authtool mon.keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *'
cp mon.keyring keyring
monmaptool --create --addv a "[v1:127.0.0.1:$monitor]" --fsid "$(awk '/^fsid/ { print $3 }' ceph.conf)" monmap --clobber
ceph-mon --mkfs -i a --monmap monmap --keyring mon.keyring
ceph-mon -f -i a &
# With a name of its own, so that a second attempt creates the same one.
store=$(cat /proc/sys/kernel/random/uuid)
until timeout 60 ceph osd create "$store" 0; do sleep 0.2; done
ceph-osd -i 0 --mkfs --osd-uuid "$store"
# Under load it sometimes asks the monitor before it knows the cluster's name, and ends.
until ceph-osd -f -i 0; do sleep 0.2; done &
radosgw -f -n client.rgw.a &
# Both wait until the store is there.
timeout 120 radosgw-admin user create --uid=quarry --display-name=quarry --access-key=QUARRYKEY --secret-key=quarrysecret
until curl -fs -o /dev/null "http://127.0.0.1:$port"; do sleep 0.2; done
echo 'gateway is ready'
wait
