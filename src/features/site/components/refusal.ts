// Why a form was refused.
import { problemsOf, type RefusedForm } from './fields.ts'
import type { Content } from './html.ts'
import type { Locale } from './locale.ts'
import { inEnglish, notice } from './parts.ts'

/** What was refused of one of several forms on a page, which differ in `action`. */
export const refusedOf = (refused: RefusedForm | undefined, action: string): RefusedForm | undefined =>
  refused?.form.action === action ? refused : undefined

/** Why a form was refused. The API's messages are English. */
export function refusal(locale: Locale<'forms'>, refused: RefusedForm | undefined): Content {
  if (!refused) return null
  const { forms } = locale.t
  const problems = Object.entries(problemsOf(refused))
  const known: string | undefined = forms.codes[refused.code as keyof typeof forms.codes]
  const text =
    problems.length > 0 ? problems.map(([name, message]) => `${name}: ${message}.`).join(' ') : refused.message
  return notice(
    'bad',
    problems.length === 0 && known ? known : [problems.length > 0 && `${forms.check} `, inEnglish(text)],
  )
}
