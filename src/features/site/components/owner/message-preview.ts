// How the message of an endpoint of the kind discord-status looks, with what the server shows now.
import { html } from '../html.ts'
import type { Listing } from '../types.ts'
import type { OwnerLocale } from './frame.ts'

/** The message itself is English, and so is its preview. */
export function messagePreview(locale: OwnerLocale, server: Listing) {
  const { message: texts } = locale.t.owner.endpoints
  const { name, isOnline, currentPlayers, maxPlayers, map, connectAddress } = server
  return html`
    <figure class="discord-preview">
      <figcaption class="hint">${texts.preview}</figcaption>
      <div class=${isOnline ? 'discord-embed good' : 'discord-embed bad'} lang="en" dir="ltr">
        <p><b dir="auto">${name}</b></p>
        <p><b>${isOnline ? 'Online' : 'Offline'}</b> · <u>Join</u></p>
        <dl>
          <div><dt>Players</dt><dd>${isOnline ? `${currentPlayers} / ${maxPlayers}` : '–'}</dd></div>
          ${isOnline && map && html`<div><dt>Map</dt><dd dir="auto">${map}</dd></div>`}
          <div><dt>Address</dt><dd><code>${connectAddress}</code></dd></div>
          <div class="wide"><dt>Last 24 hours</dt><dd><code>▂▂▁▁▁▁▂▂▃▃▄▄▅▅▆▆▇█▇▆▅▄▃▂</code></dd></div>
        </dl>
      </div>
    </figure>
  `
}
