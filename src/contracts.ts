// The job contracts of all features, by name: `npm run migrate` installs their queues, and workers/registry.ts has a
// row for each. Imported from the files of contracts, so that a migration does not load the features.
import { jobs as accounts } from './features/accounts/accounts.jobs.ts'
import { jobs as activity } from './features/activity/activity.jobs.ts'
import { jobs as alerts } from './features/alerts/alerts.jobs.ts'
import { jobs as appearance } from './features/appearance/appearance.jobs.ts'
import { jobs as auctions } from './features/auctions/auctions.jobs.ts'
import { jobs as billing } from './features/billing/billing.jobs.ts'
import { jobs as claims } from './features/claims/claims.jobs.ts'
import { jobs as contact } from './features/contact/contact.jobs.ts'
import { jobs as discovery } from './features/discovery/discovery.jobs.ts'
import { jobs as faces } from './features/faces/faces.jobs.ts'
import { jobs as history } from './features/history/history.jobs.ts'
import { jobs as mail } from './features/mail/mail.jobs.ts'
import { jobs as notifications } from './features/notifications/notifications.jobs.ts'
import { jobs as placements } from './features/placements/placements.jobs.ts'
import { jobs as polling } from './features/polling/polling.jobs.ts'
import { jobs as profiles } from './features/profiles/profiles.jobs.ts'
import { jobs as rcon } from './features/rcon/rcon.jobs.ts'
import { jobs as reminders } from './features/reminders/reminders.jobs.ts'
import { jobs as rewards } from './features/rewards/rewards.jobs.ts'
import { jobs as servers } from './features/servers/servers.jobs.ts'
import { jobs as signals } from './features/signals/signals.jobs.ts'
import { jobs as teams } from './features/teams/teams.jobs.ts'
import { jobs as votes } from './features/votes/votes.jobs.ts'
import { jobs as webhooks } from './features/webhooks/webhooks.jobs.ts'
import { jobs as wipes } from './features/wipes/wipes.jobs.ts'
import type { JobContract } from './platform/queue/contract.ts'

export const contracts = {
  ...accounts,
  ...activity,
  ...alerts,
  ...appearance,
  ...auctions,
  ...billing,
  ...claims,
  ...contact,
  ...faces,
  ...discovery,
  ...history,
  ...mail,
  ...notifications,
  ...placements,
  ...polling,
  ...profiles,
  ...rcon,
  ...reminders,
  ...rewards,
  ...servers,
  ...signals,
  ...teams,
  ...votes,
  ...webhooks,
  ...wipes,
} satisfies Record<string, JobContract>
