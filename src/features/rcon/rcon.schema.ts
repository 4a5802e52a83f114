// Requests and replies of the RCON operations.
import * as z from 'zod'
import { Port } from '../../platform/http/port.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { maxLength, minLength, text } from '../../platform/text.ts'

const MAX_PASSWORD = 128
const MAX_COMMAND = 1_000

/**
 * A zero byte would end the text on the wire, and other text protocols read a line break as the
 * start of another command.
 */
const oneLine = (value: string) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) && value.isWellFormed()
const ONE_LINE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$'
const ONE_LINE_MESSAGE = 'must be one line without control characters'

export const RconSettings = z.object({
  port: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(65_535, 'must be at most 65535')
    .describe(
      'Port of RCON, at the server’s own address: TCP for Source RCON and Rust’s WebRCON, UDP for Quake 3 games, FiveM and RedM, where it is the game port',
    ),
  password: text()
    .check(minLength(1, 'must not be empty'), maxLength(MAX_PASSWORD))
    .refine(oneLine, ONE_LINE_MESSAGE)
    .meta({ pattern: ONE_LINE_PATTERN })
    .describe('Stored encrypted, and never returned'),
})

export const RconState = z
  .object({
    isConfigured: z.boolean(),
    port: Port.nullable(),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Rcon' })

export const RconCommand = z.object({
  command: text()
    .check(maxLength(MAX_COMMAND))
    .refine((command) => command.trim() !== '', 'must not be empty')
    .refine(oneLine, ONE_LINE_MESSAGE)
    .meta({ minLength: 1, pattern: ONE_LINE_PATTERN }),
})

export const RconAnswer = z.object({ response: z.string().describe('The server’s answer; may be empty') })
