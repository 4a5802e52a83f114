// The second factors of an account: passkeys, one-time codes and recovery codes.

import { encodeQR } from 'qr'
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { field, form, type RefusedForm, refusal, refusedOf, secretRefused } from '../../components/fields.ts'
import { confirmButton, copyBlock, savedNotice } from '../../components/forms.ts'
import { type Content, html } from '../../components/html.ts'
import type { Locale as SiteLocale } from '../../components/locale.ts'
import { ago, breadcrumb, card, lines, notice, tag } from '../../components/parts.ts'
import { parsed, passkeyForm } from '../../components/second-factor.ts'
import type { Schemas } from '../../components/types.ts'
import { page, type ShownOnce } from '../../page.ts'

type Factor = Schemas['SecondFactor']

interface Data {
  factor: Factor
  refused: RefusedForm | undefined
  saved: string | undefined
  /** New recovery codes, or the address of a secret that is being set up. */
  once: { recoveryCodes?: string[]; uri?: string }
  now: number
}

export const secondFactorPage = page({
  texts: ['secondFactor', 'forms', 'account'],
  path: '/account/second-factor',
  access: 'session',
  query: ['saved'],
  script: 'passkey.ts',
  embedded: () => ({}),
  data: async ({ api, refused, query, once = {} }): Promise<Data> => ({
    factor: await api.get('/user/second-factor'),
    refused,
    saved: query.saved,
    once,
    now: Date.now(),
  }),
  head: ({ t }) => ({ title: t.secondFactor.title, noindex: true }),
  view(locale: Locale, data) {
    const { secondFactor: t } = locale.t
    const { factor, once, saved } = data
    return html`
      <div class="area stack">
        <header>${breadcrumb(locale, '/account', locale.t.account.title)}<h1>${t.title}</h1></header>
        <p>${t.lead}</p>
        ${factor.isRequired && !factor.isOn && notice('warn', t.required)}
        ${notice('good', saved === 'confirmed' && t.confirmed)}
        ${savedNotice(locale, saved === 'saved')}
        ${once.recoveryCodes && newRecoveryCodes(locale, once.recoveryCodes)}
        ${passkeysCard(locale, data)} ${codesCard(locale, data)}
        ${factor.isOn && recoveryCodesCard(locale, data)}
      </div>
    `
  },
  async post({ api, form: sent, locale }): Promise<string | ShownOnce> {
    const { action = '', id = '', name = '', code = '' } = sent
    const shown = ({ recoveryCodes }: Schemas['AddedSecondFactor']) =>
      recoveryCodes ? { recoveryCodes } : locale.href('/account/second-factor', { saved: 'saved' })
    switch (action) {
      case 'add-passkey':
        return shown(
          await api.post('/user/second-factor/passkeys', {
            body: { name, credential: parsed<Schemas['PasskeyAttestation']>(sent.credential) },
          }),
        )
      case 'rename-passkey':
        await api.patch('/user/second-factor/passkeys/{passkeyId}', { path: { passkeyId: id }, body: { name } })
        break
      case 'remove-passkey':
        await api.delete('/user/second-factor/passkeys/{passkeyId}', { path: { passkeyId: id } })
        break
      case 'begin-codes': {
        const { password, setupCode } = sent
        const { uri } = await api.post('/user/second-factor/codes', {
          body: withoutUndefined({ password: password || undefined, setupCode: setupCode || undefined }),
        })
        return { uri }
      }
      case 'confirm-codes':
        return shown(await api.post('/user/second-factor/codes/confirm', { body: { code } }))
      case 'remove-codes':
        await api.delete('/user/second-factor/codes')
        break
      case 'recovery-codes':
        return shown(await api.post('/user/second-factor/recovery-codes'))
    }
    return locale.href('/account/second-factor', { saved: 'saved' })
  },
})

type Locale = SiteLocale<'secondFactor' | 'forms' | 'account'>

/** The fields that prove the owner's identity before the first second factor is set up. */
function proofFields(
  locale: Locale,
  { isOn, isRequired }: Factor,
  refused: RefusedForm | undefined,
  id: string,
): Content {
  const { secondFactor: t, account } = locale.t
  if (isOn) return null
  return [
    field({
      name: 'password',
      id: `${id}-password`,
      label: account.login.password,
      hint: t.passwordHint,
      refused,
      type: 'password',
      autocomplete: 'current-password',
      maxlength: 128,
    }),
    isRequired &&
      field({
        name: 'setupCode',
        id: `${id}-setup-code`,
        label: t.setupCode,
        hint: html`${t.setupCodeHint} <code>npm run accounts -- setup-code</code>`,
        refused,
        autocomplete: 'off',
        required: true,
        maxlength: 50,
      }),
  ]
}

