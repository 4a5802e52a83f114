// Sources, blocks and opt-outs as administrators and owners see them.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Port } from '../../platform/http/port.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line, text } from '../../platform/text.ts'
import { listingFields } from '../servers/index.ts'
import { SOURCE_VERDICTS } from './source-verdict.ts'

const count = z.int().min(0)

export const NO_SUCH_SOURCE = 'The setting DISCOVER has no such source.'
export const SourceParams = z.object({
  source: z
    .string()
    .max(60)
    .meta({ examples: ['luanti'] })
    .describe('Name of a source'),
})

const DiscoverySource = z
  .object({
    source: z.string().meta({ examples: ['luanti'] }),
    isEnabled: z.boolean().describe('Whether the setting DISCOVER names it'),
    verdict: z
      .enum(SOURCE_VERDICTS)
      .describe(
        '`stuck`: a run did not end; `late`: no worker runs it; `failing`: its runs fail, or find less than half of what is listed; otherwise `ok`',
      ),
    advice: z.string().describe('What to do; empty if the verdict is `ok`'),
    listed: count.describe('Unclaimed servers of this source that are listed now'),
    startedAt: Timestamp.nullable().describe('Of the last run; null: none so far'),
    finishedAt: Timestamp.nullable().describe('Null while a run lasts'),
    nextRunAt: Timestamp.nullable(),
    found: count.describe('Servers that the last successful run found'),
    added: count.describe('New ones among them'),
    returned: count.describe('Those that were forgotten and answer again'),
    missing: count.describe(
      'Listed servers of this source that the run did not find; they stay listed while they answer',
    ),
    refused: z.record(z.string(), count).describe('How many were not listed, by reason'),
    failures: count.describe('Failed runs in a row; each doubles the wait, up to six hours'),
    error: z.string().nullable().describe('Why the last run failed; null if it succeeded'),
  })
  .meta({ id: 'DiscoverySource' })
export const DiscoverySources = z.object({ sources: z.array(DiscoverySource) })

export const StartedRun = z.object({ message: z.string() })

const network = text()
  .pipe(
    z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], 'must be an IP address or a network such as 203.0.113.0/24'),
  )
  .describe('An IP address or a network in CIDR notation')
const namePattern = line(3, 100).describe('Part of the name; case does not count; `*` stands for any text')

export const NewBlock = z
  .strictObject({
    network: network.optional(),
    host: listingFields.ipAddress.optional().describe('A DNS name, also for the address that it leads to'),
    port: listingFields.port
      .optional()
      .describe('Game or query port; only with `network` or `host`; without it all ports'),
    game: listingFields.game.optional(),
    namePattern: namePattern.optional(),
    note: line(0, 500).default('').describe('Visible to administrators only'),
  })
  .refine(
    ({ network, host, game, namePattern }) => [network, host, game, namePattern].some((one) => one !== undefined),
    {
      path: ['network'],
      error: 'is required without host, game and namePattern',
    },
  )
  .refine(({ network, host, port }) => port === undefined || network !== undefined || host !== undefined, {
    path: ['port'],
    error: 'must be given together with network or host',
  })

export const NO_SUCH_BLOCK = 'There is no such block.'
export const BlockParams = z.object({ id: idParam('Block id', NO_SUCH_BLOCK) })

export const Block = z
  .object({
    id: z.uuid(),
    network: z.string().nullable(),
    host: z.string().nullable(),
    port: Port.nullable(),
    game: z.string().nullable(),
    namePattern: z.string().nullable(),
    isOptOut: z
      .boolean()
      .describe(
        'Whether the server’s owner asked for it, with proof. If it has a network and a host, each of the two is blocked',
      ),
    note: z.string(),
    createdAt: Timestamp,
  })
  .meta({ id: 'DiscoveryBlock' })
export const Blocks = pageOf('blocks', Block)
export const BlocksQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const AddedBlock = z.object({
  block: Block,
  removed: count.describe('Unclaimed servers that are no longer listed'),
})
export const OptedOut = z.object({ message: z.string() })
