// The contact form, search suggestions, totals by game.
import { expect } from 'vitest'
import { findMails } from '../mails.ts'
import { elsewhere, listServer, newListing, newVisitor, OPERATOR_EMAIL, operator, WAIT_OPTIONS } from '../product.ts'
import { ROWS } from '../rows.ts'
import { expectFields, section } from '../section.ts'

interface Totals {
  servers: number
  players: number
  playersByHour: (number | null)[]
}
interface Statistics extends Totals {
  hours: string[]
  onlineServers: number
  games: (Totals & { game: string; gameName: string })[]
  countries: (Totals & { country: string })[]
}

interface Suggestion extends Record<string, unknown> {
  id: string
}

async function suggest(query: string): Promise<Suggestion[]> {
  const { status, body } = await newVisitor().get<{ suggestions: Suggestion[] }>(`/api/servers/suggestions?${query}`)
  expect(status).toBe(200)
  expectFields(body, ['suggestions'])
  return body.suggestions
}

section('utilities', {
  'POST /api/contact': [
    'stores the message and mails it to the administrators, who reply to the sender',
    async () => {
      const form = {
        name: 'Ada',
        email: 'ada@example.com',
        subject: 'A bridge to the next isle',
        message: 'When will it be built?',
      }
      const { status, body } = await newVisitor().post('/api/contact', form)
      expect([status, body.success]).toEqual([200, true])
      const kept = await elsewhere(operator).get<{ messages: { subject: string }[] }>('/api/admin/contact?limit=100')
      expect(kept.body.messages.filter(({ subject }) => subject === form.subject)).toMatchObject([form])
      await expect.poll(() => findMails(form.message), WAIT_OPTIONS).toHaveLength(1)
      const [mail] = findMails(form.message)
      expect(mail?.headers.get('to')).toBe(OPERATOR_EMAIL)
      expect(mail?.headers.get('reply-to')).toContain('ada@example.com')
      expect(mail?.headers.get('subject')).toBe('Contact: A bridge to the next isle')
      for (const wrong of [
        { ...form, email: 'ada' },
        { ...form, message: '' },
        { ...form, name: undefined },
      ])
        expect(await newVisitor().post('/api/contact', wrong)).toMatchObject({
          status: 400,
          body: { error: 'validation_failed' },
        })
    },
  ],
  'GET /api/servers/suggestions': [
    'suggests names that begin with the text, then names with such a word, then the rest; without a text, trending servers',
    async () => {
      const inside = await newListing({ name: 'Azephyrus' })
      const word = await newListing({ name: 'The Zephyr of old' })
      const first = await listServer({ name: 'Zephyr Landing' }, { players: 4, map: 'Ragnarok' })
      const found = await suggest('q=zephyr')
      expect(found.map(({ id }) => id)).toEqual([first.id, word.id, inside.id])
      expectFields(found[0], ROWS['favorite server item'])
      expect(found[0]).toMatchObject({ name: 'Zephyr Landing', currentPlayers: 4, isOnline: true, map: 'Ragnarok' })
      expect((await suggest('q=zephyr&limit=1')).map(({ id }) => id)).toEqual([first.id])
      expect(await suggest('q=nothing-is-called-so')).toEqual([])
      expect((await newVisitor().get('/api/servers/suggestions?limit=0')).status).toBe(400)

      for (let n = 0; n < 3; n++) {
        const vote = { visitorId: `a visitor of the zephyr ${n}` }
        expect((await newVisitor().post(`/api/servers/${word.id}/vote`, vote)).status).toBe(200)
      }
      const ours = [first.id, word.id, inside.id]
      const trending = async () => (await suggest('limit=20')).map(({ id }) => id).filter((id) => ours.includes(id))
      await expect.poll(async () => (await trending())[0], WAIT_OPTIONS).toBe(word.id)
    },
  ],
  'GET /api/stats': [
    'adds up servers and players by game and country, now and by hour; hours without data are null',
    async () => {
      await listServer({}, { players: 3 })
      const { status, body } = await newVisitor().get<Statistics>('/api/stats')
      expect(status).toBe(200)
      expectFields(body, ['hours', 'servers', 'onlineServers', 'players', 'playersByHour', 'games', 'countries'])
      expect(body.hours).toHaveLength(24)
      for (const { playersByHour } of [body, ...body.games, ...body.countries]) expect(playersByHour).toHaveLength(24)
      // A Minecraft server of both editions is in both games.
      const bedrock = body.games.find(({ game }) => game === 'mbe')
      for (const total of ['servers', 'players'] as const) {
        const counted = body.games.reduce((sum, game) => sum + game[total], 0)
        expect(counted, total).toBeGreaterThanOrEqual(body[total])
        expect(counted - body[total], total).toBeLessThanOrEqual(bedrock?.[total] ?? 0)
      }
      expect(body.games[0]?.gameName).toEqual(expect.any(String))
    },
  ],
})
