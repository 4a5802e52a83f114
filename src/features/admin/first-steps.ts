// What the administrator of a new directory does first, and which of it is done.
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { operation } from '../../platform/http/operation.ts'
import { PRODUCT_NAME } from '../../platform/product.ts'
import { readAppearance } from '../appearance/index.ts'

export const FirstSteps = z.object({
  isNew: z.boolean().describe('Whether no server is listed yet'),
  steps: z.array(
    z
      .object({
        name: z
          .enum(['administrator', 'import', 'sources', 'demo', 'mail', 'appearance'])
          .describe(
            '`administrator`: become one; `import`: list servers by hand; `sources`: let sources find servers; `demo`: list simulated ones; `mail`: set a mail server; `appearance`: give the site a name, a colour or a logo',
          ),
        isDone: z.boolean(),
      })
      .meta({ id: 'FirstStep' }),
  ),
})

export const firstStepsOperations = ({ settings }: Pick<Deps, 'settings'>) => [
  operation({
    method: 'get',
    path: '/admin/first-steps',
    operationId: 'listFirstSteps',
    tag: 'Administration',
    summary: 'List what is done first in a new directory',
    access: 'admin',
    returns: FirstSteps,
    async handle({ db }) {
      const { any, byHand, simulated } = await findListed(db)
      const { name, accent, logo } = await readAppearance(db)
      return {
        isNew: !any,
        steps: [
          { name: 'administrator' as const, isDone: true }, // the caller is one
          { name: 'sources' as const, isDone: settings.DISCOVER.length > 0 },
          { name: 'import' as const, isDone: byHand },
          { name: 'demo' as const, isDone: simulated },
          { name: 'mail' as const, isDone: settings.SMTP_URL !== undefined },
          { name: 'appearance' as const, isDone: name !== PRODUCT_NAME || accent !== null || logo !== undefined },
        ],
      }
    },
  }),
]

/** Whether servers are listed: any, by accounts and operators, and simulated ones of the demo. */
async function findListed(db: Db): Promise<{ any: boolean; byHand: boolean; simulated: boolean }> {
  const isSimulated = `ip_address like '127.%' and 'demo' = any(tags)`
  const { rows } = await db.query<{ any: boolean; byHand: boolean; simulated: boolean }>(
    `select exists (select from servers where deleted_at is null) as any,
       exists (select from servers where deleted_at is null and source is null and not (${isSimulated})) as "byHand",
       exists (select from servers where deleted_at is null and ${isSimulated}) as simulated`,
  )
  const [listed] = rows
  if (!listed) throw new Error('the first steps query returned no row')
  return listed
}
