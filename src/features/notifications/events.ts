// The events of notifications and their texts, for the list, mails and chat.
import { cutText, plural } from '../../platform/text.ts'

/** Kinds of alerts on favorites, which their users have chosen one by one. */
export const ALERT_EVENTS = ['playersAtLeast', 'playersAtMost', 'backOnline', 'wipeSoon'] as const

/** Those that have no preference (NotificationPreferences) are for all users whom they concern. */
export const NOTICE_EVENTS = [
  'serverOffline',
  'serverOnline',
  'serverWiped',
  'voteMilestone',
  'auctionOutbid',
  'auctionWon',
  'auctionLeadRegained', // a bidder who does not learn of it may not pay
  'serverTakeover', // an owner who does not learn of it loses the listing
  'serverInvitation',
  'serverInvitationWithdrawn',
  'serverInvitationDeclined',
  'serverMemberJoined',
  'serverMemberLeft',
  'serverMemberRemoved',
  'serverHandedOver',
  'votesVoided',
  'votesRestored',
  'webhookDisabled',
  'rewardsStopped', // players vote on and get nothing
  ...ALERT_EVENTS,
] as const
export type NoticeEvent = (typeof NOTICE_EVENTS)[number]

/** Those that have a mail of their own, so that digests by mail leave them out. */
export const MAILED_EVENTS: readonly NoticeEvent[] = ['serverInvitation', 'serverHandedOver', 'webhookDisabled']

/** Auctions and takeovers proceed while the user does not know. */
export const URGENT_EVENTS: readonly NoticeEvent[] = [
  'auctionOutbid',
  'auctionLeadRegained',
  'auctionWon',
  'serverTakeover',
]

/** Events of servers, which any user can subscribe to. */
export const SERVER_NOTICE_EVENTS = ['serverOffline', 'serverOnline', 'serverWiped', 'voteMilestone'] as const
export type ServerNoticeEvent = (typeof SERVER_NOTICE_EVENTS)[number]

/**
 * Values for the text:
 * - of a server: `serverName`; of a milestone also `totalVotes`;
 * - of an auction: `auctionId`, `title`, `currency`, `currentBid` or `amountCents` (integer cents), and for its winner
 *   `expiresAt` (ISO 8601);
 * - of a member: `role` and `username`;
 * - of voided votes or a disabled webhook: `reason`;
 * - of an alert: `players`, `threshold` or `wipeAt` (ISO 8601).
 *
 * Unread notices of an event become one if they are of the same auction, or of the same server and there of the same
 * voiding (`voidingId`), member (`memberId`) or endpoint (`endpointId`).
 */
export type NoticeData = Record<string, string | number>

/** @returns the server's name or the auction's title; empty if neither is known */
export function subjectOf({ serverName, title }: NoticeData): string {
  return oneLine(String(serverName ?? title ?? ''))
}

/** Paths of the page where the recipient acts on a notice, and of its operation; undefined: those of its server. */
export function actionPaths(event: NoticeEvent, { auctionId }: NoticeData) {
  if (auctionId !== undefined) return { page: `/auctions/${auctionId}`, operation: `/api/auctions/${auctionId}` }
  if (event === 'serverInvitation') return { page: '/my/servers', operation: '/api/user/invitations' }
  return undefined
}

const MAX_NAME = 100
/** A voiding's reason may be that long. */
const MAX_REASON = 500

/** Names and reasons are other users' input, so they are reduced to one line. */
const oneLine = (text: string, max = MAX_NAME) => cutText(text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), max)

/** The name of the user who acted on a team. */
const memberIn = ({ username }: NoticeData): string => oneLine(String(username ?? '')) || 'A user'

const times = (repeats: number) => (repeats > 1 ? ` ${repeats} times` : '')

const people = ({ players }: NoticeData) => plural(Number(players), 'person', 'people')

const votesOf = ({ votes }: NoticeData) => (votes === undefined ? 'Some votes' : plural(Number(votes), 'vote', 'votes'))

const utc = (time: string | number | undefined) => `${String(time).slice(0, 16).replace('T', ' ')} UTC`

/** Integer cents with two decimals. Notices stored by release 0.2.0 have no currency. */
const amount = (cents: string | number, { currency }: NoticeData) =>
  [(Number(cents) / 100).toFixed(2), currency].filter(Boolean).join(' ')

const leadRegained = (auction: string, cents: string | number | undefined, data: NoticeData) => ({
  title: 'You lead an auction again',
  message: `A higher bid on ${auction} no longer counts. You lead${cents === undefined ? '' : ` with ${amount(cents, data)}`}.`,
})

/**
 * @param occurrence.repeats how often it happened since the user last read or was sent it
 * @returns `title`, a few words, and `message`, a sentence
 */
