// The forms to answer with a second factor: a passkey needs a script, a code does not.
import { field, form, hiddenFields, type RefusedForm, refusal, refusedOf, secretRefused } from './fields.ts'
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'
import { notice } from './parts.ts'
import type { Schemas } from './types.ts'

export type FactorLocale = Locale<'secondFactor' | 'forms'>
export type Method = Schemas['SecondStep']['methods'][number]

/** The use of a passkey form, which decides what options the script requests from the API. */
export type PasskeyUse = 'login' | 'confirm' | 'add'

/**
 * A form that the script fills with what the browser's passkey answers. Without scripts, the form
 * says that it needs them.
 * @param props.name the field that gets the passkey's answer
 */
export const passkeyForm = (
  { t: { secondFactor: t } }: FactorLocale,
  props: { use: PasskeyUse; name: string; label: string; look?: string; content?: Content },
) => html`
  <form method="post" class="form" data-passkey=${props.use} data-field=${props.name}>
    ${hiddenFields({ action: props.use === 'add' ? 'add-passkey' : 'answer' })}
    ${props.content}
    <div><button type="submit" class=${props.look ?? null}>${props.label}</button></div>
    <p class="problem" role="alert" hidden></p>
    <noscript><p class="hint">${t.needsScripts}</p></noscript>
  </form>
`

/** A form for each way to answer that the account has; the first one is open. */
export function answerForms(
  locale: FactorLocale,
  { methods, use, refused }: { methods: readonly Method[]; use: PasskeyUse; refused: RefusedForm | undefined },
) {
  const { secondFactor: t } = locale.t
  const ofAnswer = refusedOf(refused, 'answer')
  const ofCode = ofAnswer?.form.code !== undefined ? secretRefused(ofAnswer, 'code', t.wrongCode) : undefined
  const ofRecovery =
    ofAnswer?.form.recoveryCode !== undefined ? secretRefused(ofAnswer, 'recoveryCode', t.wrongRecoveryCode) : undefined
  const isWrongPasskey = !ofCode && !ofRecovery && ofAnswer?.code === 'invalid_credentials'
  const recovery = form(t.answer, { action: 'answer' })`
    ${field({ name: 'recoveryCode', label: t.recoveryCode, hint: t.recoveryCodeHint, refused: ofRecovery, autocomplete: 'off', required: true, maxlength: 100 })}
  `
  return html`
    ${isWrongPasskey ? notice('bad', t.wrongPasskey) : refusal(locale, ofCode ?? ofRecovery ?? ofAnswer)}
    ${methods.includes('passkey') && passkeyForm(locale, { use, name: 'passkey', label: t.usePasskey })}
    ${
      methods.includes('code') &&
      form(t.answer, { action: 'answer' })`
        ${field({ name: 'code', label: t.code, hint: t.codeHint, refused: ofCode, autocomplete: 'one-time-code', inputmode: 'numeric', required: true, maxlength: 9, autofocus: !methods.includes('passkey') })}
      `
    }
    ${methods.includes('recoveryCode') && html`<details open=${ofRecovery !== undefined}><summary>${t.useRecoveryCode}</summary>${recovery}</details>`}
  `
}

/** Converts the form's fields to an answer for the API. */
export function answerOf({ code, recoveryCode, passkey }: Record<string, string>) {
  if (passkey) return { passkey: parsed<Schemas['PasskeyAssertion']>(passkey) }
  return code === undefined ? { recoveryCode: recoveryCode ?? '' } : { code }
}

/** Parses the JSON that a script has put in a field; the API refuses anything else. */
export function parsed<Value>(json = ''): Value {
  try {
    return JSON.parse(json) as Value
  } catch {
    return {} as Value
  }
}
