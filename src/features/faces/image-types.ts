// The types of pictures that owners may give, known by their first bytes: names and content types may be wrong.

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** The types in error messages and descriptions. */
export const IMAGE_TYPES_IN_WORDS = 'a PNG, JPEG, WebP or GIF image'

/** Maximum size of an uploaded or downloaded picture. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024

const PNG = '\x89PNG\r\n\x1a\n'
const JPEG = '\xff\xd8\xff'

/** @returns undefined if the bytes begin like none of the types */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith(PNG)) return 'image/png'
  if (start.startsWith(JPEG)) return 'image/jpeg'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return /^RIFF.{4}WEBP/s.test(start) ? 'image/webp' : undefined
}
