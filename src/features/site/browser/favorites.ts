// The favorites: the button that subscribes this browser to the account's alerts.
import { codeText } from '../components/fields.ts'
import { ApiError, api } from './api.ts'
import { readPage } from './live.ts'
import { subscribe } from './push.ts'
import { showWaiting } from './waiting.ts'

const { locale } = readPage<unknown, 'account' | 'forms'>()
showWaiting()
const { browsers: texts } = locale.t.account.favorites
const button = document.querySelector<HTMLButtonElement>('#add-browser')
const problem = document.querySelector<HTMLElement>('#add-browser-problem')

if (button && 'PushManager' in window) {
  button.hidden = false
  button.addEventListener('click', () => void addBrowser(button))
}

async function addBrowser(button: HTMLButtonElement): Promise<void> {
  button.disabled = true
  try {
    if ((await Notification.requestPermission()) !== 'granted') return show(texts.forbidden)
    await api.post('/user/push-browsers', { body: { language: locale.language, push: await subscribe() } })
    location.assign(locale.href('/account/favorites', { saved: 'browser' }))
  } catch (error) {
    show(error instanceof ApiError ? (codeText(locale, error.code) ?? error.message) : texts.failed)
  } finally {
    button.disabled = false
  }
}

function show(text: string): void {
  if (!problem) return
  problem.textContent = text
  problem.hidden = false
}
