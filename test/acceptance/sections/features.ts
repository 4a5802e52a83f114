// Features of one server: `/api/servers/:id/…`.
import { expect, onTestFinished } from 'vitest'
import { startLoopbackServer } from '../../support/loopback-server.ts'
import { startRconServer } from '../../support/rcon-server.ts'
import { startVotifierReceiver, type VotifierReceiver } from '../../support/votifier-receiver.ts'
import { confirmAddress, findMails } from '../mails.ts'
import { theAdvertised } from '../money.ts'
import {
  chatProvider,
  database,
  elsewhere,
  listServer,
  newListing,
  newsOf,
  newVisitor,
  operator,
  type Person,
  register,
  WAIT_OPTIONS,
} from '../product.ts'
import { expectFields, section } from '../section.ts'

const MINUTE_MS = 60_000

const namesOf = ({ votes }: VotifierReceiver) => votes.map(({ username, timestamp }) => `${username} ${timestamp}`)

/** Moves what is known of a takeover into the past. */
async function passMinutes(serverId: string, minutes: number): Promise<void> {
  await database.query(
    `update server_claims set takeover_since = takeover_since - make_interval(mins => $2),
       takeover_seen_at = takeover_seen_at - make_interval(mins => $2),
       warned_at = coalesce(warned_at, warning_ordered_at) - make_interval(mins => $2)
     where server_id = $1`,
    [serverId, minutes],
  )
}

interface History {
  points: { at: string; players: number | null; maxPlayers: number }[]
  peak: number | null
  average: number | null
  uptime: number | null
}

