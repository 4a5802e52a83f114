// The events of notifications and their texts, for the list, mails and chat.

export const NOTICE_EVENTS = [
  'serverOffline',
  'serverOnline',
  'serverWiped',
  'voteMilestone',
  'auctionOutbid',
  'auctionWon',
  'serverTakeover',
  'serverInvitation', // has a mail of its own
  'votesVoided',
  'votesRestored',
] as const
export type NoticeEvent = (typeof NOTICE_EVENTS)[number]

// An owner who does not learn of them loses the listing, an invitation or votes.
const WITHOUT_PREFERENCE = ['serverTakeover', 'serverInvitation', 'votesVoided', 'votesRestored'] as const
type EventWithoutPreference = (typeof WITHOUT_PREFERENCE)[number]

/** Whether users can't turn the event off. */
export const isWithoutPreference = (event: NoticeEvent): event is EventWithoutPreference =>
  (WITHOUT_PREFERENCE as readonly NoticeEvent[]).includes(event)

/** Events of servers, which any user can subscribe to. */
export const SERVER_NOTICE_EVENTS = ['serverOffline', 'serverOnline', 'serverWiped', 'voteMilestone'] as const
export type ServerNoticeEvent = (typeof SERVER_NOTICE_EVENTS)[number]

/**
 * Values for the text: `serverName` if there is a server; `totalVotes` of a milestone; `auctionId`, `title` and
 * `currentBid`, `leadsWith` or `amountCents` (integer cents) of an auction.
 */
export type NoticeData = Record<string, string | number>

/** @returns the server's name or the auction's title; empty if neither is known */
export function subjectOf({ serverName, title }: NoticeData): string {
  return oneLine(String(serverName ?? title ?? ''))
}

/** Names are other users' input, so they are reduced to one line of at most 100 characters. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)

const times = (repeats: number) => (repeats > 1 ? ` ${repeats} times` : '')

/** Integer cents with two decimals, in the auction's currency. */
const amount = (cents: string | number) => (Number(cents) / 100).toFixed(2)

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
        message: `${server} shows the token of another user, who claims it. The listing becomes theirs unless you stop the claim, by the link in our mail or through the API (stopClaims).`,
      }
    case 'serverInvitation':
      return {
        title: `You are invited to ${server}`,
        message: `${data.role === 'owner' ? `${server} is to become yours` : `You are invited to work on ${server} as its ${data.role}`}. Accept or decline it where your servers are listed, or through the API (listInvitations).`,
      }
    case 'votesVoided':
      return {
        title: `Votes for ${server} were voided`,
        message: `${data.votes ?? 'Some'} votes for ${server} no longer count. Reason: ${oneLine(String(data.reason ?? ''))}`,
      }
    case 'votesRestored':
      return {
        title: `Votes for ${server} count again`,
        message: `${data.votes ?? 'Some'} votes for ${server} that were voided count again.`,
      }
    case 'auctionOutbid': {
      if (data.leadsWith !== undefined)
        return {
          title: 'You lead an auction again',
          message: `A higher bid on ${auction} no longer counts. You lead with ${amount(data.leadsWith)}.`,
        }
      const leads = data.currentBid === undefined ? '' : ` The highest bid is now ${amount(data.currentBid)}.`
      return { title: 'You were outbid', message: `You were outbid${times(repeats)} on ${auction}.${leads}` }
    }
    case 'auctionWon': {
      const price = data.amountCents === undefined ? '' : ` for ${amount(data.amountCents)}`
      return { title: 'You won an auction', message: `You won ${auction}${price}. Pay for it in time to keep it.` }
    }
  }
}
