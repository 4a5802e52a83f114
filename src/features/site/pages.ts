// The pages of the site, as a table of contents.
import type { Page } from './page.ts'
import {
  favoritesPage,
  keysPage,
  loginPage,
  logoutPage,
  notificationsPage,
  profilePage,
  registerPage,
  subscriptionPage,
} from './pages/account.ts'
import {
  adminAuctionPage,
  adminAuctionsPage,
  auditPage,
  contactPage,
  overviewPage,
  queuePage,
  reportsPage,
  serversPage,
  slotsPage,
  usersPage,
  voteSourcesPage,
} from './pages/admin.ts'
import { auctionPage, auctionsPage } from './pages/auctions.ts'
import { comparePage } from './pages/compare.ts'
import { directoryPage } from './pages/directory.ts'
import { featuredPage } from './pages/featured.ts'
import { addPage, claimPage, ownedPage } from './pages/owner.ts'
import {
  editPage,
  endpointPage,
  endpointsPage,
  rconPage,
  rewardsPage,
  serverOverviewPage,
  votesPage,
  wipesPage,
} from './pages/owner-server.ts'
import { serverPage } from './pages/server.ts'

export const PAGES: readonly Page[] = [
  directoryPage,
  serverPage,
  featuredPage,
  comparePage,
  loginPage,
  registerPage,
  logoutPage,
  profilePage,
  keysPage,
  favoritesPage,
  notificationsPage,
  subscriptionPage,
  auctionsPage,
  auctionPage,
  overviewPage,
  queuePage,
  reportsPage,
  contactPage,
  serversPage,
  usersPage,
  adminAuctionsPage,
  adminAuctionPage,
  slotsPage,
  voteSourcesPage,
  auditPage,
  ownedPage,
  addPage,
  serverOverviewPage,
  claimPage,
  editPage,
  endpointsPage,
  endpointPage,
  votesPage,
  rewardsPage,
  rconPage,
  wipesPage,
]
