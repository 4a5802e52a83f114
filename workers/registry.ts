// All background work: every job's contract with its handler, its concurrency, and its schedule.
import type { Deps } from '../src/deps.ts'
import { accountsUpkeep, runAccountsUpkeep } from '../src/features/accounts/index.ts'
import {
  applyPayment,
  auctionClose,
  auctionRound,
  auctionSweep,
  closeAuction,
  createRound,
  sweepAuctions,
} from '../src/features/auctions/index.ts'
import {
  billingEvent,
  billingSweep,
  createBillingWorker,
  duplicateSubscriptions,
  paymentRefund,
  paymentSettled,
} from '../src/features/billing/index.ts'
import { claimCheck } from '../src/features/claims/index.ts'
import { contactRetention, runContactRetention } from '../src/features/contact/index.ts'
import {
  historyPartitions,
  historyRetention,
  historyRollUp,
  runHistoryPartitions,
  runHistoryRetention,
  runHistoryRollUp,
} from '../src/features/history/index.ts'
import { mail } from '../src/features/mail/index.ts'
import {
  chatMessage,
  notificationDigests,
  notificationUpkeep,
  notify,
  orderDigests,
  runNotificationUpkeep,
  takeNotice,
} from '../src/features/notifications/index.ts'
import { placementTurn, turnPlacements } from '../src/features/placements/index.ts'
import { poll } from '../src/features/polling/index.ts'
import { createRconRunner, rconCommand, rconUpkeep, runRconUpkeep } from '../src/features/rcon/index.ts'
import { createRewardRunner, rewardsUpkeep, runRewardsUpkeep, voteReward } from '../src/features/rewards/index.ts'
import { serverProbe } from '../src/features/servers/index.ts'
import { runVotesMonth, runVotesUpkeep, votesMonth, votesUpkeep } from '../src/features/votes/index.ts'
import {
  runWebhookUpkeep,
  sweepWebhooks,
  webhookSlowWake,
  webhookSweep,
  webhookUpkeep,
  webhookWake,
} from '../src/features/webhooks/index.ts'
import type { JobContract } from '../src/platform/queue/contract.ts'
import { createBillingEventHandler } from './billing/billing-event.handler.ts'
import type { ClaimChecker } from './claims/claim-check.handler.ts'
import { createMailHandler } from './mail/mail.handler.ts'
import { createChatMessageHandler } from './notifications/chat-message.handler.ts'
import type { Poller } from './polling/poller.ts'
import { createRconSender } from './rcon/send.ts'
import type { Prober } from './servers/probe.handler.ts'
import type { Dispatcher } from './webhooks/dispatcher.ts'

export interface Registration<Payload extends object = object> {
  contract: JobContract<Payload>
  /**
   * Delivery is at least once, so handlers must be idempotent. `signal` is aborted if another worker takes the job
   * over, or it is late. Throws `PermanentJobError` if a retry can't help.
   */
  handle: (payload: Payload, signal: AbortSignal, jobId: string) => Promise<unknown>
  /** Loops that fetch jobs, each of up to `fetch` jobs, which run concurrently. */
  loops: number
  /** At least 2: with 1 a loop takes one job per polling interval. */
  fetch: number
  /** How often it polls for jobs that become due without a notification: retries and deferred ones. */
  lookSeconds?: number
  /** Cron, UTC. One worker enqueues the job. */
  schedule?: string
  /**
   * Whether it sends something to users or moves money: a restored copy of the database holds it back until it is
   * adopted.
   */
  reachesOut?: true
}

/**
 * How many `poll` jobs run at once: a batch lasts as long as its slowest server, so many must overlap to keep the pool
 * busy.
 */
const POLL_LOOPS = 12
const POLL_FETCH = 4
export const POLL_BATCHES_AT_ONCE = POLL_LOOPS * POLL_FETCH

/**
 * Work that is due in seconds rather than minutes: runs in every worker without overlapping itself. Cron with seconds.
 */
export const TICK = '*/2 * * * * *'

