// Disables an endpoint that is gone or keeps failing, and notifies its owner.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import { pageLink } from '../../platform/http/page-link.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { type Mail, mail } from '../mail/index.ts'
import { notify } from '../notifications/index.ts'
import { cancelPending, type DisabledEndpoint, findDisabled, markDisabled } from './disable-endpoint.sql.ts'
import { decryptUrl } from './encrypted-url.ts'
import { kindOf } from './kinds/index.ts'
import type { DisabledReason } from './webhooks.schema.ts'

/**
 * Disables an endpoint, cancels its pending deliveries and notifies its owner, all in the caller's transaction: in the
 * product, and by a mail of its own if the address is verified. Does nothing if the endpoint is already disabled or its
 * URL has changed. Disable several in ascending id order to avoid deadlocks.
 * @param target `storedUrl`: the URL that failed, as stored
 * @returns whether the endpoint was disabled
 */
export async function disableEndpoint(
  tx: Db,
  jobs: JobQueue,
  target: { endpointId: string; storedUrl: string; reason: DisabledReason },
): Promise<boolean> {
  const { endpointId, reason } = target
  const disabled = await markDisabled(tx, target)
  if (!disabled) return false
  await cancelPending(tx, [endpointId])
  const { ownerId: userId, serverId, disabledAt } = disabled
  if (!userId) return true
  const data = { endpointId, reason }
  await jobs.enqueue(tx, notify, [{ event: 'webhookDisabled', at: disabledAt.toISOString(), serverId, userId, data }])
  await jobs.enqueue(tx, mail, [{ kind: 'webhook-disabled', userId, serverId, endpointId }])
  return true
}

/** The mail of kind `webhook-disabled`. @returns undefined if it has no recipient or is no longer true */
export async function writeWebhookDisabled(
  { pool, settings }: Pick<Deps, 'pool' | 'settings'>,
  { userId, serverId, endpointId = serverId }: { userId: string; serverId: string; endpointId?: string | undefined },
): Promise<Mail | undefined> {
  const disabled = await findDisabled(pool, endpointId, userId)
  if (!disabled) return undefined
  const { email, reason, storedUrl } = disabled
  const url = decryptUrl(createSecretCipher(settings), storedUrl)
  const path = `/servers/${serverId}/endpoints/${endpointId}`
  const facts = {
    ...disabled,
    host: url === undefined ? 'its address' : new URL(url).host,
    link: pageLink(settings, { page: `/my${path}`, operation: `/api${path}` }),
  }
  return { to: email, ...(reason === 'unconfirmed' ? unconfirmedMessageMail(facts) : disabledWebhookMail(facts)) }
}

interface MailFacts extends DisabledEndpoint {
  /** Of the endpoint's URL. */
  host: string
  /** Where its owner enables it again. */
  link: string
}

const unconfirmedMessageMail = ({ username, serverName, link }: MailFacts): Omit<Mail, 'to'> => ({
  subject: `The Discord message of ${serverName} needs a look`,
  text: [
    `Hello ${username},`,
    `the message that shows the status of your server "${serverName}" was sent to Discord, but whether it was created is unknown: the reply was lost. It is not sent again, so that your channel never has two.`,
    'Look into the channel. Delete the message if it is there, then save the endpoint again, and a new message is sent:',
    link,
  ].join('\n\n'),
})

function disabledWebhookMail({ username, serverName, kind, reason, host, link }: MailFacts): Omit<Mail, 'to'> {
  const gone = `${host} ${kindOf(kind).gone ?? 'is gone'}`
  const why = reason === 'gone' ? gone : `every attempt to reach ${host} failed for five days`
  return {
    subject: `The webhook of ${serverName} was disabled`,
    text: [
      `Hello ${username},`,
      `the webhook of your server "${serverName}" was disabled: ${why}. Nothing more is sent to it, and deliveries that were pending have been canceled.`,
      'Once it is fixed, save the endpoint again; its secret stays the same. The canceled deliveries are listed there, and you can redeliver them:',
      link,
    ].join('\n\n'),
  }
}
