// The status of a server as one message in a channel of Discord, which is edited: ../status-messages sends
// it. It gets no events.
import * as z from 'zod'
import { Timestamp } from '../../../platform/http/timestamp.ts'
import { WEBHOOK_ADDRESS } from './discord.ts'
import { defineKind } from './kind.ts'

const NO_EVENTS = 'this endpoint shows the server’s status and gets no events'

export const discordStatus = defineKind({
  ...WEBHOOK_ADDRESS,
  showsStatus: true,
  shown: {
    ...WEBHOOK_ADDRESS.shown,
    message: z
      .object({
        isCreated: z.boolean(),
        editedAt: Timestamp.nullable(),
        error: z.string().nullable().describe('Why the last attempt failed; null if it did not'),
      })
      .describe('The message in the channel'),
  },
  prepare: () => ({ refusal: NO_EVENTS }),
  send: async () => ({ error: NO_EVENTS, latencyMs: 0, response: '' }),
  classify: () => ({ outcome: 'refused' }),
})
