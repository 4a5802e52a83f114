// The field of a description in Markdown, with a preview.
import { area, type RefusedForm } from '../fields.ts'
import { html } from '../html.ts'
import { markdown } from '../parts.ts'
import type { OwnerLocale } from './frame.ts'

interface DescriptionProps {
  value?: string
  refused?: RefusedForm | undefined
  /** HTML of what was typed, after a press of the button. */
  preview: string | undefined
}

/** The button sends the form, which shows it again with the preview; browser/preview.ts does so without loading the page. */
export function descriptionField(locale: OwnerLocale, { preview, ...field }: DescriptionProps) {
  const { add } = locale.t.owner
  // The key Enter presses the first button of a form, which must not be that of the preview.
  return html`
    ${area({ name: 'description', label: add.description, hint: add.descriptionHint, ...field, maxlength: 2000, rows: 8 })}
    <button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true">${locale.t.forms.save}</button>
    <div><button type="submit" class="quiet-button" name="preview" value="true">${add.preview}</button></div>
    <div id="preview" aria-live="polite">${preview !== undefined && html`<div class="preview-of">${markdown(preview)}</div>`}</div>
  `
}
