// Which language a visitor reads: the one chosen by `?lang=`, else the first of `Accept-Language` that the site has.
import type { Request } from 'express'
import { LANGUAGES, type Language } from './texts/index.ts'

export interface VisitorLanguage {
  language: Language
  isChosen: boolean
}

export function languageOf(req: Pick<Request, 'headers'>, chosen: string | null): VisitorLanguage {
  const known = LANGUAGES.find((language) => language === chosen)
  return known
    ? { language: known, isChosen: true }
    : { language: accepted(req.headers['accept-language']), isChosen: false }
}

/** RFC 9110 §12.5.4, by weight; a region (`de-AT`) counts as its language. */
function accepted(header = ''): Language {
  const wanted = header
    .slice(0, 200)
    .split(',')
    .map((range, order) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const weight = /q=([\d.]+)/.exec(parameters.join(';'))?.[1]
      return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight), order }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.order - b.order)
  for (const { language } of wanted) {
    const known = LANGUAGES.find((one) => one === language)
    if (known) return known
  }
  return 'en'
}
