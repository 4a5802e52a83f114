// All background work: a row for each job contract, with its handler, its concurrency and its schedule.
import { contracts } from '../src/contracts.ts'
import type { Deps } from '../src/deps.ts'
import { runAccountsUpkeep } from '../src/features/accounts/index.ts'
import { runActivityRetention } from '../src/features/activity/index.ts'
import { reportFired, runAlertsUpkeep, runAlertsWipes } from '../src/features/alerts/index.ts'
import { applyPayment, closeAuction, createRound, sweepAuctions } from '../src/features/auctions/index.ts'
import { createBillingWorker } from '../src/features/billing/index.ts'
import { runContactRetention } from '../src/features/contact/index.ts'
import { runFacesUpkeep } from '../src/features/faces/index.ts'
import { runHistoryPartitions, runHistoryRetention, runHistoryRollUp } from '../src/features/history/index.ts'
import { enqueueDigests, handleNotice, runNotificationUpkeep } from '../src/features/notifications/index.ts'
import { updatePlacements } from '../src/features/placements/index.ts'
import { runProfilesUpkeep } from '../src/features/profiles/index.ts'
import { createRconRunner, runRconUpkeep } from '../src/features/rcon/index.ts'
import { runReminder, runRemindersUpkeep } from '../src/features/reminders/index.ts'
import {
  createRewardRunner,
  runRewardsErasure,
  runRewardsReencryption,
  runRewardsUpkeep,
} from '../src/features/rewards/index.ts'
import { runVoteSignals } from '../src/features/signals/index.ts'
import { runTeamsUpkeep } from '../src/features/teams/index.ts'
import {
  runVotesMonth,
  runVotesPlaying,
  runVotesUpkeep,
  runVotesVisitors,
  runVoteVoiding,
} from '../src/features/votes/index.ts'
import { runWebhookUpkeep, sweepWebhooks } from '../src/features/webhooks/index.ts'
import { runWipesNext } from '../src/features/wipes/index.ts'
import type { JobContract } from '../src/platform/queue/contract.ts'
import { createBillingEventHandler } from './billing/billing-event.handler.ts'
import type { ClaimChecker } from './claims/claim-check.handler.ts'
import type { Discoverer } from './discovery/discovery.handler.ts'
import { createEncoder } from './faces/encoder.ts'
import { createFaceEncodeHandler } from './faces/face-encode.handler.ts'
import { createFaceFetchHandler } from './faces/face-fetch.handler.ts'
import { createLogoEncodeHandler } from './faces/logo-encode.handler.ts'
import { createMailHandler } from './mail/mail.handler.ts'
import { createChatMessageHandler } from './notifications/chat-message.handler.ts'
import type { Poller } from './polling/poller.ts'
import { createAlertPushHandler, createReminderPushHandler } from './push/push-message.handler.ts'
import { createRconSender } from './rcon/send.ts'
import type { Prober } from './servers/probe.handler.ts'
import type { Dispatcher } from './webhooks/dispatcher.ts'

/** How a worker runs the jobs of one contract. */
interface Row<Payload extends object = object> {
  /**
   * Delivery is at least once, so handlers must be idempotent. `signal` is aborted if another worker takes the job
   * over, or the job is about to expire. Throws `PermanentJobError` if a retry can't help.
   */
  handle: (payload: Payload, signal: AbortSignal, jobId: string) => Promise<unknown>
  /** Loops that fetch jobs, each of up to `fetch` jobs, which run concurrently. */
  loops: number
  /** How many jobs a loop fetches; at least 2: with 1 a loop takes one job per polling interval. */
  fetch: number
  /**
   * How often it looks for jobs that become due without a notification: retries and deferred ones.
   * Default: LOOK_SECONDS.
   */
  lookSeconds?: number
  /** Cron, UTC. One worker enqueues the job. */
  schedule?: string
  /**
   * Whether it sends something to users or moves money: a restored copy of the database holds it back until it is
   * adopted.
   */
  reachesOut?: true
}

type PayloadOf<Contract> = Contract extends JobContract<infer Payload> ? Payload : never

/** A row for each contract: a missing row, an unknown one, and a handler of another payload are type errors. */
export type JobTable = { [Name in keyof typeof contracts]: Row<PayloadOf<(typeof contracts)[Name]>> }

