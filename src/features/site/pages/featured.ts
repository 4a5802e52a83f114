// The servers with a running placement.
import { type FeaturedData, featuredView } from '../components/featured.ts'
import { ROW_FIELDS, type Row } from '../components/types.ts'
import { page } from '../page.ts'

const MAX_FEATURED = 100

export const featuredPage = page({
  path: '/featured',
  texts: ['directory', 'featured'],
  shared: true,
  script: 'featured.ts',
  async data({ api, cursor }): Promise<FeaturedData> {
    const query = { isFeatured: 'true', fields: ROW_FIELDS.join(','), limit: MAX_FEATURED } as const
    return { cursor: cursor(), servers: (await api.get('/servers', { query })).servers as Row[] }
  },
  head: ({ t: { featured } }) => ({ title: featured.title, description: featured.about }),
  view: featuredView,
})
