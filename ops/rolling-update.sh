#!/usr/bin/env bash
# Updates a running docker-compose.yml to the image that was built last, without losing a request: starts as many new containers of API
# and worker as there are old ones, waits until they are healthy, then stops the old ones, which drain.
# Usage: ops/rolling-update.sh    beside docker-compose.yml, after `docker compose build`
set -euo pipefail

docker compose run --rm migrate # first: the version before runs on the new schema, too
for service in api worker; do
  old=$(docker compose ps --quiet "$service")
  count=$(wc -w <<<"$old")
  docker compose up --detach --no-deps --no-recreate --wait --scale "$service=$((count * 2))" "$service"
  for container in $old; do
    docker stop -t 45 "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
done
