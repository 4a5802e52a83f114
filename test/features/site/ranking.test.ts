// The ranking on the site: the default order, the page that explains it, and a server's own numbers.
import { beforeAll, expect, it } from 'vitest'
import { serverPath } from '../../../src/features/site/components/server-parts.ts'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus, putVotes } from '../directory/rows-in-database.ts'

const api = await startTestApi()
const { pool } = api.database
let popular = ''

const text = async (path: string, language = 'en') => {
  const reply = await fetch(api.url + path, { headers: { accept: 'text/html', 'accept-language': language } })
  expect(reply.status).toBe(200)
  return reply.text()
}
const names = (page: string) => [...page.matchAll(/<h2><a href="[^"]*" dir="auto">([^<]*)</g)].map(([, name]) => name)

beforeAll(async () => {
  const giant = await insertServer(pool, { name: 'Old giant' })
  popular = await insertServer(pool, { name: 'Popular now' })
  for (const id of [giant, popular]) await putStatus(pool, id, { isOnline: true })
  await putVotes(pool, giant, 5000)
  await putVotes(pool, popular, 212)
  const addWeight = (id: string, votes: number, days: number) =>
    pool.query(
      `update server_counters set vote_score = vote_score + $2 * vote_weight(now() - make_interval(days => $3)) where server_id = $1`,
      [id, votes, days],
    )
  await addWeight(giant, 5000, 150)
  await addWeight(popular, 40, 0)
  await addWeight(popular, 80, 20)
  await addWeight(popular, 92, 40)
  await api.directory.refresh()
})

it('the list begins with what is popular now, and by all votes with the old giant', async () => {
  const list = await text('/')
  expect(names(list)).toEqual(['Popular now', 'Old giant'])
  expect(list).toMatch(/<a href="\/" aria-current="true"[^>]*>Ranking<\/a>/)
  expect(list).toContain('<a class="hint" href="/ranking">')
  expect(names(await text('/?sortBy=totalVotes'))).toEqual(['Old giant', 'Popular now'])
  expect(names(await text('/?sortBy=score'))).toEqual(['Popular now', 'Old giant'])
})

it('a search is sorted by relevance, and can be sorted by the ranking', async () => {
  const found = await text('/?q=giant')
  expect(found).not.toContain('aria-current="true" data-live="true">Ranking')
  expect(found).toContain('href="/?q=giant&amp;sortBy=score"')
})

it('the page of a server has its own numbers, in the visitor’s language', async () => {
  const path = serverPath({ id: popular, name: 'Popular now' })
  expect(await text(path)).toContain('212 votes count as 65.8 today.')
  expect(await text(path, 'de')).toContain('212 Stimmen zählen heute noch 65,8.')
  expect(await text(path)).toContain('1 of 2')
})

it('the page that explains it computes its examples by the formula', async () => {
  const english = await text('/ranking')
  for (const part of [
    'Every 10 days it counts half as much',
    '0.25',
    'log₂(1 + players) ÷ 48',
    'More than 255 players',
  ])
    expect(english).toContain(part)
  expect(await text('/ranking', 'de')).toContain('Alle 10 Tage zählt sie nur noch halb so viel')
})
