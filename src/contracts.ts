// All job contracts: `npm run migrate` installs their queues, and the worker's registry must handle each.
import { accountsUpkeep } from './features/accounts/index.ts'
import { auctionClose, auctionRound, auctionSweep } from './features/auctions/index.ts'
import {
  billingEvent,
  billingSweep,
  duplicateSubscriptions,
  paymentRefund,
  paymentSettled,
} from './features/billing/index.ts'
import { claimCheck } from './features/claims/index.ts'
import { contactRetention } from './features/contact/index.ts'
import { historyPartitions, historyRetention, historyRollUp } from './features/history/index.ts'
import { mail } from './features/mail/index.ts'
import { chatMessage, notificationDigests, notificationUpkeep, notify } from './features/notifications/index.ts'
import { placementTurn } from './features/placements/index.ts'
import { poll } from './features/polling/index.ts'
import { rconCommand, rconUpkeep } from './features/rcon/index.ts'
import { rewardsUpkeep, voteReward } from './features/rewards/index.ts'
import { serverProbe } from './features/servers/index.ts'
import { votesMonth, votesUpkeep } from './features/votes/index.ts'
import { webhookSlowWake, webhookSweep, webhookUpkeep, webhookWake } from './features/webhooks/index.ts'
import type { JobContract } from './platform/queue/contract.ts'

export const contracts: JobContract[] = [
  poll,
  claimCheck,
  serverProbe,
  mail,
  notify,
  notificationDigests,
  chatMessage,
  notificationUpkeep,
  accountsUpkeep,
  historyPartitions,
  historyRetention,
  historyRollUp,
  votesMonth,
  votesUpkeep,
  webhookWake,
  webhookSlowWake,
  webhookSweep,
  webhookUpkeep,
  billingEvent,
  billingSweep,
  duplicateSubscriptions,
  rconCommand,
  rconUpkeep,
  voteReward,
  rewardsUpkeep,
  contactRetention,
  paymentSettled,
  paymentRefund,
  auctionClose,
  auctionSweep,
  auctionRound,
  placementTurn,
]
