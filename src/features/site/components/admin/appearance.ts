// The forms that change the site's appearance.
import { field, form, hiddenFields, type RefusedForm, refusedOf, withoutProblems } from '../fields.ts'
import { confirmButton } from '../forms.ts'
import { html } from '../html.ts'
import { card, inEnglish, notice } from '../parts.ts'
import { pictureInput } from '../picture-input.ts'
import { previewedField } from '../previewed-field.ts'
import type { Schemas } from '../types.ts'
import type { AdminLocale } from './frame.ts'

type Appearance = Schemas['Appearance']

interface AppearanceData {
  appearance: Appearance
  /** The product's name, which the site has if its administrators set none. */
  product: string
  refused: RefusedForm | undefined
  /** The form's values when the preview button was pressed. */
  previewed: Record<string, string> | undefined
  /** The introduction in these values as safe HTML. */
  preview: string | undefined
}

const ADDRESS = { type: 'url', maxlength: 500 }
/** The product's accent (css/base.css). */
const PRODUCT_ACCENT = '#0b62d6'

export function appearanceCard(
  locale: AdminLocale,
  { appearance, product, refused, previewed, preview }: AppearanceData,
) {
  const { forms, admin } = locale.t
  const t = admin.appearance
  const shown = previewed ? withoutProblems(previewed) : refusedOf(refused, 'save')
  const { name, accent, introduction, imprintUrl, privacyUrl, colors } = appearance
  const hasAccent = shown ? shown.form.hasAccent === 'true' : accent !== null
  const nameHint = locale.say(t.nameHint, { name: product })
  return card(admin.frame.areas.appearance)`
    ${form(forms.save, { action: 'save' })`
      ${field({ name: 'name', label: t.name, hint: nameHint, value: name, refused: shown, maxlength: 60 })}
      ${field({ name: 'accent', label: t.accent, hint: t.accentHint, value: accent ?? PRODUCT_ACCENT, refused: shown, type: 'color' })}
      <label class="checkbox"><input type="checkbox" name="hasAccent" value="true" defaultChecked=${hasAccent} /> ${t.hasAccent}</label>
      ${colors && html`<div class="row">${sample(locale, 'light', colors.light)}${sample(locale, 'dark', colors.dark)}</div>`}
      ${previewedField(locale, { name: 'introduction', label: t.introduction, hint: t.introductionHint, button: t.preview, value: introduction, refused: shown, preview, maxlength: 2000, rows: 6 })}
      ${field({ name: 'imprintUrl', label: t.imprint, hint: t.linkHint, value: imprintUrl, refused: shown, ...ADDRESS })}
      ${field({ name: 'privacyUrl', label: t.privacy, hint: t.linkHint, value: privacyUrl, refused: shown, ...ADDRESS })}
    `}
  `
}

const GROUNDS = { light: '#ffffff', dark: '#161b22' }

/** Shows the accent in a theme, regardless of the page's own theme. */
function sample(locale: AdminLocale, theme: keyof typeof GROUNDS, { accent, soft, onAccent }: Schemas['AccentColors']) {
  const { themes, samples } = locale.t.admin.appearance
  const pill = (x: number, fill: string, color: string, text: string) => html`
    <rect x=${x} y="14" width="84" height="32" rx="8" fill=${fill} />
    <text x=${x + 42} y="35" text-anchor="middle" fill=${color}>${text}</text>
  `
  return html`
    <figure>
      <svg class="sample" viewBox="0 0 272 60" width="272" height="60" aria-hidden="true">
        <rect width="272" height="60" rx="8" fill=${GROUNDS[theme]} />
        <text x="44" y="35" text-anchor="middle" text-decoration="underline" fill=${accent}>${samples.link}</text>
        ${pill(84, accent, onAccent, samples.button)} ${pill(178, soft, accent, samples.chosen)}
      </svg>
      <figcaption class="hint">${themes[theme]}</figcaption>
    </figure>
  `
}

/** @param maxBytes maximum size of a picture */
export function logoCard(
  locale: AdminLocale,
  { appearance: { logo } }: Pick<AppearanceData, 'appearance'>,
  maxBytes: number,
) {
  const t = locale.t.admin.appearance
  return card(t.logo)`
    <p class="hint">${t.logoLead}</p>
    ${logo.url && html`<img class="face-preview" src=${new URL(logo.url).pathname} width="64" height="64" alt="" />`}
    ${logo.state === 'pending' && notice('warn', t.pending)}
    ${logo.state === 'refused' && notice('bad', [t.refused, ' ', inEnglish(logo.reason), '.'])}
    <form method="post" enctype="multipart/form-data" class="row" data-wait=${t.sending}>
      ${hiddenFields({ action: 'logo' })}
      <label class="grow">${t.choose} ${pictureInput({ maxBytes, tooLarge: t.tooLarge })}</label>
      <button type="submit">${t.upload}</button>
    </form>
    ${
      logo.state !== 'none' &&
      confirmButton({ fields: { action: 'removeLogo' }, label: t.remove, warning: t.removeWarning, confirm: t.remove })
    }
  `
}
