// The metric that tells operators how many list pages come from the cache.
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'

it('a page is rendered for its first two requests, and then comes from the cache', async () => {
  const now = Date.now()
  const api = await startTestApi({ clock: () => now }) // a cached page shows one second
  const counted = async () => {
    const metrics = await (await api.request('/metrics')).text()
    return ['rendered', 'cache'].map((from) =>
      Number(new RegExp(`^directory_page_lookups_total\\{from="${from}"\\} (\\d+)$`, 'm').exec(metrics)?.[1]),
    )
  }
  const [rendered, cached] = (await counted()) as [number, number]
  for (const counts of [
    [1, 0],
    [2, 0],
    [2, 1],
  ] as const) {
    expect((await api.request('/api/public/servers?limit=7')).status).toBe(200)
    expect(await counted()).toEqual([rendered + counts[0], cached + counts[1]])
  }
})
