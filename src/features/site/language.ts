// Which language a visitor reads: the one chosen by `?lang=`, else the first of `Accept-Language` that the site has.
import type { Request } from 'express'
import { createLocale, type Locale } from './components/locale.ts'
import { LANGUAGES, type Language, TEXTS } from './texts/index.ts'

const localesOf = (siteName: string, { isChosen }: { isChosen: boolean }) =>
  new Map<string | null, Locale>(
    LANGUAGES.map((language) => {
      const texts = TEXTS[language]
      const common = { ...texts.common, product: siteName }
      return [language, createLocale({ language, isChosen, texts: { ...texts, common } })]
    }),
  )

const localesFor = (siteName: string) => ({
  siteName,
  chosen: localesOf(siteName, { isChosen: true }),
  accepted: localesOf(siteName, { isChosen: false }),
})

/** @param siteName returns the current name @returns a function from a request and its `?lang=` to its locale */
export function createLocaleOf(siteName: () => string) {
  let locales = localesFor(siteName())
  return (req: Request, chosen: string | null): Locale => {
    if (locales.siteName !== siteName()) locales = localesFor(siteName())
    return locales.chosen.get(chosen) ?? (locales.accepted.get(accepted(req.headers['accept-language'])) as Locale)
  }
}

/** The best language of `Accept-Language` by weight (RFC 9110 §12.5.4); a region (`de-AT`) counts as its language. */
function accepted(header = ''): Language {
  const wanted = header
    .slice(0, 200)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const weight = /q=([\d.]+)/.exec(parameters.join(';'))?.[1]
      return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  const known = wanted.map(({ language }) => LANGUAGES.find((one) => one === language))
  return known.find((language) => language !== undefined) ?? 'en'
}
