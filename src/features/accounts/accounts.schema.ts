// What accounts take and give over HTTP.
import * as z from 'zod'
import { avatarUrl, email, givenPassword, mailedToken, newPassword, username } from './account-fields.ts'

/** Interface.md §2 "User profile". */
export const UserProfile = z
  .strictObject({
    id: z.string(),
    email: z.string().describe('Empty for an account of a linked platform that has none'),
    username: z.string(),
    avatarUrl: z.string().describe('Empty when there is none'),
    gamePlatformId: z.string().describe('Identity on the game platform; empty while none is linked'),
    chatId: z.string().describe('Identity on the chat platform; empty while none is linked'),
    isAdmin: z.boolean(),
    createdAt: z.iso.datetime(),
    _count: z.strictObject({
      ownedServers: z.int().describe('Listed servers the user owns'),
      votes: z.int().describe('Votes these servers have received'),
    }),
  })
  .meta({ id: 'UserProfile' })
export type UserProfile = z.output<typeof UserProfile>

export const UserReply = z.strictObject({ user: UserProfile })
export const Message = z.strictObject({ success: z.literal(true), message: z.string() })

const emailInput = email.describe(
  'Case and the spelling of an international domain do not matter; at most 254 characters',
)
const newPasswordInput = newPassword.describe(
  '8 to 128 characters; common passwords and ones made of the own name or address are refused',
)

export const Registration = z.object({
  email: emailInput,
  password: newPasswordInput,
  username: username.describe('2 to 50 characters, shown to others; need not be unique'),
})

export const Credentials = z.object({ email: emailInput, password: givenPassword })

export const ProfileChange = z
  .strictObject({ username: username.optional(), avatarUrl: avatarUrl.optional() })
  .describe('Fields left out stay; any other field is refused')

const flag = () => z.boolean('must be true or false')
const events = z.strictObject({
  serverOffline: flag(),
  serverOnline: flag(),
  serverWiped: flag(),
  voteMilestone: flag(),
  auctionOutbid: flag(),
  auctionWon: flag(),
})

/** Which news a user wants, and by which ways. */
export const NotificationPreferences = z
  .strictObject({ email: flag(), chat: flag(), events })
  .meta({ id: 'NotificationPreferences' })
export type NotificationPreferences = z.output<typeof NotificationPreferences>

export const PreferencesChange = z
  .strictObject({ email: flag().optional(), chat: flag().optional(), events: events.partial().optional() })
  .describe('What is left out stays, in `events` too')

export const Confirmation = z.object({
  token: mailedToken.describe('From the mail'),
  password: givenPassword.optional().describe('The account’s; not needed with a session that it has opened'),
})
export const ResetRequest = z.object({ email: emailInput })
export const ResetConfirmation = z.object({
  token: mailedToken.describe('From the mail'),
  password: newPasswordInput,
  revokeAccess: flag()
    .optional()
    .describe(
      'Also revokes all API keys, unlinks identities and removes the chat webhook of an account whose address was proved before',
    ),
})
export const PasswordChange = z.object({
  currentPassword: givenPassword.optional().describe('Needed when the account has a password'),
  newPassword: newPasswordInput,
})
