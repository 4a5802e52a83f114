// Points in time in requests and replies.
import * as z from 'zod'

/** A `Date` in code, ISO 8601 in UTC with milliseconds in JSON: `2026-11-20T12:00:00.000Z`. */
export const Timestamp = z
  .codec(z.iso.datetime({ precision: 3 }), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .meta({ override: { type: 'string', format: 'date-time' } })
