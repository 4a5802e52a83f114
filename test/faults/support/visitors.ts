// Visitors who read and vote without a pause on kept connections.
import http from 'node:http'

export const CONNECTIONS = 8
/** Far longer than a reply takes on a busy machine. */
const TIMEOUT_MS = 20_000

export interface Failure {
  /** Method and reason. */
  what: string
  /** By `performance.now()`. */
  sentAt: number
}

export interface Visitors {
  /** Requests that were not answered by 200, in the order in which this was known. */
  failures: Failure[]
  sent(): number
  /** Votes answered by 200. */
  votes(): number
  stop(): Promise<void>
}

/**
 * Begins at once. Each vote has its own `visitorId`, so each counts once.
 * @param options.voteOneIn one request of this many is a vote, the others read the server
 */
export function startVisitors(
  base: string,
  { serverId, name, voteOneIn }: { serverId: string; name: string; voteOneIn: number },
): Visitors {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const failures: Failure[] = []
  let sent = 0
  let votes = 0
  let isStopping = false

  const visit = (n: number) =>
    new Promise<void>((resolve) => {
      const isVote = n % voteOneIn === 0
      const method = isVote ? 'POST' : 'GET'
      const sentAt = performance.now()
      const lost = (reason: string) => {
        failures.push({ what: `${method} ${reason}`, sentAt })
        resolve()
      }
      const request = http.request(`${base}/api/servers/${serverId}${isVote ? '/vote' : ''}`, {
        agent,
        method,
        headers: isVote ? { 'content-type': 'application/json' } : {},
        timeout: TIMEOUT_MS,
      })
      request.once('timeout', () => request.destroy(new Error('no reply')))
      request.once('error', ({ message }) => lost(message))
      request.once('response', (reply) => {
        reply.resume().once('error', ({ message }) => lost(message))
        reply.once('end', () => {
          if (reply.statusCode !== 200) return lost(`status ${reply.statusCode}`)
          if (isVote) votes++
          resolve()
        })
      })
      request.end(isVote ? JSON.stringify({ visitorId: `${name} visitor ${n}` }) : undefined)
    })
  const visitors = Array.from({ length: CONNECTIONS }, async () => {
    while (!isStopping) await visit(sent++)
  })
  return {
    failures,
    sent: () => sent,
    votes: () => votes,
    async stop() {
      isStopping = true
      await Promise.all(visitors)
      agent.destroy()
    },
  }
}
