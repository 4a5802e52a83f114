// Ad slots, and what runs in them (api-decisions.md "Money").
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { line } from '../../platform/text.ts'
import { ServerBrief } from '../directory/index.ts'

export const SLOT_TIERS = ['standard', 'premium', 'enterprise'] as const
export const SlotTier = z.enum(SLOT_TIERS, 'must be standard, premium or enterprise')
export type SlotTier = z.output<typeof SlotTier>

const instant = z.iso.datetime({ precision: 3 })
const pixels = z.int('must be a whole number').min(1, 'must be at least 1').max(10_000, 'must be at most 10000')
const location = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with dashes between, as `home-top`')
  .max(50, 'must have at most 50 characters')

export const AdSlot = z
  .object({
    id: z.uuid(),
    location: z.string(),
    tier: SlotTier,
    name: z.string(),
    width: z.int().describe('Pixels'),
    height: z.int().describe('Pixels'),
    isActive: z.boolean().describe('An inactive slot sells nothing and shows nothing'),
  })
  .meta({ id: 'AdSlot' })
export const AdSlots = z.object({ adSlots: z.array(AdSlot), pagination: Pagination })
export const AdSlotsQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const NewAdSlot = z.object({
  location,
  tier: SlotTier,
  name: line(1, 100),
  width: pixels,
  height: pixels,
  isActive: z.boolean('must be true or false').default(true),
})
export type NewAdSlot = z.output<typeof NewAdSlot>

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
    imageUrl: z.string().describe('Its banner; empty when it has none'),
    linkUrl: z.string().describe('Its website; its page here when it has none'),
    startsAt: instant,
    endsAt: instant,
  })
  .meta({ id: 'Placement' })
export const Placements = z.object({ placements: z.array(Placement) })

export const FeaturedServer = ServerBrief.meta({ id: 'FeaturedServer' })
export type FeaturedServer = z.output<typeof FeaturedServer>
export const FeaturedServers = z.object({ servers: z.array(FeaturedServer) })
export const Featured = z.object({
  isFeatured: z.boolean(),
  placement: Placement.nullable().describe(
    'What it is featured for; null when an administrator wished it, or it is not',
  ),
})

export const IdParams = z.object({ id: z.string() })
export const LocationParams = z.object({ location: z.string() })
