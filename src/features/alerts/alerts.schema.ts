// Requests and responses of alerts on favorites, and of the browsers that get them.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { Language } from '../../platform/language.ts'
import { text } from '../../platform/text.ts'
import { MessageLanguage, PushSubscription } from '../push/index.ts'

/** More than any game server has. */
const MAX_PLAYERS = 100_000

const players = (least: number) =>
  z
    .int(`must be a whole number from ${least} to ${MAX_PLAYERS}, or null`)
    .min(least, `must be at least ${least}`)
    .max(MAX_PLAYERS, `must be at most ${MAX_PLAYERS}`)
    .nullable()
const isWanted = z.boolean('must be true or false')

export const AlertSettings = z
  .object({
    playersAtLeast: players(1).default(null).describe('When at least so many people play; null: no alert'),
    playersAtMost: players(0).default(null).describe('When at most so many people play; null: no alert'),
    backOnline: isWanted.default(false).describe('When the server is back after an outage of ten minutes or more'),
    wipeSoon: isWanted.default(false).describe('When its next wipe is less than an hour away'),
  })
  .meta({ id: 'AlertSettings' })
export type AlertSettings = z.output<typeof AlertSettings>

export const ServerAlerts = AlertSettings.extend({ serverId: z.uuid() }).meta({ id: 'ServerAlerts' })
export type ServerAlerts = z.output<typeof ServerAlerts>
export const AlertList = z.object({ alerts: z.array(ServerAlerts) })

export const AlertQuery = z.object({ id: text().describe('Of the alert; an unknown one is a success too') })

export const NO_SUCH_BROWSER = 'There is no such browser.'
export const BrowserParams = z.object({ id: idParam('Browser id', NO_SUCH_BROWSER) })
export const NewBrowser = z.object({
  language: MessageLanguage.describe('Of the messages'),
  push: PushSubscription,
})
export const PushBrowser = z
  .object({
    id: z.uuid(),
    language: Language,
    createdAt: Timestamp,
  })
  .meta({ id: 'PushBrowser' })
export const PushBrowsers = z.object({ browsers: z.array(PushBrowser) })
