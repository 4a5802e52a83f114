// Fields of a form, with what the API refuses of them, and buttons.
import type { Texts } from '../texts/index.ts'
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'
import { inEnglish, notice } from './parts.ts'

/** A form that the API refused. */
export interface RefusedForm {
  code: string
  message: string
  fields: Record<string, unknown>
  form: Record<string, string>
}

/** What is wrong with a field. */
export interface Problem {
  path: string
  message: string
  /** Whether the message is in the language of the page. */
  isTranslated?: boolean
  /** Whether the message reads alone, without the name of the field. */
  isSentence?: boolean
}

const detailsOf = (refused: RefusedForm | undefined) => (refused?.fields.details ?? []) as Problem[]
const fieldOf = ({ path }: Problem) => path.split('.')[1] ?? path
const said = ({ message, isTranslated }: Problem): Content => (isTranslated ? message : inEnglish(message))

/** What is said at a field, after its label; undefined if nothing is wrong with it. */
export function problemAt(refused: RefusedForm | undefined, name: string, label: string): Content | undefined {
  const problem = detailsOf(refused).findLast((one) => fieldOf(one) === name)
  return problem && (problem.isSentence ? said(problem) : [label, label.endsWith('?') ? ' ' : ': ', said(problem)])
}

/** What was refused of one of several forms on a page, which differ in `action`. */
export const refusedOf = (refused: RefusedForm | undefined, action: string): RefusedForm | undefined =>
  refused?.form.action === action ? refused : undefined

/**
 * A refusal that is about one field, said there.
 * @param message in the language of the page
 */
export const refusedAt = (refused: RefusedForm, name: string, message: string): RefusedForm => ({
  ...refused,
  fields: { details: [{ path: name, message, isTranslated: true, isSentence: true }] satisfies Problem[] },
})

/** The same for a code or password, which is typed again. */
export const secretRefused = (refused: RefusedForm | undefined, name: string, message: string) =>
  refused?.code === 'invalid_credentials'
    ? refusedAt({ ...refused, form: { ...refused.form, [name]: '' } }, name, message)
    : refused

/** Of a form that is shown again with what was typed. */
export const withoutProblems = (form: Record<string, string>): RefusedForm => ({
  code: '',
  message: '',
  fields: {},
  form,
})

/** What a code means; undefined if the API's message says more. */
export const codeText = ({ t: { forms } }: Locale<'forms'>, code: string): string | undefined =>
  forms.codes[code as keyof typeof forms.codes] ?? forms.otherCodes[code]

/** What the fields of a request are called. Only pages of accounts, owners and administrators bring the names of all to the browser. */
export function namesOfFields({ t }: Locale<'forms'>): Readonly<Record<string, string>> {
  const { fieldNames } = t as Partial<Texts>
  return { ...fieldNames, ...t.forms.names }
}

/** Why a form was refused. */
export function refusal(locale: Locale<'forms'>, refused: RefusedForm | undefined): Content {
  if (!refused) return null
  const { forms } = locale.t
  const problems = detailsOf(refused).filter(({ isSentence }) => !isSentence)
  if (problems.length === 0) {
    const [sentence] = detailsOf(refused)
    const text = sentence ? said(sentence) : (codeText(locale, refused.code) ?? inEnglish(refused.message))
    return notice('bad', text)
  }
  const names = namesOfFields(locale)
  const byField = new Map(problems.map((problem) => [fieldOf(problem), problem]))
  // A problem without a name says nothing here: it is at its field.
  const named = [...byField].filter(([name]) => names[name])
  const list = named.map(([name, problem]) => [` ${names[name]}: `, said(problem), '.'])
  return notice('bad', [forms.check, ...list])
}

export interface FieldProps {
  name: string
  label: string
  hint?: Content
  value?: string | number | null | undefined
  refused?: RefusedForm | undefined
  /** Of the element; default: the name. */
  id?: string
  [attribute: string]: unknown
}

/** The label, hint and problem around a field. @param control gets its attributes, and what was typed or else is stored */
function labeled(
  { name, label, hint, value, refused, id = name, ...others }: FieldProps,
  control: (attributes: Record<string, unknown>, value: string) => Content,
) {
  const problem = problemAt(refused, name, label)
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || null
  const attributes = { id, name, 'aria-describedby': described, 'aria-invalid': problem && 'true', ...others }
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${control(attributes, String(refused?.form[name] ?? value ?? ''))}
      ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
      ${problem && html`<p class="problem" id=${`${id}-problem`}>${problem}</p>`}
    </div>
  `
}

/** A default value, so that pages that render again keep what is being typed. */
export const field = (props: FieldProps) =>
  labeled(props, (attributes, value) => html`<input type="text" ...${attributes} defaultValue=${value} />`)

export const area = (props: FieldProps) =>
  labeled(props, (attributes, value) => html`<textarea rows="4" ...${attributes}>${value}</textarea>`)

export type Options = readonly (readonly [value: string, name: string])[]

export const choice = ({ options, ...props }: FieldProps & { options: Options }) =>
  labeled(
    props,
    (attributes, chosen) => html`
      <select ...${attributes}>
        ${options.map(([value, name]) => html`<option value=${value} selected=${value === chosen}>${name}</option>`)}
      </select>
    `,
  )

/** Tags the fields of a form that posts to its page. @param hidden fields that are not shown @param wait said while it is sent */
export const form =
  (submit: Content, hidden: Record<string, string> = {}, wait?: string): typeof html =>
  (...fields) =>
    html`
      <form method="post" class="form" data-wait=${wait ?? null}>
        ${hiddenFields(hidden)}${html(...fields)}
        <div><button type="submit">${submit}</button></div>
      </form>
    `

/** A form of one button. */
export const buttonForm = (props: {
  fields: Record<string, string>
  label: Content
  look?: string
  wait?: string
  to?: string
}) => html`
  <form method="post" action=${props.to ?? null} data-wait=${props.wait ?? null}>
    ${hiddenFields(props.fields)}<button type="submit" class=${props.look ?? 'quiet-button'}>${props.label}</button>
  </form>
`

export const hiddenFields = (fields: Record<string, string | undefined>): Content =>
  Object.entries(fields).map(([name, value]) => value && html`<input type="hidden" name=${name} value=${value} />`)
