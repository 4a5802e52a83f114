// What is known of a Minecraft server with two editions when one of them, or both, could not be asked.
import { expect, it } from 'vitest'
import { askEditions } from '../../../workers/polling/editions.ts'
import type { Miss, Outcome } from '../../../workers/polling/outcome.ts'

const missed = (reason: Miss['reason']): Outcome => ({ answered: false, reason, askedAt: 0 })
const answer: Outcome = {
  answered: true,
  players: 3,
  bots: 0,
  hasPassword: null,
  maxPlayers: 20,
  map: '',
  version: '',
  queryMs: 5,
  profile: { name: 'Java' },
}

const outcomeOf = (java: Outcome, bedrock: Outcome): Promise<Outcome> => {
  const ask = askEditions(async ({ game }) => (game === 'minecraft' ? java : bedrock))
  return ask({
    game: 'minecraft',
    ipAddress: '127.88.10.1',
    gamePort: 25_565,
    gamePortGiven: true,
    queryPort: 25_565,
    isOnline: true,
    tokens: [],
    bedrockAddress: '127.88.10.1',
    bedrockPort: 19_132,
  })
}

it.each(['skipped', 'no list'] as const)(
  'a server whose Java edition is `%s` is not shown by Bedrock alone',
  async (reason) => {
    expect(await outcomeOf(missed(reason), answer)).toEqual(missed(reason))
  },
)

it('a silent Java edition is offline, and Bedrock is what is shown', async () => {
  expect(await outcomeOf(missed('silent'), answer)).toMatchObject({ editions: { java: false, bedrock: true } })
})

it('a server whose editions are in two countries is in that of its address, also while only Bedrock answers', async () => {
  const bedrock = { ...answer, country: 'US' }
  expect(await outcomeOf({ ...answer, country: 'DE' }, bedrock)).toMatchObject({ country: 'DE' })
  expect(await outcomeOf({ ...missed('silent'), country: 'DE' }, bedrock)).toMatchObject({ country: 'DE' })
  expect((await outcomeOf(missed('unresolved'), bedrock)).country).toBe(undefined)
})

it('of a Bedrock edition that could not be asked nothing is said', async () => {
  expect(await outcomeOf(answer, missed('skipped'))).toMatchObject({ editions: { java: true, bedrock: undefined } })
  expect(await outcomeOf(missed('silent'), missed('skipped'))).toEqual(missed('skipped'))
})
