#!/usr/bin/env bash
# Updates a running docker-compose.yml to the image that was built last, without losing a request: starts as many new containers of API
# and worker as there are old ones, waits until they are healthy, then stops the old ones, which drain. If the new ones do not get healthy,
# it stops those, and the old ones continue.
# Usage: ops/rolling-update.sh    beside docker-compose.yml, after `docker compose build`
set -euo pipefail

stop_containers() {
  for container; do
    docker stop -t 45 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
}

for service in api worker; do
  if [ -z "$(docker compose ps --quiet "$service")" ]; then
    echo "no container of $service is running: start the product with \`docker compose up --detach\`" >&2
    exit 1
  fi
done

docker compose run --rm migrate # first: the version before runs on the new schema, too
for service in api worker; do
  old=$(docker compose ps --quiet "$service")
  count=$(wc -w <<<"$old")
  if ! docker compose up --detach --no-deps --no-recreate --wait --scale "$service=$((count * 2))" "$service"; then
    stop_containers $(docker compose ps --all --quiet "$service" | grep -vxF "$old")
    echo "the new containers of $service did not get healthy and are removed; the old ones continue" >&2
    exit 1
  fi
  stop_containers $old
done
