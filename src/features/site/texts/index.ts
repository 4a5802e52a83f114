// The texts of the site by language. English is complete; a missing key in another language fails the type check.
import * as de from './de/index.ts'
import * as en from './en/index.ts'

export type Language = 'en' | 'de'
export type Texts = typeof en

export const TEXTS: Record<Language, Texts> = { en, de }
export const LANGUAGES = Object.keys(TEXTS) as Language[]
