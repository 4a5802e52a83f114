// What clients follow: look-ups of many servers, the change feed, the live stream, and pages by links.
import { expect, onTestFinished } from 'vitest'
import { addVotes, type Listed } from '../directory.ts'
import { type ListedServer, listServer, newVisitor, product, UNKNOWN_ID, WAIT_OPTIONS } from '../product.ts'
import { onceNeeded, section } from '../section.ts'

/** Answers on a loopback address, which is in no country. */
const theFollowed = onceNeeded(() => listServer({ name: 'The followed isle', game: 'rust' }, { players: 4 }))
const SHOWN = { game: 'rust', gameName: 'Rust', country: '', currentPlayers: 4, isStale: false }
const withRoundTrip = ({ id }: ListedServer) => ({ id, ...SHOWN, queryMs: expect.any(Number) })

interface LookedUp extends Record<string, unknown> {
  servers: Listed[]
}

section('live data', {
  'POST /api/v1/servers/lookup': [
    'answers many servers by id or address, with game, country and round trip, and names the missing ones',
    async () => {
      const server = await theFollowed()
      const address = `${server.game.address}:${server.game.port}`
      for (const query of [{ ids: [server.id, UNKNOWN_ID] }, { addresses: [address, '127.0.27.15:9'] }]) {
        const { status, body } = await newVisitor().post<LookedUp>('/api/v1/servers/lookup', query)
        expect(status).toBe(200)
        expect(body).toMatchObject({ servers: [withRoundTrip(server)], remaining: [] })
        expect(body.missing).toHaveLength(1)
      }
    },
  ],
  'GET /api/v1/servers/changes': [
    'continues after the cursor of an earlier reply',
    async () => {
      const server = await theFollowed()
      const read = async (cursor: string) =>
        (
          await newVisitor().get<LookedUp & { cursor: string; hasMore: boolean }>(
            `/api/v1/servers/changes?limit=1000${cursor && `&cursor=${cursor}`}`,
          )
        ).body
      const first = await read('')
      expect(first.hasMore).toBe(false)
      expect(first.servers.find(({ id }) => id === server.id)).toMatchObject(withRoundTrip(server))
      await addVotes(server.id, 1)
      const changed = async () => (await read(first.cursor)).servers.find(({ id }) => id === server.id)
      await expect.poll(changed, WAIT_OPTIONS).toMatchObject({ ...SHOWN, totalVotes: 1 })
    },
  ],
  'GET /api/v1/servers/stream': [
    'sends each change as it comes',
    async () => {
      const server = await theFollowed()
      const leaving = new AbortController()
      onTestFinished(() => leaving.abort())
      const { body } = await fetch(`${product.url}/api/v1/servers/stream`, {
        signal: leaving.signal,
        headers: { 'x-forwarded-for': newVisitor().address },
      })
      let received = ''
      void body
        ?.pipeThrough(new TextDecoderStream())
        .pipeTo(
          new WritableStream({
            write(text) {
              received += text
            },
          }),
        )
        .catch(() => undefined) // the test leaves
      server.game.info.players = 5
      await expect
        .poll(
          () =>
            received
              .split('\n\n')
              .filter((event) => event.includes(server.id))
              .join('\n'),
          WAIT_OPTIONS,
        )
        .toMatch(/^event: server\n.*"currentPlayers":5/ms)
    },
  ],
  Link: [
    'leads from a page to the next, by page and by cursor',
    async () => {
      await theFollowed()
      const next = async (path: string) =>
        /<([^>]+)>; rel="next"/.exec((await newVisitor().get(path)).headers.get('link') ?? '')?.[1] ?? ''
      const query = '/api/servers?limit=1&sortBy=createdAt&sortOrder=asc'
      const [first, second] = [await newVisitor().get<LookedUp>(query), await next(query)]
      const { pathname, search } = new URL(second, product.url)
      const { status, body } = await newVisitor().get<LookedUp>(pathname + search)
      expect(status).toBe(200)
      expect(body.servers).toHaveLength(1)
      expect(body.servers[0]?.id).not.toBe(first.body.servers[0]?.id)
    },
  ],
})