export function describeNotice(
  event: NoticeEvent,
  { data, repeats }: { data: NoticeData; repeats: number },
): { title: string; message: string } {
  const server = subjectOf(data) || 'A server'
  const auction = subjectOf(data) || 'an auction'
  switch (event) {
    case 'serverOffline':
      return { title: `${server} is offline`, message: `${server} went offline${times(repeats)}.` }
    case 'serverOnline':
      return { title: `${server} is online`, message: `${server} came online${times(repeats)}.` }
    case 'serverWiped':
      return { title: `${server} was wiped`, message: `${server} was wiped${times(repeats)}.` }
    case 'voteMilestone': {
      const votes = data.totalVotes ?? 'many'
      return { title: `${server} has ${votes} votes`, message: `${server} has reached ${votes} votes.` }
    }
    case 'serverTakeover':
      return {
        title: `A user claims ${server}`,
        message: `Another user claims ${server}: it shows their token. It becomes theirs in ten minutes at the earliest. To keep it, choose “Stop other users’ claims” on the server’s page “Listing”.`,
      }
    case 'serverInvitation':
      return {
        title: `You are invited to ${server}`,
        message: `${data.role === 'owner' ? `${server} is to become yours` : `You are invited to work on ${server} as its ${data.role}`}. Accept or decline it under “My servers”.`,
      }
    case 'serverInvitationWithdrawn':
      return {
        title: `The invitation to ${server} was withdrawn`,
        message:
          data.role === 'owner'
            ? `${server} is no longer offered to you.`
            : `You are no longer invited to work on ${server}.`,
      }
    case 'serverInvitationDeclined':
      return {
        title: `Your invitation to ${server} was declined`,
        message:
          data.role === 'owner'
            ? `${memberIn(data)} does not want to take over ${server}: it stays yours.`
            : `${memberIn(data)} does not want to work on ${server}.`,
      }
    case 'serverMemberJoined':
      return {
        title: `${server} has a new member`,
        message: `${memberIn(data)} works on ${server} now, as its ${data.role}.`,
      }
    case 'serverMemberLeft':
      return { title: `A member left ${server}`, message: `${memberIn(data)} no longer works on ${server}.` }
    case 'serverMemberRemoved':
      return {
        title: `You no longer work on ${server}`,
        message: `You are no longer a member of the team of ${server}. Your API keys can’t use it any more either.`,
      }
    case 'serverHandedOver':
      return {
        title: `${server} was handed over`,
        message: `${memberIn(data)} has accepted your offer: ${server} is theirs now.`,
      }
    case 'playersAtLeast':
      return {
        title: `${server}: ${people(data)}`,
        message: `${server} has ${people(data)} now. You wanted to know when there are ${data.threshold} or more.`,
      }
    case 'playersAtMost':
      return {
        title: `${server}: ${people(data)}`,
        message: `${server} has ${people(data)} now. You wanted to know when there are ${data.threshold} or fewer.`,
      }
    case 'backOnline':
      return { title: `${server} is back online`, message: `${server} answers again after an outage.` }
    case 'wipeSoon':
      return { title: `${server} wipes soon`, message: `${server} wipes at ${utc(data.wipeAt)}.` }
    case 'votesVoided':
      return {
        title: `Votes for ${server} were voided`,
        message: `${votesOf(data)} for ${server} no longer ${data.votes === 1 ? 'counts' : 'count'}. Reason: ${oneLine(String(data.reason ?? ''), MAX_REASON)}`,
      }
    case 'votesRestored':
      return {
        title: `Votes for ${server} count again`,
        message: `${votesOf(data)} for ${server} that ${data.votes === 1 ? 'was voided counts' : 'were voided count'} again.`,
      }
    case 'webhookDisabled': {
      if (data.reason === 'unconfirmed')
        return {
          title: `The Discord message of ${server} needs a look`,
          message: `Whether the Discord message of ${server} was created is unknown, so its endpoint was disabled. Look into the channel, delete the message if it is there, then save the endpoint again.`,
        }
      const why = data.reason === 'gone' ? 'its receiver no longer exists' : 'every attempt failed for five days'
      return {
        title: `A webhook of ${server} was disabled`,
        message: `A webhook of ${server} was disabled: ${why}. Once it is fixed, save its endpoint again.`,
      }
    }
    case 'rewardsStopped':
      return {
        title: `The rewards of ${server} were stopped`,
        message: `${server} refused its RCON password, so votes for it are no longer rewarded. Set the password again on the page “Console” of your server.`,
      }
    case 'auctionOutbid': {
      if (data.leadsWith !== undefined) return leadRegained(auction, data.leadsWith, data) // stored by release 0.2.0
      const leads = data.currentBid === undefined ? '' : ` The highest bid is now ${amount(data.currentBid, data)}.`
      return { title: 'You were outbid', message: `You were outbid${times(repeats)} on ${auction}.${leads}` }
    }
    case 'auctionLeadRegained':
      return leadRegained(auction, data.currentBid, data)
    case 'auctionWon': {
      const price = data.amountCents === undefined ? '' : ` for ${amount(data.amountCents, data)}`
      const pay = data.expiresAt === undefined ? 'Pay for it in time to keep it' : `Pay by ${utc(data.expiresAt)}`
      return { title: 'You won an auction', message: `You won ${auction}${price}. ${pay}.` }
    }
  }
}
