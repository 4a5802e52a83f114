// Shapes of the API's replies, from its OpenAPI document.
import type { components } from '../api.d.ts'

export type Schemas = components['schemas']

/** The fields of a server that lists show, and request from `GET /servers`. */
export const ROW_FIELDS = [
  'id',
  'name',
  'connectAddress',
  'logoUrl',
  'createdAt',
  'game',
  'gameName',
  'gameMode',
  'tags',
  'isVerified',
  'isFeatured',
  'lastWipeAt',
  'currentPlayers',
  'currentBots',
  'maxPlayers',
  'isOnline',
  'hasPassword',
  'map',
  'totalVotes',
  'country',
  'monthlyVotes',
  'playersByHour',
  'standing',
] as const satisfies readonly (keyof Schemas['RankedServerItem'])[]

/** A piece of text and its classes. */
export interface StyledText {
  text: string
  classes: string
}

/** Data of a page that shows numbers live. */
export interface Followed {
  /** The live stream continues from here: the change feed's position before the page was rendered. */
  cursor: string
}

export type Row = Required<Pick<Schemas['RankedServerItem'], (typeof ROW_FIELDS)[number]>>
export type Facets = Schemas['Facets']
export type Totals = Schemas['PlatformStatistics']
export type ServerDetail = Schemas['RankedServerDetail']
/** A server as its owner reads it. */
export type Listing = Schemas['ServerListing']
