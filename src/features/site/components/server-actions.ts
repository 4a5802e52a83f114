// What a visitor does with a server: join it, copy its address, keep it, pass it on, compare it.
import { buttonForm } from './fields.ts'
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { onlineTag } from './parts.ts'
import { copyButton, reportedAs, serverPath } from './server-parts.ts'
import type { ServerDetail } from './types.ts'

interface ActionsData {
  server: ServerDetail
  /** Address of the directory. */
  origin: string
}

export function serverActions(locale: Locale<'server'>, { server, origin }: ActionsData) {
  const { server: texts } = locale.t
  return html`
    <div class="actions">
      ${server.joinUrl && html`<a class="button" href=${server.joinUrl} rel="nofollow" ...${reportedAs('join', server.id)}>${texts.connect}</a>`}
      ${waysToJoin(server).map(
        ({ edition, isOnline, connectAddress }) => html`
          <div class="join">
            ${edition && html`<span><b>${edition}</b> ${onlineTag(locale, { isOnline })}</span>`} ${copyButton(locale, connectAddress, server.id)}
          </div>
        `,
      )}
      ${buttonForm({ fields: { action: 'favorite' }, label: texts.favorite })}
      <button class="quiet-button script-only" type="button" data-copy=${origin + serverPath(server)}>
        <span class="copy-word">${texts.shareLink}</span>
      </button>
      <a class="button quiet-button" href=${locale.href('/compare', { ids: server.id })} rel="nofollow">${texts.compare}</a>
    </div>
  `
}

/** Of a Minecraft server of two editions, each with what its players type; their names are the same in all languages. */
const waysToJoin = ({ editions, connectAddress }: ServerDetail) =>
  editions
    ? [
        { edition: 'Java', ...editions.java },
        { edition: 'Bedrock', ...editions.bedrock },
      ]
    : [{ edition: '', isOnline: true, connectAddress }]