export function registry(
  deps: Deps,
  poller: Pick<Poller, 'handle'>,
  claimChecker: Pick<ClaimChecker, 'handle'>,
  prober: Pick<Prober, 'handle'>,
  webhooks: Pick<Dispatcher, 'wake' | 'wakeSlow'>,
): Registration[] {
  const billing = createBillingWorker(deps)
  const scheduled = (contract: JobContract, run: (deps: Deps) => Promise<unknown>, schedule: string): Registration => ({
    contract,
    handle: () => run(deps),
    ...single,
    schedule,
  })
  const sendRcon = createRconSender(deps.settings)
  return [
    job({ contract: poll, handle: poller.handle, loops: POLL_LOOPS, fetch: POLL_FETCH }),
    // Users wait for these, and one whose server is silent delays the others of its fetch.
    job({ contract: claimCheck, handle: claimChecker.handle, loops: 8, fetch: 2 }),
    job({ contract: serverProbe, handle: prober.handle, loops: 8, fetch: 2 }),
    // Few concurrent connections: mail servers refuse many.
    job({ contract: mail, handle: createMailHandler(deps), loops: 2, fetch: 2, reachesOut: true }),
    // A job only has the dispatcher take a server; what that sends, it sends at its own pace
    // (docs/decisions/0007-webhook-dispatch.md).
    job({ contract: webhookWake, handle: webhooks.wake, loops: 2, fetch: 500, lookSeconds: 1, reachesOut: true }),
    job({
      contract: webhookSlowWake,
      handle: webhooks.wakeSlow,
      loops: 2,
      fetch: 50,
      lookSeconds: 1,
      reachesOut: true,
    }),
    // Users wait for these, and one whose server is silent takes its ten seconds.
    job({ contract: rconCommand, handle: createRconRunner(deps, sendRcon), loops: 16, fetch: 2, reachesOut: true }),
    scheduled(rconUpkeep, runRconUpkeep, '*/5 * * * *'),
    job({ contract: voteReward, handle: createRewardRunner(deps, sendRcon), loops: 8, fetch: 2, reachesOut: true }),
    scheduled(rewardsUpkeep, runRewardsUpkeep, '*/5 * * * *'),
    scheduled(contactRetention, runContactRetention, '50 3 * * *'),
    job({ contract: notify, handle: (notice, _, jobId) => takeNotice(deps, notice, jobId), loops: 1, fetch: 5 }),
    scheduled(notificationDigests, orderDigests, '* * * * *'),
    job({ contract: chatMessage, handle: createChatMessageHandler(deps), loops: 2, fetch: 5, reachesOut: true }),
    scheduled(notificationUpkeep, runNotificationUpkeep, '20 4 * * *'),
    { ...scheduled(webhookSweep, sweepWebhooks, '* * * * *'), reachesOut: true },
    scheduled(webhookUpkeep, runWebhookUpkeep, '50 3 * * *'),
    scheduled(accountsUpkeep, runAccountsUpkeep, '25 * * * *'),
    scheduled(historyPartitions, runHistoryPartitions, '5 * * * *'),
    scheduled(historyRollUp, runHistoryRollUp, '10 * * * *'),
    scheduled(historyRetention, runHistoryRetention, '40 3 * * *'),
    // Hourly, so also at the turn of the month.
    scheduled(votesMonth, runVotesMonth, '0 * * * *'),
    scheduled(votesUpkeep, runVotesUpkeep, '20 4 * * *'),
    // Users wait for their tier; the provider allows 25 reads per second and more.
    job({ contract: billingEvent, handle: createBillingEventHandler(billing), loops: 4, fetch: 2, reachesOut: true }),
    job({ contract: duplicateSubscriptions, handle: billing.resolveDuplicates, ...single, reachesOut: true }),
    { ...scheduled(billingSweep, billing.sweep, '35 * * * *'), reachesOut: true },
    job({ contract: paymentRefund, handle: billing.refund, loops: 1, fetch: 2, reachesOut: true }),
    job({ contract: paymentSettled, handle: (settled) => applyPayment(deps, settled), loops: 1, fetch: 4 }),
    // Due to the second: auctions that end together are closed concurrently.
    job({ contract: auctionClose, handle: ({ auctionId }) => closeAuction(deps, auctionId), loops: 2, fetch: 8 }),
    scheduled(auctionSweep, sweepAuctions, '* * * * *'),
    scheduled(auctionRound, createRound, '2 * * * *'),
    scheduled(placementTurn, turnPlacements, '* * * * *'),
  ]
}

const single = { loops: 1, fetch: 2 }

/** Checks that a row's handler accepts its contract's payload. */
function job<Payload extends object>(registration: Registration<Payload>): Registration {
  return registration as unknown as Registration
}

/** @throws Error naming contracts without a handler, and handlers whose queue is not installed */
export function checkRegistry(registrations: Registration[], contracts: JobContract[]): void {
  const handled = new Set(registrations.map(({ contract }) => contract.queue))
  const known = new Set(contracts.map(({ queue }) => queue))
  const unhandled = [...known].filter((queue) => !handled.has(queue))
  const unknown = [...handled].filter((queue) => !known.has(queue))
  if (unhandled.length) throw new Error(`jobs without a handler: ${unhandled.join(', ')}`)
  if (unknown.length) throw new Error(`handlers without a contract in src/contracts.ts: ${unknown.join(', ')}`)
}
