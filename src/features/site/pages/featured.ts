// The servers with a running placement.
import { nextOf } from '../components/auctions.ts'
import { type FeaturedData, featuredView } from '../components/featured.ts'
import { ROW_FIELDS, type Row } from '../components/types.ts'
import { page } from '../page.ts'

const MAX_FEATURED = 100

export const featuredPage = page({
  path: '/featured',
  texts: ['directory', 'featured', 'auctions'],
  shared: true,
  script: 'featured.ts',
  async data({ api, cursor }): Promise<FeaturedData> {
    const query = { isFeatured: 'true', fields: ROW_FIELDS.join(','), limit: MAX_FEATURED } as const
    const from = cursor()
    const [{ servers }, { auctions }] = await Promise.all([
      api.get('/servers', { query }),
      api.get('/auctions', { query: { status: 'active' } }),
    ])
    const now = Date.now()
    // Running auctions come first, by their end.
    const running = auctions.find(({ startsAt }) => Date.parse(startsAt) <= now)
    return { cursor: from, servers: servers as Row[], auction: running ?? nextOf(auctions) ?? null, now }
  },
  head: ({ t: { featured } }) => ({ title: featured.title, description: featured.about, styles: 'offers.css' }),
  view: featuredView,
})
