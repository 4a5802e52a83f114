// The pages of the site, as a table of contents.
import type { Page } from './page.ts'
import { favoritesPage } from './pages/account/favorites.ts'
import { keysPage } from './pages/account/keys.ts'
import { loginPage, logoutPage, registerPage } from './pages/account/login.ts'
import { notificationsPage } from './pages/account/notifications.ts'
import { profilePage } from './pages/account/profile.ts'
import { secondFactorPage } from './pages/account/second-factor.ts'
import { confirmPage, secondStepPage } from './pages/account/second-step.ts'
import { subscriptionPage } from './pages/account/subscription.ts'
import { appearancePage } from './pages/admin/appearance.ts'
import { adminAuctionPage } from './pages/admin/auction.ts'
import { adminAuctionsPage } from './pages/admin/auctions.ts'
import { auditPage } from './pages/admin/audit.ts'
import { contactMessagesPage } from './pages/admin/contact.ts'
import { importPage } from './pages/admin/import.ts'
import { adminOverviewPage } from './pages/admin/overview.ts'
import { queuePage } from './pages/admin/queue.ts'
import { reportsPage } from './pages/admin/reports.ts'
import { adminServersPage } from './pages/admin/servers.ts'
import { slotsPage } from './pages/admin/slots.ts'
import { sourcesPage } from './pages/admin/sources.ts'
import { usersPage } from './pages/admin/users.ts'
import { voidingPage } from './pages/admin/voiding.ts'
import { voteSourcesPage } from './pages/admin/votes.ts'
import { auctionPage, auctionsPage } from './pages/auctions.ts'
import { comparePage } from './pages/compare.ts'
import { contactPage } from './pages/contact.ts'
import { directoryPage } from './pages/directory.ts'
import { alertPage, reminderPage } from './pages/endings.ts'
import { featuredPage } from './pages/featured.ts'
import { gamePage, gamesPage } from './pages/games.ts'
import { addPage } from './pages/owner/add.ts'
import { claimPage } from './pages/owner/claim.ts'
import { editPage } from './pages/owner/edit.ts'
import { endpointPage, endpointsPage } from './pages/owner/endpoints.ts'
import { serverOverviewPage } from './pages/owner/overview.ts'
import { rconPage } from './pages/owner/rcon.ts'
import { rewardsPage } from './pages/owner/rewards.ts'
import { ownedServersPage } from './pages/owner/servers.ts'
import { teamPage } from './pages/owner/team.ts'
import { votesPage } from './pages/owner/votes.ts'
import { wipesPage } from './pages/owner/wipes.ts'
import { paymentPage, paymentPageAlone } from './pages/payment.ts'
import { rankingPage } from './pages/ranking.ts'
import { operationPage, referencePage } from './pages/reference.ts'
import { serverPage } from './pages/server.ts'
import { gameTopPage, topPage } from './pages/standings.ts'
import { votePage } from './pages/vote.ts'

const DOCS = [referencePage, operationPage]
/** The pages with `SITE=off`. */
export const REFERENCE: readonly Page[] = [...DOCS, paymentPageAlone]

const PUBLIC = [
  directoryPage,
  serverPage,
  votePage,
  reminderPage,
  alertPage,
  rankingPage,
  topPage,
  gamesPage,
  gamePage,
  gameTopPage,
  featuredPage,
  comparePage,
  auctionsPage,
  auctionPage,
  paymentPage,
  contactPage,
  ...DOCS,
]
const ACCOUNT = [
  loginPage,
  secondStepPage,
  registerPage,
  logoutPage,
  profilePage,
  secondFactorPage,
  confirmPage,
  keysPage,
  favoritesPage,
  notificationsPage,
  subscriptionPage,
]
const OWNER = [
  ownedServersPage,
  addPage,
  claimPage,
  serverOverviewPage,
  editPage,
  rconPage,
  wipesPage,
  endpointsPage,
  endpointPage,
  votesPage,
  rewardsPage,
  teamPage,
]
const STAFF = [
  adminOverviewPage,
  queuePage,
  sourcesPage,
  adminAuctionsPage,
  adminAuctionPage,
  slotsPage,
  appearancePage,
  reportsPage,
  contactMessagesPage,
  adminServersPage,
  importPage,
  usersPage,
  voteSourcesPage,
  voidingPage,
  auditPage,
]

export const PAGES: readonly Page[] = [...PUBLIC, ...ACCOUNT, ...OWNER, ...STAFF]
