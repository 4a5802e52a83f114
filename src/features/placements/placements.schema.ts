// Ad slots, and what runs in them.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line } from '../../platform/text.ts'
import { ServerBrief } from '../directory/index.ts'

const SLOT_TIERS = ['standard', 'premium', 'enterprise'] as const
export const SlotTier = z.enum(SLOT_TIERS, 'must be standard, premium or enterprise')
export type SlotTier = z.output<typeof SlotTier>

const pixels = z.int('must be a whole number').min(1, 'must be at least 1').max(10_000, 'must be at most 10000')
const location = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words separated by dashes, for example `home-top`')
  .max(50, 'must have at most 50 characters')

export const AdSlot = z
  .object({
    id: z.uuid(),
    location: z.string(),
    tier: SlotTier,
    name: z.string(),
    width: z.int().describe('Pixels'),
    height: z.int().describe('Pixels'),
    isActive: z
      .boolean()
      .describe('While a slot is inactive, it is not auctioned and its placements are not displayed'),
  })
  .meta({ id: 'AdSlot' })
export const AdSlots = pageOf('adSlots', AdSlot)
export const AdSlotsQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const NewAdSlot = z.object({
  location,
  tier: SlotTier,
  name: line(1, 100),
  width: pixels,
  height: pixels,
  isActive: z.boolean('must be true or false').default(true),
})

export const AdSlotChange = z.strictObject({
  name: line(1, 100).optional(),
  width: pixels.optional(),
  height: pixels.optional(),
  isActive: z.boolean('must be true or false').optional(),
})
export type AdSlotChange = z.output<typeof AdSlotChange>

export const Placement = z
  .object({
    id: z.uuid(),
    location: z.string(),
    tier: SlotTier,
    serverId: z.uuid(),
    title: z.string().describe('Name of the server'),
    imageUrl: z.string().describe('Banner of the server, uploaded here or on another site; empty if it has none'),
    linkUrl: z
      .string()
      .describe('Website of the server, or its page in this directory (without the site: its data) if it has none'),
    startsAt: Timestamp,
    endsAt: Timestamp,
  })
  .meta({ id: 'Placement' })
export const Placements = z.object({ placements: z.array(Placement) })

export const FeaturedServer = ServerBrief.extend({ game: z.string(), gameName: z.string(), country: z.string() }).meta({
  id: 'FeaturedServer',
})
export type FeaturedServer = z.output<typeof FeaturedServer>
export const FeaturedServers = z.object({ servers: z.array(FeaturedServer) })
export const Featured = z.object({
  isFeatured: z.boolean(),
  placement: Placement.nullable().describe(
    'The placement it is featured for; null if an administrator featured it or it is not featured',
  ),
})

export const AdSlotParams = z.object({ id: idParam('Ad slot id', 'There is no such ad slot.') })
export const LocationParams = z.object({ location: z.string().describe('Location of ad slots') })
