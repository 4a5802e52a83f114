// A field of Markdown with a preview.
import { area, type FieldProps } from './fields.ts'
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { markdown } from './parts.ts'

interface PreviewedProps extends FieldProps {
  /** Of the button. */
  button: string
  /** HTML of what was typed, after a press of the button. */
  preview: string | undefined
}

/** The button sends the form, which shows it again with the preview; browser/preview.ts does so without loading the page. */
export function previewedField(locale: Locale<'forms'>, { button, preview, ...field }: PreviewedProps) {
  // The key Enter presses the first button of a form, which must not be that of the preview.
  return html`
    ${area(field)}
    <button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true">${locale.t.forms.save}</button>
    <div><button type="submit" class="quiet-button" name="preview" value="true">${button}</button></div>
    <div id="preview" aria-live="polite">${preview !== undefined && html`<div class="preview-of">${markdown(preview)}</div>`}</div>
  `
}