section('server features', {
  claim: [
    'gives a user a token; the server that shows it becomes theirs, and the former owner loses it',
    async () => {
      const [{ id, game, owner: lister }, owner] = [await listServer(), await register()]
      const path = `/api/servers/${id}/claim`
      expect((await owner.client.get(path)).body).toMatchObject({ status: 'none', verificationToken: null })
      const { status, body } = await owner.client.post<{ verificationToken: string; expiresAt: string }>(path)
      expect(status).toBe(200)
      expectFields(body, ['verificationToken', 'message', 'expiresAt'])
      expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now())
      expect((await owner.client.get(path)).body).toMatchObject({
        status: 'pending',
        verificationToken: body.verificationToken,
      })

      expect((await owner.client.post(`${path}/verify`)).body).toMatchObject({ status: 'pending' })
      expect((await owner.client.patch(`/api/servers/${id}`, { name: 'Mine' })).status).toBe(403)
      game.info.name = `Isle ${body.verificationToken}`
      expect(await owner.client.post(`${path}/verify`)).toMatchObject({ status: 200, body: { status: 'verified' } })
      expect((await owner.client.patch(`/api/servers/${id}`, { name: 'Mine' })).status).toBe(200)
      expect((await lister.client.patch(`/api/servers/${id}`, { name: 'Theirs' })).status).toBe(403)
      expect((await newVisitor().get(`/api/servers/${id}`)).body).toMatchObject({ name: 'Mine', isVerified: true })
      expect((await newVisitor().post(path)).status).toBe(401)
    },
  ],
  takeover: [
    'of a listing that another user has proven waits for ten minutes while the server shows the token; its owner is warned',
    async () => {
      const [{ id, game, owner }, claimant] = [await listServer(), await register()]
      await confirmAddress(owner)
      const path = `/api/servers/${id}/claim`
      const claim = async ({ client }: Person) => {
        const { body } = await client.post<{ verificationToken: string }>(path)
        game.info.name = `Isle ${body.verificationToken}`
      }
      const verify = async ({ client }: Person) => (await client.post(`${path}/verify`)).body.status
      const takeoverAt = async () => (await claimant.client.get<{ takeoverAt: string | null }>(path)).body.takeoverAt
      await claim(owner)
      expect(await verify(owner)).toBe('verified')
      await claim(claimant)
      expect(await verify(claimant)).toBe('pending')
      expect(Date.parse((await takeoverAt()) ?? '')).toBeGreaterThan(Date.now() + 9 * MINUTE_MS)
      await expect
        .poll(async () => (await newsOf(owner)).map(({ event }) => event), WAIT_OPTIONS)
        .toContain('serverTakeover')
      const warned = () =>
        findMails('/stop-claim#')
          .filter(({ text }) => text.includes(`/servers/${id}`))
          .map(({ headers }) => headers.get('to'))
      await expect.poll(warned, WAIT_OPTIONS).toEqual([owner.email])

      for (let sighting = 2; sighting <= 4; sighting++) {
        await passMinutes(id, 3)
        expect(await verify(claimant)).toBe('pending')
      }
      expect((await owner.client.patch(`/api/servers/${id}`, { mods: 'Still mine' })).status).toBe(200)
      await passMinutes(id, 3)
      expect(await verify(claimant)).toBe('verified')
      expect((await claimant.client.patch(`/api/servers/${id}`, { mods: 'Mine' })).status).toBe(200)
      expect((await owner.client.patch(`/api/servers/${id}`, { mods: 'Mine again' })).status).toBe(403)
    },
    60_000,
  ],
  compare: [
    'puts 1 to 4 other servers beside it, in the requested order, with their players, uptime and peak',
    async () => {
      const [small, full] = [
        await listServer({}, { players: 3 }),
        await listServer({}, { players: 58, maxPlayers: 60 }),
      ]
      const path = `/api/servers/${full.id}/compare`
      const compared = async (ids: string[]) => {
        const { status, body } = await newVisitor().get<{ servers: unknown[] }>(`${path}?with=${ids.join(',')}`)
        return { status, servers: body.servers }
      }
      const { uptime } = (await newVisitor().get(`/api/servers/${full.id}`)).body
      await expect
        .poll(() => compared([small.id]), WAIT_OPTIONS)
        .toMatchObject({
          status: 200,
          servers: [
            { id: full.id, currentPlayers: 58, maxPlayers: 60, peak24h: 58, uptime },
            { id: small.id, currentPlayers: 3, peak24h: 3 },
          ],
        })
      for (const ids of [[], [full.id], Array.from({ length: 5 }, (_, n) => `${small.id.slice(0, -1)}${n}`)])
        expect((await compared(ids)).status).toBe(400)
    },
  ],
  endpoints: [
    'reports each vote to an owner’s Votifier plugin; at most five endpoints, whose secrets no reply contains',
    async () => {
      const plugin = await startVotifierReceiver()
      onTestFinished(() => plugin.close())
      const { id, owner } = await newListing()
      const path = `/api/servers/${id}/endpoints`
      const { token, ...shown } = { kind: 'votifier2', host: '127.0.0.1', port: plugin.port, token: plugin.token }
      const added = await owner.client.post(path, { ...shown, token })
      expect(added).toMatchObject({ status: 201, body: { ...shown, isActive: true } })
      const listed = await owner.client.get(path)
      expect(listed.body).toEqual({ endpoints: [added.body] })
      expect(JSON.stringify([added.body, listed.body])).not.toContain(token)

      const vote = { visitorId: 'a visitor with a plugin', username: 'Ada' }
      expect((await newVisitor().post(`/api/servers/${id}/vote`, vote)).status).toBe(200)
      await expect.poll(() => plugin.votes, WAIT_OPTIONS).toMatchObject([{ protocol: 2, username: 'Ada' }])

      for (let n = 2; n <= 5; n++) expect((await owner.client.post(path, { ...shown, token })).status).toBe(201)
      expect(await owner.client.post(path, { ...shown, token })).toMatchObject({
        status: 400,
        body: { error: 'too_many_endpoints' },
      })
      expect((await (await register()).client.get(path)).status).toBe(403)
      expect((await newVisitor().get(path)).status).toBe(401)
    },
  ],
  'endpoints of other kinds': [
    'report votes to older Votifier plugins, and votes and milestones to a Discord channel',
    async () => {
      const plugin = await startVotifierReceiver({ protocol: 1 })
      const { id, owner } = await newListing({ name: 'The isle of kinds' })
      const path = `/api/servers/${id}/endpoints`
      const add = (endpoint: object) => owner.client.post<{ id: string }>(path, endpoint)
      const v1 = { kind: 'votifier1', host: '127.0.0.1', port: plugin.port, publicKey: plugin.publicKey }
      const channel = `${chatProvider.origin}/api/webhooks/4711/channel-of-kinds`
      const discord = { kind: 'discord', url: channel, events: ['vote.created', 'vote.milestone'] }
      for (const endpoint of [v1, discord]) expect((await add(endpoint)).status).toBe(201)
      const vote = async (username: string) => {
        const request = { visitorId: `a visitor named ${username}`, username }
        expect((await newVisitor().post(`/api/servers/${id}/vote`, request)).status).toBe(200)
      }
      await vote('Ada')
      await database.query('update server_counters set total_votes = 99 where server_id = $1', [id])
      await vote('Ben')
      await expect.poll(() => plugin.votes.map(({ username }) => username), WAIT_OPTIONS).toEqual(['Ada', 'Ben'])
      expect(plugin.votes[0]).toMatchObject({ protocol: 1 })
      const messages = () => chatProvider.messages.filter(({ path }) => channel.endsWith(path))
      await expect.poll(() => messages().length, WAIT_OPTIONS).toBe(3)
      expect(messages().filter(({ body }) => /\b100 votes/.test(body)).length).toBeGreaterThan(0)
      expect(JSON.parse(messages()[0]?.body ?? '')).toMatchObject({ allowed_mentions: { parse: [] } })
    },
  ],
  redelivery: [
    'sends a delivery to an endpoint of any kind once more, with the same content',
    async () => {
      const [v1, v2] = [await startVotifierReceiver({ protocol: 1 }), await startVotifierReceiver()]
      const bodies: string[] = []
      const receiver = await startLoopbackServer(({ body }, res) => {
        bodies.push(body)
        res.writeHead(204).end()
      })
      for (const { close } of [v1, v2, receiver]) onTestFinished(() => close())
      const { id, owner } = await newListing({ name: 'The isle of repetition' })
      const channel = '/api/webhooks/4712/channel-of-repetition'
      const messages = () => chatProvider.messages.filter(({ path }) => path === channel).map(({ body }) => body)
      const host = '127.0.0.1'
      const events = ['vote.created']
      const kinds = [
        { endpoint: { kind: 'standard', url: receiver.origin, events }, sent: () => bodies },
        { endpoint: { kind: 'discord', url: chatProvider.origin + channel, events }, sent: messages },
        { endpoint: { kind: 'votifier1', host, port: v1.port, publicKey: v1.publicKey }, sent: () => namesOf(v1) },
        { endpoint: { kind: 'votifier2', host, port: v2.port, token: v2.token }, sent: () => namesOf(v2) },
      ]
      const path = `/api/servers/${id}/endpoints`
      const ids: string[] = []
      for (const { endpoint } of kinds) ids.push((await owner.client.post<{ id: string }>(path, endpoint)).body.id)
      const vote = { visitorId: 'a visitor of the repetition', username: 'Ada' }
      expect((await newVisitor().post(`/api/servers/${id}/vote`, vote)).status).toBe(200)
      for (const [index, { sent }] of kinds.entries()) {
        const deliveries = `${path}/${ids[index]}/deliveries`
        const listed = async () =>
          (await owner.client.get<{ deliveries: { id: string; status: string; attempts: number }[] }>(deliveries)).body
            .deliveries
        await expect.poll(listed, WAIT_OPTIONS).toMatchObject([{ status: 'delivered', attempts: 1 }])
        const [first] = await listed()
        expect((await owner.client.post(`${deliveries}/${first?.id}/redeliver`)).status).toBe(200)
        await expect.poll(() => sent().length, WAIT_OPTIONS).toBe(2)
        expect(sent()[1]).toBe(sent()[0])
        await expect.poll(listed, WAIT_OPTIONS).toMatchObject([{ id: first?.id, status: 'delivered', attempts: 2 }])
      }
    },
    60_000,
  ],
  featured: [
    'says whether it is featured, and for which placement; set by an administrator, for none',
    async () => {
      const [bought, chosen, plain] = [await theAdvertised(), await newListing(), await newListing()]
      const change = await elsewhere(operator).patch(`/api/admin/servers/${chosen.id}`, { isFeatured: true })
      expect(change.status).toBe(200)
      const stateOf = async (id: string) => (await newVisitor().get(`/api/servers/${id}/featured`)).body
      expect(await stateOf(bought.id)).toMatchObject({
        isFeatured: true,
        placement: { serverId: bought.id, location: bought.slot.location },
      })
      expect(await stateOf(chosen.id)).toEqual({ isFeatured: true, placement: null })
      expect(await stateOf(plain.id)).toEqual({ isFeatured: false, placement: null })
      const { body } = await newVisitor().get<{ servers: { id: string }[] }>('/api/servers/featured')
      const ids = body.servers.map(({ id }) => id)
      expect([bought.id, chosen.id, plain.id].map((id) => ids.includes(id))).toEqual([true, true, false])
    },
  ],
  mods: [
    'lists the mods its owner set, in that order',
    async () => {
      const { id, owner } = await newListing()
      const mods = async () => (await newVisitor().get(`/api/servers/${id}/mods`)).body
      expect(await mods()).toEqual({ mods: [] })
      await owner.client.patch(`/api/servers/${id}`, { mods: 'Structures Plus, Awesome Spyglass' })
      expect(await mods()).toEqual({ mods: [{ name: 'Structures Plus' }, { name: 'Awesome Spyglass' }] })
    },
  ],
  notifications: [
    'subscribes to the chosen notifications of a server; no others are sent',
    async () => {
      const { id, owner } = await newListing({ name: 'The isle of news' })
      const [subscriber, former] = [await register(), await register()]
      const path = `/api/servers/${id}/notifications`
      for (const { client } of [subscriber, former]) {
        expect((await client.get(path)).body).toEqual({ events: [] })
        expect((await client.put(path, { events: ['serverWiped'] })).body).toEqual({ events: ['serverWiped'] })
      }
      expect((await former.client.delete(path)).body).toEqual({ success: true })
      expect((await former.client.get(path)).body).toEqual({ events: [] })
      expect((await subscriber.client.put(path, { events: ['serverMoved'] })).status).toBe(400)
      expect((await newVisitor().get(path)).status).toBe(401)

      expect((await owner.client.post(`/api/servers/${id}/wipe-history`, { kind: 'full' })).status).toBe(201)
      await expect
        .poll(() => newsOf(subscriber), WAIT_OPTIONS)
        .toMatchObject([{ event: 'serverWiped', serverId: id, message: 'The isle of news was wiped.', count: 1 }])
      expect(await newsOf(former)).toEqual([])
    },
  ],
  'player-history': [
    'shows how many players were online when; hours without data have null, not 0',
    async () => {
      const { id } = await listServer({}, { players: 9, maxPlayers: 40 })
      const path = `/api/servers/${id}/player-history`
      const history = async (range = '') => {
        const { status, body } = await newVisitor().get<History>(path + range)
        expect(status).toBe(200)
        return body
      }
      await expect.poll(() => history(), WAIT_OPTIONS).toMatchObject({ peak: 9, average: 9, uptime: 1 })
      const { points } = await history()
      expect(points).toHaveLength((24 * 60) / 5)
      const known = points.filter(({ players }) => players !== null)
      expect(known.length).toBeLessThan(5)
      for (const point of known) expect(point).toMatchObject({ players: 9, maxPlayers: 40 })
      expect(Date.now() - Date.parse(known.at(-1)?.at ?? '')).toBeLessThan(10 * MINUTE_MS)
      for (const [range, count] of Object.entries({ '7d': 168, '30d': 360, '90d': 360 }))
        expect((await history(`?range=${range}`)).points).toHaveLength(count)
      expect((await newVisitor().get(`${path}?range=1y`)).status).toBe(400)
    },
  ],
  rcon: [
    'runs an owner’s command on the server and returns its response; no response contains the password',
    async () => {
      const console = await startRconServer({
        password: 'a secret of the isle',
        answer: (command) => (command === 'ListPlayers' ? '0. Ada, 76561198000000001' : 'Server received'),
      })
      onTestFinished(() => console.close())
      const { id, owner } = await newListing()
      const path = `/api/servers/${id}/rcon`
      expect(await owner.client.post(path, { command: 'ListPlayers' })).toMatchObject({
        status: 400,
        body: { error: 'rcon_not_configured' },
      })
      const access = { port: console.port, password: 'a secret of the isle' }
      for (const shown of [await owner.client.put(path, access), await owner.client.get(path)]) {
        expect(shown).toMatchObject({ status: 200, body: { isConfigured: true, port: console.port } })
        expect(JSON.stringify(shown.body)).not.toContain(access.password)
      }
      expect(await owner.client.post(path, { command: 'ListPlayers' })).toMatchObject({
        status: 200,
        body: { response: '0. Ada, 76561198000000001' },
      })
      expect(console.commands).toEqual(['ListPlayers'])
      expect((await (await register()).client.post(path, { command: 'DoExit' })).status).toBe(403)
      expect((await newVisitor().post(path, { command: 'DoExit' })).status).toBe(401)

      await owner.client.put(path, { ...access, password: 'not that one' })
      expect(await owner.client.post(path, { command: 'DoExit' })).toMatchObject({
        status: 400,
        body: { error: 'rcon_wrong_password' },
      })
      expect(console.commands).toEqual(['ListPlayers'])
      expect((await owner.client.delete(path)).body).toEqual({ success: true })
      expect((await owner.client.get(path)).body).toMatchObject({ isConfigured: false, port: null })
      const { rows } = await database.query('select * from rcon_credentials where server_id = $1', [id])
      expect(rows).toEqual([])
    },
  ],
  reports: [
    'lets a user report it, once at a time; administrators see and resolve the report',
    async () => {
      const [{ id }, reporter] = [await newListing({ name: 'The isle of lies' }), await register()]
      const path = `/api/servers/${id}/reports`
      const given = { reason: 'misleading', details: 'It says 10 times, and it is 1.' }
      const filed = await reporter.client.post<{ id: string }>(path, given)
      expect(filed).toMatchObject({ status: 201, body: { ...given, serverId: id, status: 'open' } })
      expect(await reporter.client.post(path, given)).toMatchObject({
        status: 400,
        body: { error: 'already_reported' },
      })
      expect((await reporter.client.post(path, { reason: 'boring' })).status).toBe(400)
      expect((await newVisitor().post(path, given)).status).toBe(401)

      const admin = elsewhere(operator)
      const listed = async (status: string) =>
        (await admin.get(`/api/admin/reports?status=${status}&serverId=${id}`)).body.reports
      const seen = { ...given, id: filed.body.id, serverName: 'The isle of lies', reporterUsername: reporter.username }
      expect(await listed('open')).toMatchObject([seen])
      const settled = await admin.patch(`/api/admin/reports/${filed.body.id}`, {
        status: 'resolved',
        note: 'The owner was warned.',
      })
      expect(settled).toMatchObject({
        status: 200,
        body: { ...seen, status: 'resolved', note: 'The owner was warned.' },
      })
      expect(await listed('open')).toEqual([])
      expect((await reporter.client.post(path, given)).status).toBe(201)
    },
  ],
  widgets: [
    'images for other sites show how many players are and were online, and run nothing',
    async () => {
      const { id } = await listServer({ name: 'The isle of images' }, { players: 9, maxPlayers: 40 })
      const image = async (path: string) => {
        const { headers, body } = await newVisitor().get<string>(path)
        expect(headers.get('content-type')).toBe('image/svg+xml')
        expect(headers.get('content-security-policy')).toContain("default-src 'none'")
        return body
      }
      expect(await image(`/api/public/servers/${id}/badge.svg`)).toContain('9/40 online')
      await expect
        .poll(
          async () => (await newVisitor().get<History>(`/api/servers/${id}/player-history`)).body.peak,
          WAIT_OPTIONS,
        )
        .toBe(9)
      for (const range of ['24h', '7d', '30d', '90d'])
        expect(await image(`/api/servers/${id}/chart.svg?range=${range}`)).toContain('Peak 9, average 9, uptime 100 %')
      expect((await newVisitor().get(`/api/servers/${id}/chart.svg?range=1y`)).status).toBe(400)
      const banner = await image(`/api/servers/${id}/banner.svg`)
      for (const words of ['The isle of images', '9/40', 'peak 9, average 9']) expect(banner).toContain(words)
    },
  ],
  'vote-key': [
    'lets a game server’s reward plugin ask for a player’s vote and claim it once, by answers of one digit',
    async () => {
      const { id, owner } = await newListing()
      const { status, body } = await owner.client.post<{ voteKey: string }>(`/api/servers/${id}/vote-key`)
      expect(status).toBe(200)
      expectFields(body, ['voteKey', 'startsWith', 'createdAt'])
      const gameServer = newVisitor()
      const ask = async (query: string) =>
        (await gameServer.get(`/api/plugins/votes?key=${body.voteKey}&steamid=76561198000000001&${query}`)).body
      expect(await ask('action=status')).toBe('0')
      const vote = { visitorId: 'a visitor with a key', gamePlatformId: '76561198000000001' }
      expect((await newVisitor().post(`/api/servers/${id}/vote`, vote)).status).toBe(200)
      expect([await ask('action=status'), await ask('action=claim'), await ask('action=claim')]).toEqual([
        '1',
        '1',
        '2',
      ])
      expect(await ask('action=post&object=votes&element=claim')).toBe('0')
      expect(await gameServer.get('/api/plugins/votes?key=wrong&steamid=1&action=status')).toMatchObject({
        status: 401,
        body: expect.stringMatching(/^invalid_vote_key: [^\n]+\n$/),
      })
      expect((await owner.client.delete(`/api/servers/${id}/vote-key`)).status).toBe(200)
      expect(await ask('action=status')).toContain('invalid_vote_key')
    },
  ],
  'vote-rewards': [
    'runs an owner’s commands on their server for a vote, with the voter’s name, and lists what became of them',
    async () => {
      const console = await startRconServer({ password: 'a secret of the isle', answer: () => 'Gave 1 raptor' })
      onTestFinished(() => console.close())
      const { id, owner } = await newListing()
      const path = `/api/servers/${id}/vote-rewards`
      await owner.client.put(`/api/servers/${id}/rcon`, { port: console.port, password: 'a secret of the isle' })
      const rewards = { when: 'vote', commands: ['give {username} raptor'] }
      expect(await owner.client.put(path, rewards)).toMatchObject({ status: 200, body: rewards })
      for (const username of ['Ada', 'Eve; DoExit']) {
        const vote = { visitorId: `a visitor named ${username}`, username }
        expect((await newVisitor().post(`/api/servers/${id}/vote`, vote)).status).toBe(200)
      }
      const log = async () =>
        (await owner.client.get<{ rewards: { username: string; status: string; answer: string }[] }>(`${path}/log`))
          .body.rewards
      await expect
        .poll(async () => (await log()).map(({ username, status, answer }) => [username, status, answer]), WAIT_OPTIONS)
        .toEqual([
          ['Eve; DoExit', 'not_run', ''],
          ['Ada', 'ran', 'Gave 1 raptor'],
        ])
      expect(console.commands).toEqual(['give Ada raptor'])
      expect((await (await register()).client.put(path, rewards)).status).toBe(403)
    },
  ],
  'wipe-history': [
    'shows its wipes, as its owner entered them; then it is listed as just wiped',
    async () => {
      const { id, owner } = await newListing()
      const path = `/api/servers/${id}/wipe-history`
      const justWiped = async () => {
        const { body } = await newVisitor().get<{ servers: { id: string }[] }>('/api/servers?justWiped=true&limit=100')
        return body.servers.some((server) => server.id === id)
      }
      const old = { kind: 'map', wipedAt: '2026-01-05T12:00:00.000Z', note: 'A new season' }
      expect(await owner.client.post(path, old)).toMatchObject({ status: 201, body: { ...old, source: 'owner' } })
      expect(await justWiped()).toBe(false)
      const before = Date.now()
      const { status, body } = await owner.client.post<{ wipedAt: string }>(path, { kind: 'full' })
      expect(status).toBe(201)
      expect(Math.abs(Date.parse(body.wipedAt) - before)).toBeLessThan(MINUTE_MS)
      expect(await justWiped()).toBe(true)
      expect((await newVisitor().get(path)).body).toMatchObject({
        wipes: [{ kind: 'full', note: '', wipedAt: body.wipedAt }, old],
        pagination: { page: 1, total: 2, totalPages: 1 },
      })
      expect((await newVisitor().get(`/api/servers/${id}`)).body.lastWipeAt).toBe(body.wipedAt)
      expect((await (await register()).client.post(path, { kind: 'full' })).status).toBe(403)
      expect((await newVisitor().post(path, { kind: 'full' })).status).toBe(401)
    },
  ],
})
