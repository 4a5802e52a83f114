// The field of a description in Markdown.
import type { RefusedForm } from '../fields.ts'
import { previewedField } from '../previewed-field.ts'
import type { OwnerLocale } from './frame.ts'

interface DescriptionProps {
  value?: string
  refused?: RefusedForm | undefined
  /** The typed description as HTML, after the preview button was pressed. */
  preview: string | undefined
}

export function descriptionField(locale: OwnerLocale, props: DescriptionProps) {
  const { description: label, descriptionHint: hint, preview: button } = locale.t.owner.add
  return previewedField(locale, { name: 'description', label, hint, button, ...props, maxlength: 2000, rows: 8 })
}
