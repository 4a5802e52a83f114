// What a game server says about itself, and how a poll changes what is known of it.
import { createHash } from 'node:crypto'

/** The texts of a profile. Their bounds are those of the listing's fields; the worker makes them safe. */
export interface ProfileTexts {
  /** Only for a server whose owner takes the name from it. */
  name?: string
  /** Message of the day, with formatting codes. */
  motd?: string
  gameMode?: string
  /** Comma-separated. */
  mods?: string
  description?: string
  website?: string
  bannerUrl?: string
}

/** Fields of a listing that its game server can fill in where the owner left them empty. */
export const PROFILE_FIELDS = ['description', 'website', 'bannerUrl', 'gameMode', 'mods'] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]

/** @returns the fields that are empty in a listing and reported by its game server */
export const selfReportedFields = (
  listing: Readonly<Record<ProfileField, string>>,
  profile: StoredProfile | null,
): ProfileField[] => PROFILE_FIELDS.filter((field) => listing[field] === '' && profile?.[field])

/** What one poll found: a missing field was not asked for and stays as it is; an empty one is no longer reported. */
export interface ReportedProfile extends ProfileTexts {
  /** A PNG image that the worker encoded; null: the server has none. */
  icon?: Buffer | null
}

/** What is stored of a server: only fields that it reports. */
export interface StoredProfile extends ProfileTexts {
  /** Hash of the icon, as `hashIcon` returns it. */
  icon?: string
}

/** A profile to store, with its icon's bytes if the icon is new. */
export interface ChangedProfile {
  profile: StoredProfile
  icon?: { hash: string; png: Buffer }
}

/** @returns the profile after a poll; undefined if the poll changed nothing */
export function changedProfile(stored: StoredProfile | null, reported: ReportedProfile): ChangedProfile | undefined {
  const { icon: png, ...texts } = reported
  const before = stored ?? {}
  const changed = (Object.keys(texts) as (keyof ProfileTexts)[]).filter(
    (field) => (texts[field] ?? '') !== (before[field] ?? ''),
  )
  const hash = png ? hashIcon(png) : undefined
  const isNewIcon = png !== undefined && hash !== before.icon
  if (!changed.length && !isNewIcon) return undefined
  const profile = { ...before, ...texts, ...(isNewIcon && { icon: hash }) }
  return {
    profile: Object.fromEntries(Object.entries(profile).filter(([, value]) => value)),
    ...(isNewIcon && png && hash && { icon: { hash, png } }),
  }
}

/** Workers keep an icon that did not change as one buffer, so each is hashed once. */
const hashes = new WeakMap<Buffer, string>()

/** SHA-256, base64url: the icon's address is the hash of what it serves. */
function hashIcon(png: Buffer): string {
  let hash = hashes.get(png)
  if (hash === undefined) {
    hash = createHash('sha256').update(png).digest('base64url')
    hashes.set(png, hash)
  }
  return hash
}
