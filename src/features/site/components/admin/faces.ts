// What administrators and moderators do with the pictures of a server: remove and lock them, and let the
// owner set them again.
import { buttonForm, hiddenFields } from '../fields.ts'
import { html } from '../html.ts'
import type { Schemas } from '../types.ts'
import type { AdminLocale, AdminPage } from './frame.ts'

const KINDS = ['logo', 'banner', 'icon'] as const

/** The controls of pictures that are displayed or locked; nothing for others. */
export const faceControls = (
  locale: AdminLocale,
  { id, shownFaces, lockedFaces, facesLockedByAdmin }: Schemas['AdminServer'],
  { isAdmin }: AdminPage,
) => {
  const { faces: t } = locale.t.admin
  return KINDS.map((kind) => {
    const fields = { id, kind }
    if (!isAdmin && facesLockedByAdmin.includes(kind)) return html`<p class="quiet">${t.lockedByAdmin[kind]}</p>`
    if (lockedFaces.includes(kind))
      return buttonForm({ fields: { ...fields, action: 'unlockFace' }, label: t.unlock[kind] })
    if (!shownFaces.includes(kind)) return null
    return html`
      <details>
        <summary>${t.lock[kind]}</summary>
        <form method="post" class="row">
          ${hiddenFields({ ...fields, action: 'lockFace' })}
          <label class="grow">${t.reason} <input name="reason" maxlength="200" autocomplete="off" /></label>
          <button class="danger-button">${t.lock[kind]}</button>
        </form>
      </details>
    `
  })
}
