// Requests and responses of accounts.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { webAddress } from '../../platform/text.ts'
import { email, enteredPassword, mailedToken, newPassword, username } from './account-fields.ts'

export const UserProfile = z
  .strictObject({
    id: z.string(),
    email: z.string().describe('Empty if the account was created through a platform that gave no verified address'),
    username: z.string(),
    avatarUrl: z.string().describe('Empty if there is none'),
    gamePlatformId: z.string().describe('Identity on the game platform; empty if none is linked'),
    chatId: z.string().describe('Identity on the chat platform; empty if none is linked'),
    isAdmin: z.boolean(),
    createdAt: Timestamp,
    _count: z.strictObject({
      ownedServers: z.int().describe('Listed servers the user owns'),
      votes: z.int().describe('Votes these servers have received'),
    }),
  })
  .meta({ id: 'UserProfile' })
export type UserProfile = z.output<typeof UserProfile>

export const NO_SUCH_SESSION = 'There is no such session.'
export const SessionParams = z.object({ id: idParam('Session id', NO_SUCH_SESSION) })
export const SessionsQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const Session = z
  .object({
    id: z.uuid(),
    browser: z
      .string()
      .describe('Name of the browser that opened it; empty: unknown, such as a program')
      .meta({ examples: ['Firefox'] }),
    system: z
      .string()
      .describe('Name of its operating system; empty: unknown')
      .meta({ examples: ['Windows'] }),
    country: z.string().describe('Of its address, ISO 3166-1 alpha-2; empty: unknown'),
    openedBy: z.enum(['password', 'chat', 'gameplatform']).nullable().describe('How the user logged in; null: unknown'),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable().describe('Null: not used so far'),
    expiresAt: Timestamp,
    isCurrent: z.boolean().describe('Whether it is the session of this request'),
  })
  .meta({ id: 'Session' })
export const SessionList = pageOf('sessions', Session)

export const UserReply = z.strictObject({ user: UserProfile }).meta({ id: 'UserReply' })
/** The profile's fields are fixed, so the others are outside it. */
export const SessionReply = z
  .strictObject({
    user: UserProfile,
    isModerator: z.boolean().describe('Granted by an administrator; administrators may do all that moderators may'),
    lacksSecondFactor: z
      .boolean()
      .describe(
        'Whether the rights of the account as staff do not count, because they need a second factor that it does not have',
      ),
  })
  .meta({ id: 'SessionReply' })
export const Message = z.strictObject({ success: z.boolean(), message: z.string() }).meta({ id: 'Message' })

const emailInput = email.describe(
  'Case-insensitive; an international domain may be written in Unicode or punycode; at most 254 characters',
)
const newPasswordInput = newPassword.describe(
  '8 to 128 characters; neither common nor derived from the username or the address',
)

export const Registration = z.object({
  email: emailInput,
  password: newPasswordInput,
  username: username.describe('2 to 50 characters, shown to others; need not be unique'),
})

export const Credentials = z.object({ email: emailInput, password: enteredPassword })

export const ProfileChange = z
  .strictObject({ username: username.optional(), avatarUrl: webAddress.optional() })
  .describe('Absent fields stay unchanged; unknown fields are rejected')

const flag = () => z.boolean('must be true or false')
const events = z.strictObject({
  serverOffline: flag(),
  serverOnline: flag(),
  serverWiped: flag(),
  voteMilestone: flag(),
  auctionOutbid: flag(),
  auctionWon: flag(),
})

/** Which notifications a user receives, and by which channels. */
export const NotificationPreferences = z
  .strictObject({ email: flag(), chat: flag(), events })
  .meta({ id: 'NotificationPreferences' })
export type NotificationPreferences = z.output<typeof NotificationPreferences>

export const PreferencesChange = z
  .strictObject({ email: flag().optional(), chat: flag().optional(), events: events.partial().optional() })
  .describe('Absent fields stay, also in `events`')

export const Confirmation = z.object({
  token: mailedToken.describe('From the mail'),
  password: enteredPassword
    .optional()
    .describe('The password of the account; not needed with a session that a password login created'),
})
export const ResetRequest = z.object({ email: emailInput })
export const ResetConfirmation = z.object({
  token: mailedToken.describe('From the mail'),
  password: newPasswordInput,
  revokeAccess: flag()
    .optional()
    .describe(
      'Also revoke all API keys and vote keys, unlink other platforms, remove the chat webhook and push browsers, and remove all ' +
        'members of your servers’ teams, if the address was verified before',
    ),
})
export const PasswordChange = z.object({
  currentPassword: enteredPassword.optional().describe('Needed if the account has a password'),
  newPassword: newPasswordInput,
})
