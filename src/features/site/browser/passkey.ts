// Passkeys: the browser makes one or answers with one, and the form sends the result.
import { codeText } from '../components/fields.ts'
import { ApiError, api } from './api.ts'
import { copyOnClick } from './copy.ts'
import { readPage } from './live.ts'
import { showWaiting } from './waiting.ts'

const { locale } = readPage<unknown, 'secondFactor' | 'forms'>()
const { secondFactor: t } = locale.t
copyOnClick(locale)
showWaiting()

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void answer(form)
  })
}

async function answer(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]')
  const alert = form.querySelector<HTMLElement>('[role="alert"]')
  if (button) button.disabled = true
  if (alert) alert.hidden = true
  try {
    const credential = await askBrowser(form)
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = form.dataset.field ?? ''
    field.value = JSON.stringify(credential)
    form.append(field)
    form.submit() // does not trigger the submit listener again
  } catch (error) {
    if (error instanceof ApiError && error.code === 'confirmation_needed') {
      location.assign(locale.href('/account/confirm', { next: location.pathname }))
      return
    }
    if (button) button.disabled = false
    if (!alert) throw error
    alert.textContent = reasonOf(error)
    alert.hidden = false
  }
}

async function askBrowser(form: HTMLFormElement): Promise<unknown> {
  if (!('PublicKeyCredential' in window) || !PublicKeyCredential.parseRequestOptionsFromJSON)
    throw new DOMException('', 'NotSupportedError')
  if (form.dataset.passkey === 'add') {
    const { password, setupCode } = Object.fromEntries(new FormData(form)) as Record<string, string>
    const options = await api.post('/user/second-factor/passkeys/options', {
      body: { ...(password ? { password } : {}), ...(setupCode ? { setupCode } : {}) },
    })
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null
    return made?.toJSON()
  }
  const options =
    form.dataset.passkey === 'login'
      ? await api.post('/auth/second-step/passkey')
      : await api.post('/user/second-factor/confirm/passkey')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
  return found?.toJSON()
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError)
    return t.codes[error.code as keyof typeof t.codes] ?? codeText(locale, error.code) ?? error.message
  const { name } = error as DOMException
  if (name === 'NotSupportedError') return t.notSupported
  return name === 'InvalidStateError' ? t.knownHere : t.noAnswer
}
