// The online flag: a game server answers, stops answering and returns.
import { expect } from 'vitest'
import { makePollDue } from '../directory.ts'
import { listServer, newVisitor, WAIT_OPTIONS } from '../product.ts'
import { onceNeeded, section } from '../section.ts'

const theFickle = onceNeeded(() =>
  listServer({ name: 'The fickle isle' }, { players: 9, maxPlayers: 30, map: 'Scorched' }),
)

interface Shown {
  isOnline: boolean
  currentPlayers: number
  consecutiveFailures: number
}

async function shown(): Promise<Shown> {
  const { status, body } = await newVisitor().get(`/api/servers/${(await theFickle()).id}`)
  expect(status).toBe(200)
  const { isOnline, currentPlayers, consecutiveFailures } = body as unknown as Shown
  return { isOnline, currentPlayers, consecutiveFailures }
}

section('online flag', {
  true: [
    'while the game server answers, with its players',
    async () => expect(await shown()).toEqual({ isOnline: true, currentPlayers: 9, consecutiveFailures: 0 }),
  ],
  false: [
    'after exactly three polls in a row without an answer, with no players; true again with the next answer',
    async () => {
      const { id, game } = await theFickle()
      const seen = new Set<string>()
      const follow = async () => {
        const now = await shown()
        seen.add(JSON.stringify(now))
        return now
      }
      game.faults.silent = true
      for (let failures = 1; failures <= 3; failures++) {
        await makePollDue(id)
        await expect.poll(async () => (await follow()).consecutiveFailures, WAIT_OPTIONS).toBe(failures)
      }
      expect([...seen].map((text) => JSON.parse(text))).toEqual([
        { isOnline: true, currentPlayers: 9, consecutiveFailures: 0 },
        { isOnline: true, currentPlayers: 9, consecutiveFailures: 1 },
        { isOnline: true, currentPlayers: 9, consecutiveFailures: 2 },
        { isOnline: false, currentPlayers: 0, consecutiveFailures: 3 },
      ])

      Object.assign(game.info, { players: 4 })
      game.faults.silent = false
      await makePollDue(id)
      await expect.poll(shown, WAIT_OPTIONS).toEqual({ isOnline: true, currentPlayers: 4, consecutiveFailures: 0 })
    },
  ],
})
