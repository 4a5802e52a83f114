// Claims: how a user proves that a game server is theirs, and how owners keep a server that another user claims.
import type { Pages } from '../../platform/http/pages.ts'
import { MAILED_TOKEN_SCRIPT } from '../accounts/index.ts'

export {
  createClaimChecks,
  type PendingTokens,
  type Proof,
  readPendingTokens,
  recordPolledTokens,
  toChecks,
  writeTakenOver,
} from './checks.service.ts'
export { claimCheck } from './claims.jobs.ts'
export { claimsOperations, startClaim } from './claims.operations.ts'
export type { ClaimedServer } from './claims.store.ts'
export { personalData } from './personal-data.ts'
export { writeTakeoverWarning } from './takeovers.service.ts'
export { forgetChecks } from './takeovers.store.ts'

export const claimsPages: Pages = {
  '/stop-claim': {
    title: 'Stop a claim of your server',
    content: new URL('pages/stop-claim.html', import.meta.url),
    script: MAILED_TOKEN_SCRIPT,
  },
}
