// A container's health check: exit code 0 when the address answers with success in time, else 1 and the reason. Without
// an argument it asks the API, as the image's own HEALTHCHECK does.

/**
 * Shorter than the time limit that Dockerfile and docker-compose.yml give it, so that a frozen process is
 * reported, not waited for.
 */
const TIMEOUT_MS = 4_000

const { OPERATOR_PORT, PORT } = process.env
const url = process.argv[2] ?? `http://127.0.0.1:${OPERATOR_PORT || PORT || 3000}/readyz`
try {
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
} catch (error) {
  process.stderr.write(`${url}: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