export interface Registration extends Row {
  lookSeconds: number
  contract: JobContract
}

/**
 * How many `poll` jobs run at once: a batch lasts as long as its slowest server, so many must overlap to keep the pool
 * busy.
 */
const POLL_LOOPS = 12
const POLL_FETCH = 4
export const CONCURRENT_POLL_BATCHES = POLL_LOOPS * POLL_FETCH

export const LOOK_SECONDS = 5

/**
 * Work that is due in seconds rather than minutes: runs in every worker without overlapping itself. Cron with seconds.
 */
export const EVERY_TWO_SECONDS = '*/2 * * * * *'

/** How often each worker moves polls to player history, and so how late charts are. */
export const EVERY_TEN_SECONDS = '*/10 * * * * *'

/** Parts of the worker that handle jobs and keep something open, so that the worker must stop them. */
export interface JobParts {
  poller: Pick<Poller, 'handle'>
  claimChecker: Pick<ClaimChecker, 'handle'>
  prober: Pick<Prober, 'handle'>
  discoverer: Pick<Discoverer, 'check' | 'handle' | 'schedule' | 'upkeep'>
  webhooks: Pick<Dispatcher, 'wake' | 'wakeSlow'>
}

export function jobTable(deps: Deps, { poller, claimChecker, prober, discoverer, webhooks }: JobParts): JobTable {
  const billing = createBillingWorker(deps)
  const sendRcon = createRconSender(deps.settings)
  const rewards = createRewardRunner(deps, sendRcon)
  const encodePicture = createEncoder()
  const single = { loops: 1, fetch: 2 }
  /** For jobs that are never retried, and for scheduled ones: each look is a transaction, also in an idle directory. */
  const seldom = { lookSeconds: 15 }
  const scheduled = (schedule: string, run: (deps: Deps) => Promise<unknown>) => ({
    handle: () => run(deps),
    ...single,
    ...seldom,
    schedule,
  })
  return {
    poll: { handle: poller.handle, loops: POLL_LOOPS, fetch: POLL_FETCH },
    // Users wait for these, and one whose server is silent delays the others of its fetch.
    claimCheck: { handle: claimChecker.handle, loops: 8, fetch: 2 },
    serverProbe: { handle: prober.handle, loops: 8, fetch: 2, ...seldom },
    // A run holds what it found in memory, so few run at a time.
    discovery: { handle: discoverer.handle, loops: 1, fetch: 2 },
    // One that is silent takes its seconds; the pool of queries bounds how many of an address wait.
    announcement: { handle: discoverer.check, loops: 4, fetch: 5 },
    discoverySchedule: scheduled('* * * * *', discoverer.schedule),
    discoveryUpkeep: scheduled('15 * * * *', discoverer.upkeep),
    // Few concurrent connections: mail servers refuse many.
    mail: { handle: createMailHandler(deps), loops: 2, fetch: 2, reachesOut: true },
    // A job only makes the dispatcher lease an endpoint; sending does not depend on jobs
    // (docs/decisions/0007-webhook-dispatch.md).
    webhookWake: { handle: webhooks.wake, loops: 2, fetch: 500, lookSeconds: 1, reachesOut: true },
    webhookSlowWake: { handle: webhooks.wakeSlow, loops: 2, fetch: 50, lookSeconds: 1, reachesOut: true },
    webhookSweep: { ...scheduled('* * * * *', sweepWebhooks), reachesOut: true },
    webhookUpkeep: scheduled('50 3 * * *', runWebhookUpkeep),
    // Users wait for these, and one whose server is silent takes its ten seconds.
    rconCommand: { handle: createRconRunner(deps, sendRcon), loops: 16, fetch: 2, ...seldom, reachesOut: true },
    rconUpkeep: scheduled('*/5 * * * *', runRconUpkeep),
    // A server that is silent takes a place of the first queue once, and then those of the second one.
    voteReward: { handle: rewards.run, loops: 24, fetch: 2, reachesOut: true },
    voteRewardWake: { handle: rewards.wake, loops: 8, fetch: 4, reachesOut: true },
    rewardsUpkeep: scheduled('*/5 * * * *', runRewardsUpkeep),
    rewardsErasure: scheduled('45 * * * *', runRewardsErasure),
    rewardsReencryption: scheduled('5 5 * * *', runRewardsReencryption),
    voteReminder: { handle: (reminder) => runReminder(deps, reminder), loops: 1, fetch: 10 },
    reminderPush: { handle: createReminderPushHandler(deps), loops: 2, fetch: 5, reachesOut: true },
    remindersUpkeep: scheduled('40 4 * * *', runRemindersUpkeep),
    // Alerts of one server are one job; those of many servers wait for each other.
    alertFired: { handle: (fired) => reportFired(deps, fired), loops: 2, fetch: 5 },
    alertPush: { handle: createAlertPushHandler(deps), loops: 2, fetch: 5, reachesOut: true },
    alertsWipes: scheduled('* * * * *', runAlertsWipes),
    alertsUpkeep: scheduled('45 4 * * *', runAlertsUpkeep),
    contactRetention: scheduled('50 3 * * *', runContactRetention),
    notify: { handle: (notice, _, jobId) => handleNotice(deps, notice, jobId), loops: 1, fetch: 5 },
    notificationDigests: scheduled('* * * * *', enqueueDigests),
    chatMessage: { handle: createChatMessageHandler(deps), loops: 2, fetch: 5, reachesOut: true },
    notificationUpkeep: scheduled('20 4 * * *', runNotificationUpkeep),
    faceEncode: { handle: createFaceEncodeHandler(deps, encodePicture), ...single },
    faceFetch: { handle: createFaceFetchHandler(deps, encodePicture), loops: 2, fetch: 2, reachesOut: true },
    logoEncode: { handle: createLogoEncodeHandler(deps, encodePicture), ...single },
    facesUpkeep: scheduled('15 * * * *', runFacesUpkeep),
    teamsUpkeep: scheduled('35 * * * *', runTeamsUpkeep),
    profilesUpkeep: scheduled('30 4 * * *', runProfilesUpkeep),
    activityRetention: scheduled('35 4 * * *', runActivityRetention),
    accountsUpkeep: scheduled('25 * * * *', runAccountsUpkeep),
    historyPartitions: scheduled('5 * * * *', runHistoryPartitions),
    historyRollUp: scheduled('10 * * * *', runHistoryRollUp),
    historyRetention: scheduled('40 3 * * *', runHistoryRetention),
    // Hourly, so also when a month begins.
    votesMonth: scheduled('0 * * * *', runVotesMonth),
    // Runs after the hour's roll-up.
    votesPlaying: scheduled('15 * * * *', runVotesPlaying),
    wipesNext: scheduled('* * * * *', runWipesNext),
    votesUpkeep: scheduled('20 4 * * *', runVotesUpkeep),
    votesVisitors: scheduled('25 * * * *', runVotesVisitors),
    // Runs after `votesVisitors`, and before the day begins in Europe.
    voteSignals: scheduled('55 3 * * *', runVoteSignals),
    voteVoiding: { handle: (voiding, signal) => runVoteVoiding(deps, voiding, signal), loops: 1, fetch: 2 },
    // Users wait for their tier; the provider allows 25 reads per second and more.
    billingEvent: { handle: createBillingEventHandler(billing), loops: 4, fetch: 2, reachesOut: true },
    duplicateSubscriptions: { handle: billing.resolveDuplicates, ...single, reachesOut: true },
    billingSweep: { ...scheduled('35 * * * *', billing.sweep), reachesOut: true },
    paymentRefund: { handle: billing.refund, loops: 1, fetch: 2, reachesOut: true },
    paymentSettled: { handle: (payment) => applyPayment(deps, payment), loops: 1, fetch: 4 },
    // Due to the second: auctions that end together are closed concurrently.
    auctionClose: { handle: ({ auctionId }) => closeAuction(deps, auctionId), loops: 2, fetch: 8 },
    auctionSweep: scheduled('* * * * *', sweepAuctions),
    auctionRound: scheduled('2 * * * *', createRound),
    placementUpdate: scheduled('* * * * *', updatePlacements),
  }
}

/** The table's rows with their contracts, which parse each payload for their own row's handler. */
export const registrationsOf = (table: JobTable): Registration[] =>
  Object.entries(contracts).map(([name, contract]) => ({
    lookSeconds: LOOK_SECONDS,
    ...(table[name as keyof JobTable] as Row),
    contract,
  }))
