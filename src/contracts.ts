// The job contracts of all features, by name: `npm run migrate` installs their queues, and workers/registry.ts has a row for each.
import { jobs as accounts } from './features/accounts/index.ts'
import { jobs as activity } from './features/activity/index.ts'
import { jobs as alerts } from './features/alerts/index.ts'
import { jobs as appearance } from './features/appearance/index.ts'
import { jobs as auctions } from './features/auctions/index.ts'
import { jobs as billing } from './features/billing/index.ts'
import { jobs as claims } from './features/claims/index.ts'
import { jobs as contact } from './features/contact/index.ts'
import { jobs as discovery } from './features/discovery/index.ts'
import { jobs as faces } from './features/faces/index.ts'
import { jobs as history } from './features/history/index.ts'
import { jobs as mail } from './features/mail/index.ts'
import { jobs as notifications } from './features/notifications/index.ts'
import { jobs as placements } from './features/placements/index.ts'
import { jobs as polling } from './features/polling/index.ts'
import { jobs as profiles } from './features/profiles/index.ts'
import { jobs as rcon } from './features/rcon/index.ts'
import { jobs as reminders } from './features/reminders/index.ts'
import { jobs as rewards } from './features/rewards/index.ts'
import { jobs as servers } from './features/servers/index.ts'
import { jobs as signals } from './features/signals/index.ts'
import { jobs as teams } from './features/teams/index.ts'
import { jobs as votes } from './features/votes/index.ts'
import { jobs as webhooks } from './features/webhooks/index.ts'
import { jobs as wipes } from './features/wipes/index.ts'
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
