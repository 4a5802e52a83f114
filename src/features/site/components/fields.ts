// Fields of forms with the API's messages about them, and buttons.
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
  /** Whether the message is a sentence of its own, without the field's name. */
  isSentence?: boolean
}

const detailsOf = (refused: RefusedForm | undefined) => (refused?.fields.details ?? []) as Problem[]
const fieldOf = ({ path }: Problem) => path.split('.')[1] ?? path
const said = ({ message, isTranslated }: Problem): Content => (isTranslated ? message : inEnglish(message))

/** The message at a field, after its label; undefined if nothing is wrong with it. */
export function problemAt(refused: RefusedForm | undefined, name: string, label: string): Content | undefined {
  const problem = detailsOf(refused).findLast((one) => fieldOf(one) === name)
  if (!problem) return undefined
  labels.set(problem, label)
  return problem.isSentence ? said(problem) : withLabel(label, problem)
}

/** The labels of fields with a problem, for the notice above the form. */
const labels = new WeakMap<Problem, string>()

const withLabel = (label: string, problem: Problem): Content => [label, label.endsWith('?') ? ' ' : ': ', said(problem)]

/** The refusal, if it is of the form with this `action`: a page may have several forms. */
export const refusedOf = (refused: RefusedForm | undefined, action: string): RefusedForm | undefined =>
  refused?.form.action === action ? refused : undefined

/**
 * A refusal about one field, with the message at this field.
 * @param message in the language of the page
 */
export const refusedAt = (refused: RefusedForm, name: string, message: string): RefusedForm => ({
  ...refused,
  fields: { details: [{ path: name, message, isTranslated: true, isSentence: true }] satisfies Problem[] },
})

/** The same for a wrong code or password: its field is emptied. */
export const secretRefused = (refused: RefusedForm | undefined, name: string, message: string) =>
  refused?.code === 'invalid_credentials'
    ? refusedAt({ ...refused, form: { ...refused.form, [name]: '' } }, name, message)
    : refused

/** Makes a form keep what was typed when it is displayed again, without a refusal. */
export const withoutProblems = (form: Record<string, string>): RefusedForm => ({
  code: '',
  message: '',
  fields: {},
  form,
})

/** The text for an error code; undefined if the API's message says more. */
export function codeText({ t }: Locale<'forms'>, code: string): string | undefined {
  const { accountCodes, forms } = t as Pick<Texts, 'forms'> & Partial<Texts>
  const texts: Record<string, string> = { ...accountCodes, ...forms.codes, ...forms.otherCodes }
  return texts[code]
}

/** The names of the fields of a request. Only pages of owners send them to the browser. */
export const namesOfFields = ({ t }: Locale<never>): Readonly<Record<string, string>> =>
  (t as Partial<Texts>).fieldNames ?? {}

/** The notice that says why a form was refused. */
export function refusal(locale: Locale<'forms'>, refused: RefusedForm | undefined): Content {
  if (!refused) return null
  const problems = detailsOf(refused).filter(({ isSentence }) => !isSentence)
  if (problems.length === 0) {
    const [sentence] = detailsOf(refused)
    const text = sentence ? said(sentence) : (codeText(locale, refused.code) ?? inEnglish(refused.message))
    return notice('bad', text)
  }
  return html`<${ProblemList} locale=${locale} problems=${problems} />`
}

/**
 * A component, because components are rendered once the whole page is built: by then, the labels of
 * all fields are known.
 */
function ProblemList({ locale, problems }: { locale: Locale<'forms'>; problems: readonly Problem[] }) {
  const names = namesOfFields(locale)
  const byField = new Map(problems.map((problem) => [fieldOf(problem), problem]))
  const list = [...byField].flatMap(([name, problem]) => {
    const label = labels.get(problem) ?? names[name] // of a field that the page does not have
    return label ? [' ', withLabel(label, problem), '.'] : []
  })
  return notice('bad', [locale.t.forms.check, ...list])
}

export interface FieldProps {
  name: string
  label: string
  hint?: Content
  value?: string | number | null | undefined
  refused?: RefusedForm | undefined
  /** The element's id; default: the field's name. */
  id?: string
  [attribute: string]: unknown
}

/** A field with its label, hint and problem. @param control gets the attributes and the value: typed, or else stored */
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

/** A text field. It has a default value, so that pages that render again keep what the visitor types. */
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

/**
 * Template tag for a form that posts to its page.
 * @param hidden fields that are not displayed
 * @param wait text while sending
 */
export const form =
  (submit: Content, hidden: Record<string, string> = {}, wait?: string): typeof html =>
  (...fields) =>
    html`
      <form method="post" class="form" data-wait=${wait ?? null}>
        ${hiddenFields(hidden)}${html(...fields)}
        <div><button type="submit">${submit}</button></div>
      </form>
    `

/** A form that is only a button. */
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
