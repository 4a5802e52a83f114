// Text that people write and others read: what it may hold, wherever it is shown.
import * as z from 'zod'

/** Controls, bidirectional overrides, zero-width and other characters that are not seen. Variation selectors of emoji may stay. */
const UNSEEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u{FE0E}\u{FE0F}]]/v

export const seen = (text: string) => !UNSEEN.test(text)
export const UNSEEN_MESSAGE = 'must not contain control, bidirectional or zero-width characters'

/** A text; said so when it is missing or something else. */
export const text = () => z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a text') })

/** One line of text: trimmed, in Unicode's composed form, `min` to `max` UTF-16 units long. */
export const line = (min: number, max: number) =>
  text()
    .normalize('NFC')
    .trim()
    .min(min, `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .refine(seen, UNSEEN_MESSAGE)

/** Text of some lines: as `line`, but line breaks and tabs may be in it. */
export const paragraphs = (min: number, max: number) =>
  text()
    .normalize('NFC')
    .trim()
    .min(min, `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .refine((given) => seen(given.replace(/[\r\n\t]/g, '')), UNSEEN_MESSAGE)
