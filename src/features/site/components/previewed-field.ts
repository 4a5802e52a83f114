// A field of Markdown with a preview.
import { area, type FieldProps } from './fields.ts'
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { markdown } from './parts.ts'

interface PreviewedProps extends FieldProps {
  /** The button's label. */
  button: string
  /** The typed text as HTML, after the button was pressed. */
  preview: string | undefined
}

/**
 * The button sends the form, and the page shows it again with the preview; browser/preview.ts does so
 * without a page load.
 */
export function previewedField(locale: Locale<'forms'>, { button, preview, ...field }: PreviewedProps) {
  // The Enter key presses the first button of a form, so a hidden save button comes before that of the preview.
  return html`
    ${area(field)}
    <button type="submit" class="visually-hidden" tabindex="-1" aria-hidden="true">${locale.t.forms.save}</button>
    <div><button type="submit" class="quiet-button" name="preview" value="true">${button}</button></div>
    <div id="preview" aria-live="polite">${preview !== undefined && html`<div class="preview-of">${markdown(preview)}</div>`}</div>
  `
}
