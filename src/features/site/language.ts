// Which language a visitor reads: the one chosen by `?lang=`, else the first of `Accept-Language` that the site has.
import type { Request } from 'express'
import { createLocale, type Locale } from './components/locale.ts'
import { LANGUAGES, type Language, TEXTS } from './texts/index.ts'

const localesOf = (isChosen: boolean) =>
  new Map<string | null, Locale>(
    LANGUAGES.map((language) => [language, createLocale({ language, isChosen, texts: TEXTS[language] })]),
  )

/** @returns the locale of a request, by its `?lang=` */
export function createLocaleOf() {
  const chosenLocales = localesOf(true)
  const acceptedLocales = localesOf(false)
  return (req: Request, chosen: string | null): Locale =>
    chosenLocales.get(chosen) ?? (acceptedLocales.get(accepted(req.headers['accept-language'])) as Locale)
}

/** RFC 9110 §12.5.4, by weight; a region (`de-AT`) counts as its language. */
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
