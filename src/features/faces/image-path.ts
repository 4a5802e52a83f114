// The addresses of pictures.
import { iconPath, type StoredProfile } from '../profiles/index.ts'

/** Pictures are served below it: `/images/{hash}.webp`, and `/images/{hash}-64.webp` for a logo of 64 × 64 pixels. */
export const IMAGES_FOLDER = '/images'

export const imagePath = (hash: string): string => `${IMAGES_FOLDER}/${hash}.webp`

export const smallLogoPath = (hash: string): string => `${IMAGES_FOLDER}/${hash}-64.webp`

interface Pictured {
  logoHash: string | null
  profile: StoredProfile | null
}

/** The icon of the game server replaces a missing logo. @param baseUrl of the service */
export function logoUrl({ logoHash, profile }: Pictured, baseUrl: string): string | null {
  if (logoHash !== null) return baseUrl + imagePath(logoHash)
  return profile?.icon ? baseUrl + iconPath(profile.icon) : null
}

export const bannerImageUrl = (bannerHash: string | null, baseUrl: string): string | null =>
  bannerHash === null ? null : baseUrl + imagePath(bannerHash)
