// What brings players back: one click to a vote, streaks, reminders, alerts, wipes that are announced.
import { expect } from 'vitest'
import { confirmAddress } from '../mails.ts'
import { listServer, newsOf, newVisitor, product, register, WAIT_OPTIONS } from '../product.ts'
import { section } from '../section.ts'
import { passDay } from '../votes.ts'

section('coming back', {
  '/vote/:id': [
    'is the short address of a vote, of at most 25 kB, with the name filled in',
    async () => {
      const { id } = await listServer({ name: 'Isle of signs' })
      const reply = await fetch(`${product.url}/vote/${id}?username=Zoe`, { headers: { accept: 'text/html' } })
      const page = await reply.text()
      expect(page.length).toBeLessThan(25_000)
      expect(page).toContain('Isle of signs')
      expect(page).toMatch(/name="username"[^>]*value="Zoe"|value="Zoe"[^>]*name="username"/)
    },
  ],
  streak: [
    'counts days in a row with a vote of the same player',
    async () => {
      const { id } = await listServer()
      const visitor = newVisitor()
      const vote = () => visitor.post(`/api/servers/${id}/vote`, { visitorId: 'faithful visitor', username: 'Zoe' })
      expect((await vote()).body.streak).toBe(1)
      await passDay(id)
      expect((await vote()).body.streak).toBe(2)
    },
  ],
  'mail reminder': [
    'is ordered after a vote, and ends with one click',
    async () => {
      const [{ id }, fan] = [await listServer(), await register()]
      await confirmAddress(fan)
      const visitorId = 'visitor who forgets'
      const path = `/api/servers/${id}/vote/mail-reminder`
      expect((await fan.client.post(path, { visitorId, language: 'en' })).status).toBe(400)
      expect((await fan.client.post(`/api/servers/${id}/vote`, { visitorId })).status).toBe(200)
      const { status, body } = await fan.client.post<{ id: string; remindAt: string }>(path, {
        visitorId,
        language: 'en',
      })
      expect(status).toBe(200)
      expect(Date.parse(body.remindAt)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
      expect((await newVisitor().post(`/api/vote-reminders/off?id=${body.id}`)).status).toBe(200)
    },
  ],
  alerts: [
    'notify those who asked for them when people play',
    async () => {
      const [{ id, game }, fan] = [await listServer({ name: 'Isle of crowds' }, { players: 2 }), await register()]
      expect((await fan.client.post(`/api/servers/${id}/favorite`)).status).toBe(201)
      const set = await fan.client.put(`/api/servers/${id}/favorite/alerts`, { playersAtLeast: 20 })
      expect(set).toMatchObject({ status: 200, body: { playersAtLeast: 20, wipeSoon: false } })
      game.info.players = 25
      await expect
        .poll(async () => (await newsOf(fan)).find(({ serverId }) => serverId === id), WAIT_OPTIONS)
        .toMatchObject({ event: expect.stringMatching(/alert|players/i) })
    },
  ],
  wipeSchedule: [
    'becomes `nextWipeAt` in list and detail, which lists filter and order by',
    async () => {
      const { id, owner } = await listServer({ game: 'theisle' })
      const at = new Date(Date.now() + 2 * 86_400_000).toISOString()
      expect((await owner.client.patch(`/api/servers/${id}`, { wipeSchedule: { at } })).status).toBe(200)
      const found = async (days: number) => {
        const path = `/api/servers?game=theisle&wipesWithinDays=${days}&sortBy=nextWipeAt&fields=id,nextWipeAt`
        return (await newVisitor().get<{ servers: object[] }>(path)).body.servers
      }
      await expect.poll(() => found(3), WAIT_OPTIONS).toMatchObject([{ id, nextWipeAt: at }])
      expect(await found(1)).toEqual([])
    },
  ],
})
