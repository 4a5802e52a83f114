// What people are told of, and in which words: one place for the list in the product, mails and chat.

export const EVENTS = [
  'serverOffline',
  'serverOnline',
  'serverWiped',
  'voteMilestone',
  'auctionOutbid',
  'auctionWon',
  'serverTakeover', // has no preference: an owner who does not hear of it loses the listing
] as const
export type NoticeEvent = (typeof EVENTS)[number]

/** Those that are about a server, so that anybody can subscribe to them. */
export const SERVER_EVENTS = ['serverOffline', 'serverOnline', 'serverWiped', 'voteMilestone'] as const

/**
 * What the news brought along: `serverName` is looked up where there is a server; `totalVotes` of a milestone; `auctionId`, `title`
 * and `currentBid`, `leadsWith` or `amountCents` (integer cents) of an auction.
 */
export type NoticeData = Record<string, string | number>

interface Telling {
  data: NoticeData
  /** How often it happened since the user last looked. */
  repeats: number
}

/** @returns what it is about, as people call it: the server's name or the auction's title */
export function subjectOf({ serverName, title }: NoticeData): string {
  return tidy(String(serverName ?? title ?? ''))
}

/** A name is somebody else's text: one line, and not without end. */
const tidy = (text: string) =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)

const times = (repeats: number) => (repeats > 1 ? ` ${repeats} times` : '')

/** Integer cents as people read them; the currency is the auction's. */
const amount = (cents: string | number) => (Number(cents) / 100).toFixed(2)

/** @returns `title` a few words, `message` a sentence */
export function describe(event: NoticeEvent, telling: Telling): { title: string; message: string } {
  const { data, repeats } = telling
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
        title: `Somebody claims ${server}`,
        message: `${server} shows the token of somebody else, who claims it. The listing becomes theirs unless you stop the claim: POST /api/servers/{id}/claim/stop.`,
      }
    case 'auctionOutbid': {
      if (data.leadsWith !== undefined)
        return {
          title: 'You lead an auction again',
          message: `A higher bid on ${auction} does not count any more. You lead with ${amount(data.leadsWith)}.`,
        }
      const leads = data.currentBid === undefined ? '' : ` The highest bid is ${amount(data.currentBid)} now.`
      return { title: 'You were outbid', message: `You were outbid${times(repeats)} on ${auction}.${leads}` }
    }
    case 'auctionWon': {
      const price = data.amountCents === undefined ? '' : ` for ${amount(data.amountCents)}`
      return { title: 'You won an auction', message: `You won ${auction}${price}. Pay for it in time to keep it.` }
    }
  }
}
