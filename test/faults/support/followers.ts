// Clients that keep a copy of the directory, by cursor and by stream, under faults: no change is missed.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createServers } from '../../../src/features/servers/index.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { addPerson } from '../../support/people.ts'
import { APIS, ask, askUntilAnswered, type Load, Unanswered } from './load.ts'
import type { Members } from './members.ts'
import type { FaultRun } from './run.ts'

/** More than are renamed in the longest run: each once, so that no later change hides one that was missed. */
const SERVERS = 1_500
const PAUSE_MS = 200
/** For the last changes to reach all copies. */
const CATCH_UP_MS = 20_000

interface Page {
  servers: { id: string; name: string }[]
  removed: string[]
  cursor: string
  hasMore: boolean
}

/** What a client has: names by id, and its position. */
interface Copy {
  names: Map<string, string>
  cursor: string | undefined
  /** How often it had to start again. */
  restarts: number
}

const newCopy = (): Copy => ({ names: new Map(), cursor: undefined, restarts: 0 })

/**
 * An owner who renames one server after the other, and two clients that follow at both processes in turn. Expects that
 * a fault made them start again.
 */
export async function createFollowers(pool: Pool): Promise<Load> {
  const owner = await addPerson(pool)
  const servers = Array.from({ length: SERVERS }, (_, n) => ({
    name: `Server ${n}`,
    ipAddress: '192.0.2.9',
    gamePort: 20_000 + n,
    queryPort: 20_000 + n,
    game: 'protocol-valve',
  }))
  const added = await createServers({ pool }).addMany(servers)
  const ids = added.flatMap((result) => ('id' in result ? [result.id] : []))
  await pool.query('update servers set owner_id = $1 where id = any($2)', [owner.id, ids])
  await pool.query(`update server_polls set next_poll_at = now() + interval '1 day' where server_id = any($1)`, [ids])
  const renamed = new Map<string, string>()
  const clients = { cursor: newCopy(), stream: newCopy() }
  const stopping = new AbortController()
  let following: Promise<unknown> | undefined
  let used: Members

  return {
    async run(members, isOver) {
      used = members
      following = Promise.all([
        followCursor(members, clients.cursor, stopping.signal),
        followStream(members, clients.stream, stopping.signal),
      ])
      for (const [n, id] of ids.entries()) {
        if (isOver()) return
        const name = `Renamed ${n}`
        const request = { method: 'PATCH', cookie: owner.cookie, body: { name } }
        expect((await askUntilAnswered(members, `/api/servers/${id}`, request, n)).status).toBe(200)
        renamed.set(id, name)
        await sleep(PAUSE_MS)
      }
    },
    async losses(run: FaultRun) {
      const deadline = performance.now() + CATCH_UP_MS
      let losses: Record<string, unknown[]>
      do {
        await sleep(PAUSE_MS)
        const shown = await Promise.all(APIS.map(async (api) => (await readAll(used.url(api))).names))
        const listed = [...(shown[0] ?? [])]
        losses = {
          'changes that a process does not show': shown.flatMap((names) => differing([...renamed], names)),
          'changes that a client with a cursor missed': differing(listed, clients.cursor.names),
          'changes that a client of a stream missed': differing(listed, clients.stream.names),
        }
      } while (Object.values(losses).some((lost) => lost.length > 0) && performance.now() < deadline)
      stopping.abort()
      await following
      for (const { restarts } of Object.values(clients)) expect(restarts).toBeGreaterThan(0)
      run.worked('servers renamed', renamed.size)
      run.worked('restarts of a client with a cursor', clients.cursor.restarts)
      run.worked('restarts of a client of a stream', clients.stream.restarts)
      return losses
    },
  }
}

const differing = (expected: [id: string, name: string][], names: Map<string, string>) =>
  expected.filter(([id, name]) => names.get(id) !== name)

function startAgain(copy: Copy): void {
  copy.names.clear()
  copy.cursor = undefined
  copy.restarts++
}

/** Requests changes until there are no more, or the cursor has expired. */
async function readChanges(url: string, copy: Copy): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const cursor = copy.cursor === undefined ? '' : `&cursor=${copy.cursor}`
    const { status, body } = await ask(`${url}/api/servers/changes?limit=1000${cursor}`)
    if (status !== 200) {
      expect([status, body.error]).toEqual([400, 'cursor_expired'])
      return startAgain(copy)
    }
    const page = body as unknown as Page
    for (const id of page.removed) copy.names.delete(id)
    for (const { id, name } of page.servers) copy.names.set(id, name)
    copy.cursor = page.cursor
    hasMore = page.hasMore
  }
}

async function readAll(url: string): Promise<Copy> {
  const copy = newCopy()
  await readChanges(url, copy)
  return copy
}

async function followCursor(members: Members, copy: Copy, stop: AbortSignal): Promise<void> {
  for (let turn = 0; !stop.aborted; turn++) {
    try {
      await readChanges(members.url(APIS[turn % 2] ?? ''), copy)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
    }
    await sleep(PAUSE_MS)
  }
}

async function followStream(members: Members, copy: Copy, stop: AbortSignal): Promise<void> {
  for (let turn = 0; !stop.aborted; turn++) {
    const url = members.url(APIS[turn % 2] ?? '')
    try {
      if (copy.cursor === undefined) await readChanges(url, copy)
      const headers = { 'last-event-id': copy.cursor ?? '' }
      const response = await fetch(`${url}/api/servers/stream`, { headers, signal: stop })
      if (response.status === 200 && response.body) await takeEvents(response.body, copy)
      else if (response.status === 400) startAgain(copy)
      else expect(response.status).toBe(503)
    } catch (error) {
      const isOver = stop.aborted || error instanceof Unanswered || error instanceof TypeError // TypeError: fetch failed
      if (!isOver) throw error
    }
    await sleep(PAUSE_MS, undefined, { ref: false })
  }
}

async function takeEvents(body: ReadableStream<Uint8Array>, copy: Copy): Promise<void> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
    const events = (text + chunk).split('\n\n')
    text = events.pop() ?? ''
    for (const lines of events) {
      const field = (name: string) =>
        lines
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const data = JSON.parse(field('data') ?? '{}') as Partial<Page['servers'][number]>
      if (field('event') === 'removed') copy.names.delete(data.id ?? '')
      else if (data.id !== undefined) copy.names.set(data.id, data.name ?? '')
      copy.cursor = field('id') ?? copy.cursor
    }
  }
}
