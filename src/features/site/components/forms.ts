// Shared by pages with several forms: confirmations, checkboxes, buttons that ask first, and texts to copy.
import { hiddenFields, type Options, problemAt, type RefusedForm, withoutProblems } from './fields.ts'
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'
import { notice } from './parts.ts'

/** Fills a form with what was typed before a login or a confirmation, if anything was. */
export const typedBefore = (typed: Record<string, string>): RefusedForm | undefined =>
  Object.keys(typed).length > 0 ? withoutProblems(typed) : undefined

export const savedNotice = (locale: Locale<'forms'>, isSaved: unknown) =>
  notice('good', isSaved ? locale.t.forms.saved : null)

/** Checkboxes that share a name. */
export function checkboxes(props: {
  name: string
  label: string
  refused?: RefusedForm | undefined
  chosen: readonly string[]
  options: Options
  /** Whether a heading above has the same text as the legend. */
  isHeaded?: boolean
}) {
  const { name, label, refused, chosen, options, isHeaded } = props
  const problem = problemAt(refused, name, label)
  const now = refused ? (refused.form[name] ?? '').split(',') : chosen
  return html`
    <fieldset class="checks" aria-describedby=${problem ? `${name}-problem` : null}>
      <legend class=${isHeaded ? 'visually-hidden' : null}>${label}</legend>
      ${options.map(
        ([value, text]) =>
          html`<label class="checkbox"><input type="checkbox" name=${name} value=${value} defaultChecked=${now.includes(value)} /> ${text}</label>`,
      )}
      ${problem && html`<p class="problem" id=${`${name}-problem`}>${problem}</p>`}
    </fieldset>
  `
}

/** A checkbox that must be ticked. */
export function consent(props: { name: string; label: string; refused: RefusedForm | undefined }) {
  const { name, label, refused } = props
  const problem = problemAt(refused, name, label)
  const attributes = { 'aria-describedby': problem ? `${name}-problem` : null, 'aria-invalid': problem ? 'true' : null }
  return html`
    <div class="field">
      <label class="checkbox"><input type="checkbox" name=${name} value="yes" required ...${attributes} /> ${label}</label>
      ${problem && html`<p class="problem" id=${`${name}-problem`}>${problem}</p>`}
    </div>
  `
}

/** A button that takes two clicks, also without scripts. */
export const confirmButton = (props: {
  fields: Record<string, string>
  label: string
  warning: string
  confirm: string
  /** Further fields of the confirmation. */
  asks?: Content
  /** Whether the confirmation is open without the first click: after a refusal. */
  isOpen?: boolean
}) => html`
  <details class="careful" open=${props.isOpen}>
    <summary class="danger-button">${props.label}</summary>
    <form method="post" class="stack">
      <p>${props.warning}</p>
      ${hiddenFields(props.fields)}${props.asks}
      <div><button type="submit" class="danger-button">${props.confirm}</button></div>
    </form>
  </details>
`

/** A text of several lines to copy. The script that makes the button work displays it. */
export const copyBlock = (locale: Locale<never>, text: string) => html`
  <div class="copy-block">
    <pre tabindex="0"><code>${text}</code></pre>
    <button class="quiet-button" type="button" data-copy=${text}><span class="copy-word">${locale.t.common.copy}</span></button>
  </div>
`

/** A secret that has just been made. */
export const shownOnce = (locale: Locale<never>, title: string, secret: string, more?: Content) => html`
  <div class="notice is-good stack" role="status"><p><b>${title}</b></p>${copyBlock(locale, secret)}${more}</div>
`
