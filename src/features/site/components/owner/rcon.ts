// The RCON console.
import { buttonForm, field, form, hiddenFields, problemAt, refusal, refusedOf } from '../fields.ts'
import { savedNotice } from '../forms.ts'
import { html } from '../html.ts'
import { card } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { type OwnerLocale, type OwnerTabData, PORT } from './frame.ts'

export interface RconData extends OwnerTabData {
  rcon: Schemas['Rcon']
  /** Commands of this visit with their answers, oldest first. */
  transcript: readonly { command: string; response?: string; problem?: string; isEnglish?: boolean }[]
  isSending?: boolean
}

export function rconView(locale: OwnerLocale, data: RconData) {
  const { owner, forms } = locale.t
  const { rcon: texts } = owner
  const { rcon, transcript, refused } = data
  const ofAccess = refusedOf(refused, 'configure')
  const ofCommand = refusedOf(refused, 'send')
  const problem = problemAt(ofCommand, 'command', texts.command)
  const marked = { 'aria-describedby': problem ? 'command-problem' : null, 'aria-invalid': problem ? 'true' : null }
  return [
    rcon.isConfigured &&
      card(texts.title)`
        <p class="quiet">${texts.lead}</p>
        <div class="transcript" role="log" aria-live="polite" tabindex="0">
          ${transcript.map(({ command, response, problem, isEnglish }) => html`<p class="prompt">› ${command}</p>${problem ? html`<p class="problem" lang=${isEnglish ? 'en' : null}>${problem}</p>` : response === undefined ? html`<p class="quiet">${texts.sending}</p>` : html`<pre dir="auto">${response || texts.empty}</pre>`}`)}
        </div>
        ${refusal(locale, ofCommand)}
        <form method="post" class="console" data-console>
          ${hiddenFields({ action: 'send' })}
          <label class="visually-hidden" for="command">${texts.command}</label>
          <input id="command" name="command" type="text" maxlength="1000" required autocomplete="off" autocapitalize="none" spellcheck=${false} placeholder=${texts.command} defaultValue=${ofCommand?.form.command ?? ''} ...${marked} />
          <button type="submit" disabled=${data.isSending ?? false}>${texts.send}</button>
        </form>
        ${problem && html`<p class="problem" id="command-problem">${problem}</p>`}
      `,
    card(texts.access)`
      ${!rcon.isConfigured && html`<p class="quiet">${texts.lead}</p>`}
      ${rcon.isConfigured && rcon.updatedAt && html`<p>${locale.say(texts.set, { port: String(rcon.port), date: locale.date(rcon.updatedAt) })}</p>`}
      ${savedNotice(locale, data.saved)} ${refusal(locale, ofAccess)}
      ${form(forms.save, { action: 'configure' })`
        ${field({ name: 'port', label: texts.port, value: rcon.port, refused: ofAccess, ...PORT, required: true })}
        ${field({ name: 'password', label: texts.password, hint: texts.passwordHint, type: 'password', refused: ofAccess, required: true, maxlength: 128, autocomplete: 'off' })}
      `}
      ${rcon.isConfigured && buttonForm({ fields: { action: 'remove' }, label: texts.remove, look: 'danger-button' })}
    `,
  ]
}
