// A preview of the message of an endpoint of the kind discord-status, with the server's current values.
import { html } from '../html.ts'
import { tag } from '../parts.ts'
import type { Listing } from '../types.ts'
import type { OwnerLocale } from './frame.ts'

/** The message itself is English, and so is its preview. */
export function messagePreview(locale: OwnerLocale, server: Listing) {
  const { message: texts } = locale.t.owner.endpoints
  const { name, isOnline, currentPlayers, maxPlayers, map, connectAddress } = server
  return html`
    <figure class="stack">
      <figcaption class="hint">${texts.preview}</figcaption>
      <div class="card stack" lang="en" dir="ltr">
        <p><b dir="auto">${name}</b></p>
        <p>${isOnline ? tag('good', 'Online') : tag('bad', 'Offline')} · <u>Join</u></p>
        <dl class="figures">
          <div><dt>Players</dt><dd>${isOnline ? `${currentPlayers} / ${maxPlayers}` : '–'}</dd></div>
          ${isOnline && map && html`<div><dt>Map</dt><dd dir="auto">${map}</dd></div>`}
          <div><dt>Address</dt><dd><code>${connectAddress}</code></dd></div>
          <div><dt>Last 24 hours</dt><dd><code>▂▂▁▁▁▁▂▂▃▃▄▄▅▅▆▆▇█▇▆▅▄▃▂</code></dd></div>
        </dl>
      </div>
    </figure>
  `
}
