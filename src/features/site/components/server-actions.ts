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
  access?: { isFavorite: boolean } | undefined
}

export function serverActions(locale: Locale<'server'>, { server, origin, access }: ActionsData) {
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
      ${favoriteButton(texts, access?.isFavorite ?? false)}
      <button class="quiet-button script-only" type="button" data-copy=${origin + serverPath(server)}>
        <span class="copy-word">${texts.shareLink}</span>
      </button>
      <a class="button quiet-button" href=${locale.href('/compare', { ids: server.id })} rel="nofollow">${texts.compare}</a>
    </div>
  `
}

/** A button as wide as the longer of its labels, so that nothing moves when the script knows which label is right. */
const favoriteButton = (texts: { favorite: string; unfavorite: string }, isFavorite: boolean) =>
  buttonForm({
    fields: { action: isFavorite ? 'unfavorite' : 'favorite' },
    label: html`
      <span class="either"><span hidden=${isFavorite}>${texts.favorite}</span><span hidden=${!isFavorite}>${texts.unfavorite}</span></span>
    `,
  })

/**
 * The addresses that players type: one for each of two Minecraft editions. The editions' names are the
 * same in all languages.
 */
const waysToJoin = ({ editions, connectAddress }: ServerDetail) =>
  editions
    ? [
        { edition: 'Java', ...editions.java },
        { edition: 'Bedrock', ...editions.bedrock },
      ]
    : [{ edition: '', isOnline: true, connectAddress }]
