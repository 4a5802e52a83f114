// Parts of forms: fields with what the API refuses of them, notices, tabs.
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'

/** A form that the API refused. */
export interface RefusedForm {
  code: string
  message: string
  fields: Record<string, unknown>
  form: Record<string, string>
}

type Forms = Locale<'forms'>

/** What was refused of one of several forms on a page, which differ in `action`. */
export const refusedOf = (refused: RefusedForm | undefined, action: string): RefusedForm | undefined =>
  refused?.form.action === action ? refused : undefined

/** Messages by field. */
export function problemsOf(refused: RefusedForm | undefined): Record<string, string> {
  const details = (refused?.fields.details ?? []) as { path: string; message: string }[]
  return Object.fromEntries(details.map(({ path, message }) => [path.split('.')[1] ?? path, message]))
}

/** Why a form was refused. */
export function refusal(locale: Forms, refused: RefusedForm | undefined): Content {
  if (!refused) return null
  const { forms } = locale.t
  const problems = Object.entries(problemsOf(refused))
  const known: string | undefined = forms.codes[refused.code as keyof typeof forms.codes]
  const text =
    problems.length > 0
      ? `${forms.check} ${problems.map(([name, message]) => `${name}: ${message}.`).join(' ')}`
      : (known ?? refused.message)
  return html`<p class="notice is-bad" role="alert">${text}</p>`
}

export const saved = (locale: Forms, isSaved: unknown): Content =>
  isSaved ? html`<p class="notice is-good" role="status">${locale.t.forms.saved}</p>` : null

interface FieldProps {
  name: string
  label: string
  hint?: Content
  value?: string | number | null | undefined
  refused?: RefusedForm | undefined
  /** Of the element; default: the name. */
  id?: string
  [attribute: string]: unknown
}

/** The label, hint and problem around a field. @param control gets the attributes that tie them together */
function around(
  { name, label, hint, refused, id = name }: FieldProps,
  control: (attributes: Record<string, unknown>) => Content,
) {
  const problem = problemsOf(refused)[name]
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${control({ id, name, 'aria-describedby': described || null, 'aria-invalid': problem ? 'true' : null })}
      ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
      ${problem && html`<p class="problem" id=${`${id}-problem`}>${label}: ${problem}</p>`}
    </div>
  `
}

/** What was typed, else what is stored. */
const shownIn = ({ name, value, refused }: FieldProps) => refused?.form[name] ?? value ?? ''

export function field(props: FieldProps) {
  const { name: _name, label: _label, hint: _hint, value: _value, refused: _refused, id: _id, ...attributes } = props
  return around(props, (tied) => html`<input type="text" value=${shownIn(props)} ...${tied} ...${attributes} />`)
}

export function area(props: FieldProps) {
  const { name: _name, label: _label, hint: _hint, value: _value, refused: _refused, id: _id, ...attributes } = props
  return around(
    props,
    (tied) => html`<textarea rows="4" ...${tied} ...${attributes} value=${shownIn(props)}></textarea>`,
  )
}

export function choice(props: FieldProps & { options: readonly (readonly [value: string, name: string])[] }) {
  const chosen = String(shownIn(props))
  return around(
    props,
    (tied) => html`
      <select ...${tied}>
        ${props.options.map(([value, name]) => html`<option value=${value} selected=${value === chosen}>${name}</option>`)}
      </select>
    `,
  )
}

/** Checkboxes of one name. */
export function checks({
  name,
  label,
  refused,
  chosen,
  options,
  isHeaded,
}: {
  name: string
  label: string
  refused?: RefusedForm | undefined
  chosen: readonly string[]
  options: readonly (readonly [value: string, name: string])[]
  /** Whether a heading above says the same. */
  isHeaded?: boolean
}) {
  const problem = problemsOf(refused)[name]
  const now = refused ? (refused.form[name] ?? '').split(',') : chosen
  return html`
    <fieldset class="checks">
      <legend class=${isHeaded ? 'visually-hidden' : null}>${label}</legend>
      ${options.map(
        ([value, text]) =>
          html`<label class="checkbox"><input type="checkbox" name=${name} value=${value} checked=${now.includes(value)} /> ${text}</label>`,
      )}
      ${problem && html`<p class="problem">${label}: ${problem}</p>`}
    </fieldset>
  `
}

/** A form of one button. */
export const buttonForm = ({
  fields,
  label,
  look = 'quiet-button',
}: {
  fields: Record<string, string>
  label: Content
  look?: string
}) =>
  html`<form method="post" class="inline">${hiddenFields(fields)}<button type="submit" class=${look}>${label}</button></form>`

export const hiddenFields = (fields: Record<string, string>): Content =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)

/** A button that takes two clicks, without scripts too. */
export const careful = (props: {
  fields: Record<string, string>
  label: string
  warning: string
  confirm: string
}) => html`
  <details class="careful">
    <summary class="danger-button">${props.label}</summary>
    <div class="stack">
      <p>${props.warning}</p>
      ${buttonForm({ fields: props.fields, label: props.confirm, look: 'danger-button' })}
    </div>
  </details>
`

export const tabs = (
  locale: Locale<never>,
  label: string,
  links: readonly { href: string; name: string; isHere: boolean }[],
) => html`
  <nav class="tabs" aria-label=${label}>
    ${links.map(({ href, name, isHere }) => html`<a href=${locale.href(href)} aria-current=${isHere ? 'page' : null}>${name}</a>`)}
  </nav>
`

/** Previous and next page of a list. @param href of a page */
export function pager(
  locale: Forms,
  { page, totalPages }: { page: number; totalPages: number },
  href: (page: string | undefined) => string,
): Content {
  const { forms } = locale.t
  if (totalPages < 2) return null
  return html`
    <nav class="pages" aria-label=${forms.pages}>
      ${page > 1 && html`<a rel="prev" href=${href(page > 2 ? String(page - 1) : undefined)}>${forms.previous}</a>`}
      <span>${locale.number(page)} / ${locale.number(totalPages)}</span>
      ${page < totalPages && html`<a rel="next" href=${href(String(page + 1))}>${forms.next}</a>`}
    </nav>
  `
}

/** A text to copy, over several lines. The button is shown by the script that makes it work. */
export const copyBlock = (locale: Locale<never>, text: string) => html`
  <div class="copy-block">
    <pre tabindex="0"><code>${text}</code></pre>
    <button class="quiet-button" type="button" data-copy=${text}><span class="copy-word">${locale.t.common.copy}</span></button>
  </div>
`
