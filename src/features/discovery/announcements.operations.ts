// The operations by which servers announce themselves.
import { isIP } from 'node:net'
import type { Request, Response } from 'express'
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { clientAddress } from '../../platform/http/client-key.ts'
import { contextOf } from '../../platform/http/context.ts'
import { ApiError, notFound, validationFailed } from '../../platform/http/errors.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { operation } from '../../platform/http/operation.ts'
import { networkOf } from '../../platform/network.ts'
import { canonicalAddress } from '../../platform/public-address.ts'
import { usualPort, usualQueryPort } from '../games/index.ts'
import { forgetServers, mayBeQueried, normalizeAddress, notifyDirectory, portMissing } from '../servers/index.ts'
import { Announced, LuantiAnnouncement, NewAnnouncement } from './announcements.schema.ts'
import { enqueueAnnouncementQuery } from './announcements.service.ts'
import { type Announcement, saveAnnouncement, withdrawAnnouncement } from './announcements.sql.ts'
import { ANNOUNCEMENTS, PUBLISHERS_LISTS } from './catalog.ts'

/** Limit of one address, which may have a hundred servers that announce themselves every one to five minutes. */
const PER_MINUTE = 120
const POLICIES: LimitPolicy[] = [{ name: 'announce', limit: PER_MINUTE, windowSeconds: 60 }]
const RETRY_AFTER_SECONDS = 3600

const RECEIVED = 'The announcement was received. The server is listed once it answers a query.'
const WITHDRAWN = 'The announcement was withdrawn.'

const DESCRIPTION =
  'The server is listed once it answers a query of ours, at the address that the request comes from; another address can’t be announced. ' +
  'Behind several addresses, send the request from the one that players connect to. Only if the setting `DISCOVER` has `announcements`, ' +
  `else 404. At most ${PER_MINUTE} per minute and address, which do not count against its other limits.`

const common = {
  tag: 'Discovery',
  method: 'post',
  status: 202,
  errors: [404],
} as const

export interface AnnouncementOptions extends Pick<Deps, 'settings' | 'jobs'> {
  limits: Pick<Limits, 'consume'>
}

export function announcementOperations({ settings, jobs, limits }: AnnouncementOptions) {
  /** Servers send every few minutes, many of them from one address. @throws ApiError 404, 429 rate_limited, 503 */
  async function limitRequest(_req: Request, res: Response): Promise<void> {
    const { clientKey, limitCounts } = contextOf(res)
    await limits.consume({ key: clientKey, policies: POLICIES }, { counts: limitCounts })
    if (!settings.DISCOVER.includes(ANNOUNCEMENTS))
      throw notFound('This directory takes no announcements: its setting DISCOVER does not have `announcements`.')
  }

  /** @param given the address or name that the server says it has @throws ApiError 403 */
  function requireOwnAddress(req: Request, given: string | undefined): Pick<Announcement, 'address' | 'host'> {
    const address = canonicalAddress(clientAddress(req, settings.TRUST_PROXY))
    if (address === undefined || !mayBeQueried(address, settings.ALLOW_PRIVATE_TARGETS))
      throw new ApiError(403, 'forbidden', 'Announcements are taken only from public addresses.')
    if (given !== undefined && isIP(given) && given !== address)
      throw new ApiError(
        403,
        'forbidden',
        `A server can announce only its own address, and this request is from ${address}.`,
      )
    return { address, host: given ?? address }
  }

  async function receive(tx: Db, received: Announcement, action: LuantiAnnouncement['action']): Promise<string> {
    if (action === 'delete') {
      const forgotten = await forgetServers(tx, await withdrawAnnouncement(tx, received))
      if (forgotten.length) await notifyDirectory(tx)
      return WITHDRAWN
    }
    const saved = await saveAnnouncement(tx, { ...received, network: networkOf(received.address) })
    if (!saved)
      throw new ApiError(
        429,
        'rate_limited',
        'Too many announced servers did not answer: of this address, its network or all.',
        {
          headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
        },
      )
    if (saved.checkIn !== null) await enqueueAnnouncementQuery(tx, jobs, received, saved.checkIn)
    return RECEIVED
  }

  return [
    operation({
      ...common,
      limitRequest,
      path: '/announce',
      operationId: 'announceServer',
      summary: 'Announce the game server that sends this',
      description: `${DESCRIPTION} A deletion removes what was listed by an announcement and no account owns.`,
      body: NewAnnouncement,
      returns: Announced,
      async handle({ tx, req, body: { action, game, gamePort: given, queryPort, ipAddress, name = '' } }) {
        const own = requireOwnAddress(req, ipAddress)
        const gamePort = given ?? usualPort(game)
        if (gamePort === undefined) {
          const { path, message } = portMissing(game)
          throw validationFailed([{ path: `body.${path}`, message }])
        }
        const ports = { gamePort, queryPort: queryPort ?? usualQueryPort(game, gamePort) }
        return { message: await receive(tx, { ...own, ...ports, game, name, details: null }, action) }
      },
    }),
    operation({
      ...common,
      limitRequest,
      path: '/luanti/announce',
      alsoAt: '/announce',
      operationId: 'announceLuantiServer',
      summary: 'Announce the Luanti server that sends this',
      description:
        `${DESCRIPTION} As Luanti servers announce themselves, with \`server_announce = true\` and \`serverlist_url\` set to the origin of this ` +
        'directory, because this operation is also at `/announce` there.',
      formField: 'json',
      unknownInput: 'ignored',
      body: LuantiAnnouncement,
      produces: 'text/plain',
      returns: z.enum([RECEIVED, WITHDRAWN]),
      async handle({ tx, req, body: { action, port, address, ...details } }) {
        const host = address === '' ? undefined : normalizeAddress(address)
        if (address !== '' && host === undefined)
          throw validationFailed([{ path: 'body.address', message: 'must be an IPv4 or IPv6 address or a DNS name' }])
        const own = requireOwnAddress(req, host)
        const server = { game: PUBLISHERS_LISTS.luanti, gamePort: port, queryPort: port, name: details.name }
        return receive(tx, { ...own, ...server, details: JSON.stringify(details) }, action) as Promise<typeof RECEIVED>
      },
    }),
  ]
}