function passkeysCard(locale: Locale, { factor, refused, now }: Data) {
  const { secondFactor: t } = locale.t
  const ofNew = secretRefused(refusedOf(refused, 'add-passkey'), 'password', t.codes.invalid_credentials)
  return card(t.passkeys)`
    <p class="quiet">${t.passkeysText}</p>
    ${refusal(locale, refusedOf(refused, 'rename-passkey') ?? refusedOf(refused, 'remove-passkey'))}
    ${lines(
      factor.passkeys.map((passkey) => passkeyItem(locale, passkey, now)),
      t.noPasskeys,
    )}
    ${refusal(locale, ofNew)}
    ${passkeyForm(locale, {
      use: 'add',
      name: 'credential',
      label: t.addPasskey,
      content: [
        field({
          name: 'name',
          label: t.passkeyName,
          hint: t.passkeyNameHint,
          refused: ofNew,
          required: true,
          maxlength: 50,
        }),
        proofFields(locale, factor, ofNew, 'passkey'),
      ],
    })}
  `
}

function passkeyItem(locale: Locale, { id, name, createdAt, lastUsedAt, isDisabled }: Schemas['Passkey'], now: number) {
  const { secondFactor: t } = locale.t
  return html`
    <li class="stack" key=${id}>
      <div>
        <b dir="auto">${name}</b> ${isDisabled && tag('bad', t.disabled)}
        <p class="hint">
          ${locale.say(t.since, { date: locale.date(createdAt) })}${lastUsedAt && html` · ${t.used} ${ago(locale, lastUsedAt, now)}`}
        </p>
        ${isDisabled && html`<p>${t.disabledText}</p>`}
      </div>
      <details>
        <summary>${t.rename}</summary>
        ${form(locale.t.forms.save, { action: 'rename-passkey', id })`
          ${field({ name: 'name', id: `name-${id}`, label: t.passkeyName, value: name, required: true, maxlength: 50 })}
        `}
      </details>
      ${confirmButton({ fields: { action: 'remove-passkey', id }, label: t.remove, warning: t.removeWarning, confirm: t.removeConfirm })}
    </li>
  `
}

function codesCard(locale: Locale, { factor, refused, once }: Data) {
  const { secondFactor: t } = locale.t
  const ofCode = secretRefused(refusedOf(refused, 'confirm-codes'), 'code', t.wrongCode)
  const ofBegin = secretRefused(refusedOf(refused, 'begin-codes'), 'password', t.codes.invalid_credentials)
  const uri = once.uri ?? ofCode?.form.uri
  return card(t.oneTimeCodes)`
    <p class="quiet">${t.codesText}</p>
    ${refusal(locale, refusedOf(refused, 'remove-codes'))}
    ${
      factor.hasCodes
        ? html`
          <p>${tag('good', t.on)}</p>
          ${confirmButton({ fields: { action: 'remove-codes' }, label: t.removeCodes, warning: t.removeWarning, confirm: t.removeConfirm })}
        `
        : uri
          ? setupForm(locale, uri, ofCode)
          : html`
            ${refusal(locale, ofBegin)}
            ${form(t.beginCodes, { action: 'begin-codes' })`${proofFields(locale, factor, ofBegin, 'codes')}`}
          `
    }
  `
}

function setupForm(locale: Locale, uri: string, refused: RefusedForm | undefined) {
  const { secondFactor: t } = locale.t
  const secret = /[?&]secret=([A-Z2-7]+)/.exec(uri)?.[1] ?? ''
  return html`
    <p>${t.scan}</p>
    ${qrCode(uri, t.qrCode)}
    <p>${t.orType}</p>
    ${copyBlock(locale, secret)}
    ${refusal(locale, refused)}
    ${form(t.finishCodes, { action: 'confirm-codes', uri })`
      ${field({ name: 'code', label: t.code, hint: t.codeHint, refused, autocomplete: 'one-time-code', inputmode: 'numeric', required: true, maxlength: 9 })}
    `}
  `
}

/** A QR code, black on white also in a dark theme, because apps can't read it otherwise. */
function qrCode(text: string, label: string) {
  const rows = encodeQR(text, 'raw', { border: 2 })
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`
    <svg class="qr-code" viewBox=${`0 0 ${rows.length} ${rows.length}`} width="220" height="220" role="img" aria-label=${label}>
      <rect width="100%" height="100%" fill="#fff" /><path d=${squares.join('')} fill="#000" />
    </svg>
  `
}

function recoveryCodesCard(locale: Locale, { factor, refused }: Data) {
  const { secondFactor: t } = locale.t
  return card(t.recoveryCodes)`
    <p>${locale.say(t.codesLeft, { n: factor.recoveryCodesLeft })}</p>
    ${refusal(locale, refusedOf(refused, 'recovery-codes'))}
    ${confirmButton({ fields: { action: 'recovery-codes' }, label: t.newCodes, warning: t.newCodesWarning, confirm: t.newCodesConfirm })}
  `
}

const newRecoveryCodes = (locale: Locale, codes: readonly string[]) => {
  const { secondFactor: t } = locale.t
  return html`
    <div class="notice is-good stack" role="status">
      <p><b>${t.keepCodes}</b></p>
      ${copyBlock(locale, codes.join('\n'))}
    </div>
  `
}
