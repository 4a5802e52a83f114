// The logo and the banner of an owner's server: the pictures, the state of the last upload, and the
// forms to change them.
import { hiddenFields, problemAt, type RefusedForm, refusal, refusedOf } from '../fields.ts'
import { confirmButton } from '../forms.ts'
import { html } from '../html.ts'
import { card, inEnglish, notice } from '../parts.ts'
import { pictureInput } from '../picture-input.ts'
import type { Schemas } from '../types.ts'
import type { OwnerLocale } from './frame.ts'

const KINDS = { logo: { width: 64, height: 64 }, banner: { width: 320, height: 80 } } as const
type Kind = keyof typeof KINDS

interface FacesData {
  faces: Schemas['ServerFaces']
  refused: RefusedForm | undefined
  /** Maximum size of a picture. */
  maxBytes: number
}

export const facesCard = (locale: OwnerLocale, data: FacesData) => {
  const { faces: texts } = locale.t.owner
  const { icon } = data.faces
  return card(texts.title)`
    <p class="hint">${texts.lead}</p>
    ${icon.isLocked && notice('bad', [texts.iconLocked, said(icon.reason)])}
    ${(Object.keys(KINDS) as Kind[]).map((kind) => faceForm(locale, kind, data))}
  `
}

const said = (reason: string | null) => reason && [' ', inEnglish(reason), '.']

function faceForm(locale: OwnerLocale, kind: Kind, { faces, refused, maxBytes }: FacesData) {
  const face = faces[kind]
  const { faces: texts } = locale.t.owner
  const ofThis = refused?.form.face === kind ? refused : undefined
  const ofUpload = refusedOf(ofThis, 'upload')
  const problem = problemAt(ofUpload, kind, texts.choose[kind])
  const marked = { 'aria-describedby': problem ? `${kind}-problem` : null, 'aria-invalid': problem ? 'true' : null }
  const reason = said(face.reason)
  return html`
    <section class="stack" aria-label=${texts[kind]}>
      <h3>${texts[kind]}</h3>
      ${face.url && html`<img class="face-preview" src=${new URL(face.url).pathname} ...${KINDS[kind]} alt="" />`}
      ${face.isLocked && notice('bad', [texts.locked, reason])}
      ${face.state === 'pending' && notice('warn', texts.pending)}
      ${face.state === 'refused' && notice('bad', [texts.refused, reason])}
      ${refusal(locale, ofUpload)}
      ${
        !face.isLocked &&
        html`
          <form method="post" enctype="multipart/form-data" class="row" data-wait=${texts.sending}>
            ${hiddenFields({ face: kind, action: 'upload' })}
            <label class="grow">${texts.choose[kind]} ${pictureInput({ maxBytes, tooLarge: texts.tooLarge }, marked)}</label>
            <button type="submit">${texts.upload}</button>
          </form>
          ${problem && html`<p class="problem" id=${`${kind}-problem`}>${problem}</p>`}
          ${
            (face.url || face.state === 'pending') &&
            confirmButton({
              fields: { face: kind, action: 'remove' },
              label: texts.remove,
              warning: texts.removeWarning,
              confirm: texts.remove,
            })
          }
        `
      }
    </section>
  `
}
