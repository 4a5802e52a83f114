// The operations of a server's vote key, with which reward plugins ask for votes.
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { hashToken } from '../../../platform/hash-token.ts'
import { operation } from '../../../platform/http/operation.ts'
import { Audited } from '../../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../../platform/http/success.ts'
import { Timestamp } from '../../../platform/http/timestamp.ts'
import { requireUnendedSession } from '../../accounts/index.ts'
import { requireUnrevokedKey } from '../../api-keys/index.ts'
import { managedServer } from '../../servers/index.ts'
import { deleteVoteKeys, findVoteKeys, insertVoteKey, retireVoteKey } from './vote-keys.sql.ts'

const PREFIX = 'vk_'
const RANDOM_BYTES = 20
/** Enough to tell two keys apart, and too few to guess the rest. */
const SHOWN_CHARACTERS = 8

/** Letters and digits only: plugins put it into URLs, and split `ID:KEY` at the colon. */
const newVoteKey = () => PREFIX + randomBytes(RANDOM_BYTES).toString('hex')

const VoteKey = z
  .object({
    startsWith: z.string().describe('The first characters'),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable().describe('To the minute; null if it was never used'),
    validUntil: Timestamp.nullable().describe('Null for the current key'),
  })
  .meta({ id: 'VoteKey' })

const VoteKeys = z.object({
  keys: z.array(VoteKey).describe('The current key, then the one it replaced while that is valid'),
})
const NewVoteKey = z
  .object({ voteKey: z.string().describe('Returned once'), startsWith: z.string(), createdAt: Timestamp })
  .meta({ id: 'NewVoteKey' })

const common = { tag: 'Votes', access: 'user', scope: 'votes', path: '/servers/{id}/vote-key' } as const

const changed = (audit: string) => managedServer({ right: 'edit', lock: 'update', audit, auditsOwner: true })

export const voteKeysOperations = [
  operation({
    ...common,
    method: 'get',
    operationId: 'listVoteKeys',
    summary: 'List the vote keys of your server, without the keys themselves',
    resource: managedServer({ right: 'edit' }),
    returns: VoteKeys,
    handle: async ({ db, server }) => ({ keys: await findVoteKeys(db, server.id) }),
  }),
  operation({
    ...common,
    method: 'post',
    operationId: 'createVoteKey',
    summary: 'Make a vote key for the reward plugins of your server, or replace it',
    description:
      'For `/plugins/votes`. The key is in the reply only. One that it replaces stays valid for a day, so that plugins can be changed ' +
      'one after the other; an older one ends at once. A key is valid while the server is ' +
      'listed and keeps its owner, or the next owner accepts a hand-over with `keepSecrets`.',
    resource: changed('vote-key.create'),
    returns: NewVoteKey,
    async handle({ tx, server, actor }) {
      if (actor.via === 'session') await requireUnendedSession(tx, actor)
      else await requireUnrevokedKey(tx, actor)
      const voteKey = newVoteKey()
      const startsWith = voteKey.slice(0, SHOWN_CHARACTERS)
      await retireVoteKey(tx, server.id)
      const createdAt = await insertVoteKey(tx, { serverId: server.id, tokenHash: hashToken(voteKey), startsWith })
      return new Audited({ voteKey, startsWith, createdAt }, { startsWith })
    },
  }),
  operation({
    ...common,
    method: 'delete',
    operationId: 'revokeVoteKeys',
    summary: 'Revoke all vote keys of your server; succeeds if there is none',
    resource: changed('vote-key.revoke'),
    returns: Success,
    async handle({ tx, server }) {
      const revoked = await deleteVoteKeys(tx, server.id)
      return new Audited(SUCCESS, revoked ? { revoked } : undefined)
    },
  }),
]
