// Auctions: models for plain reads and writes; SQL for the lock and for lists, whose status depends on the database's
// clock.
import type { Auction, Prisma } from '../../generated/prisma/client.ts'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { SlotTier } from '../placements/index.ts'
import { type AuctionStatus, CURRENCY } from './auctions.schema.ts'

type Terms = 'id' | 'slotId' | 'title' | 'startsAt' | 'endsAt' | 'startingBid' | 'minimumIncrement' | 'softCloseSeconds'

interface AuctionRow
  extends Pick<Auction, Terms | 'location' | 'placementDays' | 'currentBid' | 'bidCount' | 'recurrenceKey'> {
  tier: SlotTier
  status: AuctionStatus
  /** Valid or not. */
  hasBids: boolean
  isSlotActive: boolean
  leaderName: string | null
  winningBid: number | null
  winnerServerId: string | null
}

/** An auction past its end is completed, whether its job has closed it or not. */
const STATUS = `case when auctions.status = 'active' and ends_at <= now() then 'completed' else auctions.status end`

const SELECT = `
  select auctions.id, slot_id as "slotId", auctions.tier, location, title, ${STATUS} as status, starts_at as "startsAt",
    ends_at as "endsAt", starting_bid as "startingBid", minimum_increment as "minimumIncrement",
    soft_close_seconds as "softCloseSeconds", placement_days as "placementDays", current_bid as "currentBid",
    bid_count as "bidCount", exists (select from bids where auction_id = auctions.id) as "hasBids",
    (select is_active from ad_slots where ad_slots.id = slot_id) as "isSlotActive", recurrence_key as "recurrenceKey",
    users.username as "leaderName", offer.amount as "winningBid", offer.server_id as "winnerServerId"
  from auctions
  left join auction_offers as offer on offer.auction_id = auctions.id and offer.status in ('open', 'paid')
  left join bids on bids.id = case when auctions.status = 'active' then leading_bid_id else offer.bid_id end
  left join users on users.id = bids.user_id`

export interface AuctionFilter {
  status?: AuctionStatus | undefined
  tier?: SlotTier | undefined
  id?: string | undefined
  bidderId?: string | undefined
}

const FILTER = `where ($status::text is null or ${STATUS} = $status) and ($tier::text is null or auctions.tier = $tier)
  and ($id::uuid is null or auctions.id = $id)
  and ($bidderId::uuid is null or auctions.id in (select auction_id from bids where user_id = $bidderId))`
const valuesOf = ({ status, tier, id, bidderId }: AuctionFilter) => ({ status, tier, id, bidderId })

/** First letter and three stars: enough to recognize oneself, too little to identify others. */
export const maskName = (name: string): string => `${[...name.trim()][0] ?? ''}***`

export type AuctionView = ReturnType<typeof toView>

const toView = ({ leaderName, ...row }: AuctionRow) => ({
  ...row,
  currency: CURRENCY as typeof CURRENCY,
  leadingBidder: leaderName === null ? null : maskName(leaderName),
})

/** Running auctions by their end, then finished ones, latest end first. */
export async function findAuctions(
  db: Db,
  filter: AuctionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<AuctionView[]> {
  const { rows } = await db.query<AuctionRow>(
    namedParameters({
      text: `
        ${SELECT} ${FILTER}
        order by (ends_at > now() and auctions.status = 'active') desc,
          case when ends_at > now() and auctions.status = 'active' then ends_at end, ends_at desc, auctions.id
        limit $limit offset $offset`,
      values: { ...valuesOf(filter), limit, offset },
    }),
  )
  return rows.map(toView)
}

export async function countAuctions(db: Db, filter: AuctionFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    namedParameters({ text: `select count(*) from auctions ${FILTER}`, values: valuesOf(filter) }),
  )
  return rows[0]?.count ?? 0
}

export async function findAuction(db: Db, id: string): Promise<AuctionView | undefined> {
  const { rows } = await db.query<AuctionRow>(`${SELECT} where auctions.id = $1`, [id])
  return rows.map(toView)[0]
}

/** `originalEndsAt` is null unless a bid has moved the end; `soldAt` unless the account of its buyer was deleted. */
export interface LockedAuction
  extends Pick<Auction, Terms | 'placementDays' | 'currentBid' | 'leadingBidId' | 'originalEndsAt' | 'soldAt'> {
  /** The stored status: `active` until the auction is closed. */
  status: AuctionStatus
}

/**
 * Locks an auction until the transaction ends, which serializes its bids, edits, close and settlement. Selects from
 * this table only: after a wait for the lock, the statement sees the locked row's new version, but old versions of
 * other tables.
 */
export async function lockAuction(tx: Db, id: string): Promise<LockedAuction | undefined> {
  const { rows } = await tx.query<LockedAuction>(
    `select id, slot_id as "slotId", title, status, starts_at as "startsAt", ends_at as "endsAt", starting_bid as "startingBid",
       minimum_increment as "minimumIncrement", soft_close_seconds as "softCloseSeconds", placement_days as "placementDays",
       current_bid as "currentBid", leading_bid_id as "leadingBidId", original_ends_at as "originalEndsAt",
       sold_at as "soldAt"
     from auctions where id = $1 for no key update`,
    [id],
  )
  return rows[0]
}

/** @returns false if there is an auction with this recurrence key */
export async function insertAuction({ prisma }: Db, auction: Prisma.AuctionCreateManyInput): Promise<boolean> {
  const { count } = await prisma.auction.createMany({ data: auction, skipDuplicates: true })
  return count === 1
}

type ChangeableField = Exclude<Terms, 'id' | 'slotId'> | 'placementDays' | 'status'

export async function updateAuction(
  { prisma }: Db,
  id: string,
  change: { [Field in ChangeableField]?: Auction[Field] | undefined },
): Promise<void> {
  const end = change.endsAt && { originalEndsAt: null }
  await prisma.auction.update({
    where: { id },
    data: { ...withoutUndefined(change), ...end, updatedAt: new Date() },
    select: { id: true },
  })
}

/** Whether the auction has bids, valid or not. */
export async function hasBids({ prisma }: Db, auctionId: string): Promise<boolean> {
  return (await prisma.bid.count({ where: { auctionId } })) > 0
}

/** Deletes the auction with its bids. */
export async function deleteAuction({ prisma }: Db, id: string): Promise<void> {
  await prisma.auction.delete({ where: { id }, select: { id: true } })
}
