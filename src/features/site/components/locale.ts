// The language of a page: its texts, its formats and its addresses, for the server and the browser.
import type { Language, Texts } from '../texts/index.ts'

/** A text that depends on a number; `Intl.PluralRules` selects the form. */
export interface Plural {
  one: string
  other: string
}

export type Locale<Part extends keyof Texts = keyof Texts> = ReturnType<typeof createLocale<Part>>

export interface LocaleOptions {
  language: Language
  texts: Partial<Texts>
  /** Whether the visitor chose the language by `?lang=`: then links keep it. */
  isChosen: boolean
}

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Hebrew, Arabic and their neighbours, and characters that set a direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Isolates a right-to-left name (U+2068, U+2069), so that it does not change the direction of the sentence around it.
 */
const isolated = (name: string) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name.replace(DIRECTIONS, '')}\u2069` : name)

/** The text for a number that is null. */
const UNKNOWN = '–'

export function createLocale<Part extends keyof Texts>({ language, texts, isChosen }: LocaleOptions) {
  const number = new Intl.NumberFormat(language)
  // Grouped, because some languages shorten only millions: `2.564`.
  const short = new Intl.NumberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
    useGrouping: 'always',
  })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(language)
  const thisSecond = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
  const plural = new Intl.PluralRules(language)
  const places = new Intl.DisplayNames(language, { type: 'region' })
  // `Intl.DisplayNames` of Chromium knows no continents.
  const continents = new Map(Object.entries(texts.common?.continents ?? {}))
  /** The texts of the parts that the page declares. */
  const t: Pick<Texts, Part | 'common'> = texts as Texts
  return {
    language,
    isChosen,
    t,
    /** Fills `{name}` in a text; `n` chooses the plural and is formatted. */
    say(text: string | Plural, values: Record<string, string | number> = {}): string {
      const chosen = typeof text === 'string' ? text : text[plural.select(Number(values.n)) === 'one' ? 'one' : 'other']
      return chosen.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[name] ?? ''
        return typeof value === 'number' ? number.format(value) : isolated(value)
      })
    },
    number: (value: number | null) => (value === null ? UNKNOWN : number.format(value)),
    /** An amount with two decimals and without grouping, the format of input fields. */
    decimal: (value: number) =>
      value.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false }),
    /** @param currency ISO 4217 */
    money: (cents: number | null, currency: string) =>
      cents === null ? UNKNOWN : (cents / 100).toLocaleString(language, { style: 'currency', currency }),
    /** A shortened number: `12.3K`. */
    short: (value: number) => short.format(value),
    /** @param share 0 to 1; rounded down, so that only all is 100 % */
    percent: (share: number | null) => (share === null ? UNKNOWN : percent.format(Math.floor(share * 1000) / 1000)),
    /** @param instant ISO 8601 */
    date: (instant: string) => date.format(new Date(instant)),
    /** @param text `2026-10` */
    month: (text: string) => month.format(new Date(`${text}-01`)),
    time: (instant: string) => `${time.format(new Date(instant))} UTC`,
    /**
     * A time before or after `now` in words: `5 minutes ago`. Days are 24 hours, so never “tomorrow”, which is a date.
     * What lies ahead is rounded: 119 minutes are `in 2 hours`.
     * @param now epoch ms
     */
    relative(instant: string, now: number): string {
      const seconds = Math.round((Date.parse(instant) - now) / 1000)
      const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
      if (!step) return thisSecond
      const [unit, length] = step
      const units = seconds / length
      return relative.format(units > 0 ? Math.round(units) : Math.trunc(units), unit)
    },
    country: (code: string) => (/^[a-z]{2}$/i.test(code) && places.of(code.toUpperCase())) || code,
    /** @param name a continent, which is translated, or as the owner entered it */
    region: (name: string): string => continents.get(name) ?? name,
    /** An address of the site in this language. */
    href(path: string, query: Record<string, string | undefined> = {}): string {
      const given = Object.entries({ ...query, ...(isChosen ? { lang: language } : {}) })
      const search = new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value]] : [])))
      return search.size > 0 ? `${path}?${search}` : path
    },
  }
}
