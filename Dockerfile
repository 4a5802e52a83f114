# One image for migrate, API, worker and dashboard; the command says which. PostgreSQL is a container of its own.
FROM node:24.21.0-bookworm-slim

ENV NODE_ENV=production
WORKDIR /app

# No install script of a production dependency is needed, and the embedded PostgreSQL (optional) stays outside.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

COPY prisma/migrations ./prisma/migrations
COPY src ./src
COPY workers ./workers
# The operator's commands: docker compose exec worker node tools/queues/main.ts
COPY tools/commands ./tools/commands
COPY tools/adopt ./tools/adopt
COPY tools/dashboard ./tools/dashboard
COPY tools/doctor ./tools/doctor
COPY tools/queues ./tools/queues
COPY tools/servers ./tools/servers

USER node
EXPOSE 3000 3001 3002 3004
# Fewer pools of freed memory that is not given back (docs/PERFORMANCE.md).
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536
CMD ["node", "--max-semi-space-size=8", "--v8-pool-size=1", "--expose-gc", "src/main.ts"]
