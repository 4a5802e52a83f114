// Administrators' operations on the look of the site.
import type { Deps } from '../../deps.ts'
import { operation } from '../../platform/http/operation.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../faces/index.ts'
import { AppearanceChange, AppearanceReply } from './appearance.schema.ts'
import { describeAppearance, takeLogo } from './appearance.service.ts'
import { lockAppearance, removeLogo, updateAppearance } from './appearance.sql.ts'

const common = { tag: 'Administration', access: 'admin' } as const
const target = { targetType: 'site', targetId: 'appearance' } as const

export function appearanceOperations({ jobs, settings }: Pick<Deps, 'jobs' | 'settings'>) {
  const origin = settings.PUBLIC_BASE_URL
  return [
    operation({
      ...common,
      method: 'get',
      path: '/admin/appearance',
      operationId: 'getAppearance',
      summary: 'Show the name, the logo and the colours of the site',
      returns: AppearanceReply,
      handle: ({ db }) => describeAppearance(db, origin),
    }),
    operation({
      ...common,
      method: 'patch',
      path: '/admin/appearance',
      operationId: 'updateAppearance',
      summary: 'Change the name, the colour, the introduction and the links of the site',
      description:
        'All processes show the change at once: pages, the pages of payments and mails, and cards within a minute.',
      body: AppearanceChange,
      returns: AppearanceReply,
      changes: 'appearance',
      async handle({ tx, actor: { userId: actorId }, body }) {
        const before = await lockAppearance(tx)
        const after = { ...before, ...withoutUndefined(body) }
        const details = changesBetween(before, after)
        if (details) {
          await updateAppearance(tx, after)
          await recordAction(tx, { actorId, action: 'appearance.update', ...target, details })
        }
        return describeAppearance(tx, origin)
      },
    }),
    operation({
      ...common,
      method: 'put',
      path: '/admin/appearance/logo',
      operationId: 'setSiteLogo',
      summary: 'Upload a logo for the site',
      description:
        'The body is the picture: PNG, JPEG, WebP, or GIF, of which the first frame is shown; at most 5 MB and 40 megapixels. A worker ' +
        'encodes it within seconds, without whatever else the file holds; `GET /admin/appearance` says what became of it.',
      file: { types: IMAGE_TYPES, maxBytes: MAX_IMAGE_BYTES },
      codes: ['invalid_image'],
      status: 202,
      returns: AppearanceReply,
      async handle({ tx, actor: { userId: actorId }, rawBody: bytes }) {
        await takeLogo(tx, jobs, bytes)
        await recordAction(tx, { actorId, action: 'appearance.logo.set', ...target, details: { bytes: bytes.length } })
        return describeAppearance(tx, origin)
      },
    }),
    operation({
      ...common,
      method: 'delete',
      path: '/admin/appearance/logo',
      operationId: 'removeSiteLogo',
      summary: 'Remove the logo of the site; succeeds if there is none',
      returns: AppearanceReply,
      changes: 'appearance',
      async handle({ tx, actor: { userId: actorId } }) {
        await lockAppearance(tx)
        if (await removeLogo(tx)) await recordAction(tx, { actorId, action: 'appearance.logo.remove', ...target })
        return describeAppearance(tx, origin)
      },
    }),
  ]
}
