// The console: commands and answers without loading the page.
import { codeText } from '../components/fields.ts'
import { ownerTab } from '../components/owner/frame.ts'
import { rconView } from '../components/owner/rcon.ts'
import { type ApiError, api } from './api.ts'
import { live } from './live.ts'
import { showWaiting } from './waiting.ts'

const page = live(ownerTab('rcon', rconView))
showWaiting()

async function send(command: string): Promise<void> {
  const before = page.data.transcript
  page.show({ ...page.data, refused: undefined, transcript: [...before, { command }], isSending: true })
  let answer: { response: string } | { problem: string; isEnglish?: boolean }
  try {
    answer = await api.post('/servers/{id}/rcon', { path: { id: page.data.server.id }, body: { command } })
  } catch (error) {
    const { code = '', message = String(error) } = error as Partial<ApiError>
    const text = codeText(page.locale, code)
    answer = text ? { problem: text } : { problem: message, isEnglish: true }
  }
  page.show({ ...page.data, transcript: [...before, { command, ...answer }], isSending: false })
  const log = document.querySelector('.transcript')
  log?.scrollTo(0, log.scrollHeight)
}

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (!form.matches('[data-console]')) return
  event.preventDefault()
  const input = form.querySelector<HTMLInputElement>('#command')
  if (!input?.value || page.data.isSending) return
  const command = input.value
  input.value = ''
  input.focus()
  void send(command)
})
