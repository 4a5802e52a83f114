// The pages of the site, as a table of contents.
import type { Page } from './page.ts'
import { ACCOUNT_PAGES } from './pages/account.ts'
import { AUCTIONS_ADMIN_PAGES } from './pages/admin/auctions.ts'
import { LIST_PAGES } from './pages/admin/lists.ts'
import { OVERVIEW_PAGES } from './pages/admin/overview.ts'
import { AUCTION_PAGES } from './pages/auctions.ts'
import { comparePage } from './pages/compare.ts'
import { directoryPage } from './pages/directory.ts'
import { featuredPage } from './pages/featured.ts'
import { ENDPOINT_PAGES } from './pages/owner/endpoints.ts'
import { OWNED_SERVER_PAGES } from './pages/owner/server.ts'
import { OWNER_PAGES } from './pages/owner/servers.ts'
import { VOTES_PAGES } from './pages/owner/votes.ts'
import { serverPage } from './pages/server.ts'

export const PAGES: readonly Page[] = [
  directoryPage,
  serverPage,
  featuredPage,
  comparePage,
  ...AUCTION_PAGES,
  ...ACCOUNT_PAGES,
  ...OWNER_PAGES,
  ...OWNED_SERVER_PAGES,
  ...ENDPOINT_PAGES,
  ...VOTES_PAGES,
  ...OVERVIEW_PAGES,
  ...LIST_PAGES,
  ...AUCTIONS_ADMIN_PAGES,
]
