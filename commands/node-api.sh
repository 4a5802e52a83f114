#!/bin/sh
# Runs node as the API needs it: `commands/node-api.sh src/main.ts`. npm, the image, compose, systemd and Kubernetes start the API with it.
# `exec` keeps the process id, so signals reach node itself.

# glibc keeps a pool of freed memory per thread; two are enough for a process with one busy thread. After a large block was freed, glibc
# keeps blocks of up to that size, unless a threshold is set (docs/decisions/0048).
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536

# The Node 24 among the packages; the image has it on the PATH instead.
node="$(dirname "$0")/../node_modules/.bin/node"
[ -x "$node" ] || node=node

# --no-allocation-site-pretenuring keeps V8 from treating objects of a request as long-lived, which makes a request cost 60 % more
# (docs/decisions/0003). Loading a large directory allocates much short-lived memory, which the others return afterwards
# (docs/decisions/0048).
exec "$node" --no-allocation-site-pretenuring --min-semi-space-size=8 --max-semi-space-size=8 --v8-pool-size=1 --expose-gc "$@"
