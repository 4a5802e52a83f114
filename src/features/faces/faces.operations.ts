// The operations of logos and banners: owners give and remove them, moderators and administrators lock them.
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { auditAs } from '../audit/index.ts'
import { managedServer, noSuchServer, requireImpartial, ServerIdParams } from '../servers/index.ts'
import { FACE_KINDS } from './faces.jobs.ts'
import { FaceKindParams, Faces, LockFace } from './faces.schema.ts'
import { readFaces, storeUpload } from './faces.service.ts'
import { findLocker, type LockableFace, lockFace, removeFace, unlockFace } from './faces.sql.ts'
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from './image-types.ts'

const common = { tag: 'Server management', access: 'user' } as const
const administration = {
  tag: 'Administration',
  access: 'moderator',
  path: '/admin/servers/{id}/faces/{kind}/lock',
} as const

/** Limit of an account, for both kinds together. */
const UPLOADS_AN_HOUR = 20

const NAMES = { logo: 'Logo', banner: 'Banner' } as const
const SIZES = { logo: '128 × 128 pixels, and 64 × 64', banner: '960 × 240 pixels' } as const

/** A server of any owner, locked. */
const anyServer = (action: string): Resource<'serverId', string> => ({
  name: 'serverId',
  params: ServerIdParams,
  errors: [404],
  async load(db, id, actor) {
    const { rowCount } = await db.query('select from servers where id = $1 and deleted_at is null for no key update', [
      id,
    ])
    if (!rowCount) throw noSuchServer()
    await requireImpartial(db, actor, id)
    return id
  },
  after: auditAs('server', action),
})

/** An administrator's lock is not for moderators to change. @throws ApiError 403 */
async function requireUnlockable(tx: Db, face: LockableFace, actor: Actor): Promise<void> {
  if (actor.isAdmin || (await findLocker(tx, face)) !== 'admin') return
  throw new ApiError(
    403,
    'forbidden',
    'An administrator has locked this picture, so only administrators may change that.',
  )
}

export function facesOperations({ jobs, settings }: Pick<Deps, 'jobs' | 'settings'>) {
  const baseUrl = settings.PUBLIC_BASE_URL

  const ofKind = FACE_KINDS.flatMap((kind) => [
    operation({
      ...common,
      method: 'put',
      scope: 'servers:write',
      path: `/servers/{id}/${kind}`,
      operationId: `setServer${NAMES[kind]}`,
      summary: `Upload a ${kind} for your server`,
      description:
        'The body is the picture: PNG, JPEG, WebP, or GIF, of which the first frame is shown; at most 5 MB and 40 megapixels. A worker ' +
        `encodes it as WebP of ${SIZES[kind]} within seconds, without whatever else the file holds, and deletes it; \`GET /servers/{id}/faces\` ` +
        `says what became of it. At most ${UPLOADS_AN_HOUR} pictures per hour.`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: `server.${kind}.set` }),
      file: { types: IMAGE_TYPES, maxBytes: MAX_IMAGE_BYTES },
      limit: { name: 'face-uploads', limit: UPLOADS_AN_HOUR, windowSeconds: 3600, per: 'user' },
      codes: ['invalid_image', 'face_locked'],
      status: 202,
      returns: Faces,
      async handle({ tx, actor: { userId }, server: { id: serverId }, rawBody: bytes }) {
        await storeUpload(tx, jobs, { serverId, kind, userId, bytes })
        return new Audited(await readFaces(tx, serverId, baseUrl), { bytes: bytes.length })
      },
    }),
    operation({
      ...common,
      method: 'delete',
      scope: 'servers:write',
      path: `/servers/{id}/${kind}`,
      operationId: `removeServer${NAMES[kind]}`,
      summary: `Remove the ${kind} of your server`,
      resource: managedServer({ right: 'edit', lock: 'update', audit: `server.${kind}.remove` }),
      returns: Faces,
      changes: 'directory',
      async handle({ tx, server: { id: serverId } }) {
        await removeFace(tx, { serverId, kind })
        return new Audited(await readFaces(tx, serverId, baseUrl), {})
      },
    }),
  ])

  return [
    ...ofKind,
    operation({
      ...common,
      method: 'get',
      scope: 'read',
      path: '/servers/{id}/faces',
      operationId: 'getServerFaces',
      summary: 'Get the processing state of your server’s logo and banner',
      resource: managedServer({ right: 'read' }),
      returns: Faces,
      handle: ({ db, server }) => readFaces(db, server.id, baseUrl),
    }),
    operation({
      ...administration,
      method: 'post',
      operationId: 'lockServerFace',
      summary: 'Remove and lock the logo, banner or reported icon of a server',
      description:
        'Moderators change no lock of an administrator, and lock no picture of a server that they own or work on: 403.',
      resource: anyServer('server.face.lock'),
      params: FaceKindParams,
      body: LockFace,
      returns: Faces,
      changes: 'directory',
      async handle({ tx, actor, serverId, params: { kind }, body: { reason } }) {
        await requireUnlockable(tx, { serverId, kind }, actor)
        await lockFace(tx, { serverId, kind }, { userId: actor.userId, reason, byModerator: !actor.isAdmin })
        return new Audited(await readFaces(tx, serverId, baseUrl), { kind, reason })
      },
    }),
    operation({
      ...administration,
      method: 'delete',
      operationId: 'unlockServerFace',
      summary: 'Unlock the logo, banner or reported icon; succeeds if it was not locked',
      description:
        'Moderators unlock what a moderator has locked, of servers that they neither own nor work on: everything else is 403. The banner of ' +
        'a listing with a `bannerUrl` is downloaded again within an hour.',
      resource: anyServer('server.face.unlock'),
      params: FaceKindParams,
      returns: Faces,
      async handle({ tx, actor, serverId, params: { kind } }) {
        await requireUnlockable(tx, { serverId, kind }, actor)
        const wasLocked = await unlockFace(tx, { serverId, kind })
        return new Audited(await readFaces(tx, serverId, baseUrl), wasLocked ? { kind } : undefined)
      },
    }),
  ]
}
