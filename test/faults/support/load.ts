// What clients do with two API processes and two workers while faults happen.
import { setTimeout as sleep } from 'node:timers/promises'
import { createMembers, type Members } from './members.ts'
import type { FaultRun } from './run.ts'

export interface Load {
  /** Settings that the processes need for it. */
  settings?: Record<string, string>
  /** Sends requests until `isOver`; resolves when each has been answered. */
  run(members: Members, isOver: () => boolean): Promise<void>
  /** Waits for the work that the requests caused, and counts it. @returns what was lost, by name */
  losses(run: FaultRun): Promise<Record<string, readonly unknown[]>>
}

export const APIS = ['api 0', 'api 1'] as const

/** Harms the product, or its database at `url`, while all loads run. Fails if anything is lost. */
export async function harmUnder<Kind extends string>(
  run: FaultRun,
  options: {
    url: string
    settings?: Record<string, string>
    loads: Load[]
    faults: Kind[]
    harm(kind: Kind, members: Members): Promise<void>
  },
): Promise<void> {
  const { url, settings, loads, faults, harm } = options
  const ofLoads = loads.map((load) => load.settings)
  const members = createMembers(url, Object.assign({ WEBHOOK_RETRY_SCALE: '0.01' }, settings, ...ofLoads))
  await members.start(...APIS, 'worker 0', 'worker 1')
  let isOver = false
  const harming = (async () => {
    for (const kind of faults) {
      await sleep(run.between(500, 2_000))
      members.expectAllRunning() // an outage of the database ends no process
      await harm(kind, members)
      run.tried(kind.replace(', too', ''))
    }
    await sleep(1_000)
  })().finally(() => {
    isOver = true
  })
  await Promise.all([harming, ...loads.map((load) => load.run(members, () => isOver))])
  const losses: Record<string, readonly unknown[]> = {}
  for (const load of loads) Object.assign(losses, await load.losses(run))
  run.expectNothingLost(losses)
}

/** An answer that did not come, or that says that the database is away. */
export class Unanswered extends Error {}

/**
 * One request to an API process.
 * @throws Unanswered if the process died, did not answer in time or has no database
 */
export async function ask(
  url: string,
  {
    method = 'GET',
    cookie,
    body,
    headers = {},
  }: { method?: string; cookie?: string; body?: unknown; headers?: object } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(cookie ? { cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    })
    const answer = (await response.json()) as Record<string, unknown>
    if (response.status === 503) throw new Unanswered(String(answer.error))
    return { status: response.status, body: answer }
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') throw new Unanswered('no answer')
    throw error
  }
}

/**
 * Asks one API process after the other until one answers.
 * @param first of which process to ask first, as a number
 * @returns the answer, and how many did not come before it
 */
export async function askUntilAnswered(
  members: Members,
  path: string,
  request: Parameters<typeof ask>[1] = {},
  first = 0,
): Promise<{ status: number; body: Record<string, unknown>; unanswered: number }> {
  for (let unanswered = 0; ; unanswered++)
    try {
      return { ...(await ask(members.url(APIS[(first + unanswered) % 2] ?? '') + path, request)), unanswered }
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      await sleep(100)
    }
}
