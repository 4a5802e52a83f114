// A server’s overview and the numbers of its visitors.
import type { Schemas } from '../../../components/types.ts'

export const overview = {
  players: 'Players',
  state: 'State',
  address: 'Address',
  polled: 'Last polled',
  never: 'never',
  uptime: 'Uptime, 30 days',
  votes: 'Votes',
  votesOf: '{month} this month, {total} in total',
  rank: 'Rank by votes',
  ownership: 'Ownership',
  proven: 'Proven',
  notProven: 'Not proven: another user could still claim the server.',
  prove: 'Prove it',
  tell: 'Tell me when',
  tellHint: 'In addition to the events chosen in your account’s notifications, and by the same channels.',
  events: {
    serverOffline: 'it goes offline',
    serverOnline: 'it comes back',
    serverWiped: 'it was wiped',
    voteMilestone: 'it reaches a number of votes',
  } satisfies Record<Schemas['ServerSubscription']['events'][number], string>,
}

export const activity = {
  title: 'Visitors',
  period: 'Period',
  days: { one: '{n} day', other: '{n} days' },
  counts: { views: 'Views', copies: 'Address copied', joins: 'Joins', votes: 'Votes', favorites: 'New favorites' },
  how: 'Views of the server’s page, without crawlers. Counted without cookies, and nothing about a visitor is kept.',
  chart: {
    one: '{n} view in this period, {most} on the best day',
    other: '{n} views in this period, {most} on the best day',
  },
  table: 'Day by day',
  day: 'Day',
  crawlers: 'By crawlers',
  csv: 'Download as CSV',
  placements: 'What placements brought',
  effectDays: { one: 'a day', other: '{n} days' },
  effect: {
    one: '{n} view in {days}, {before} in the same time before',
    other: '{n} views in {days}, {before} in the same time before',
  },
}
