// The page of a server: what it is, its players, and the vote.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { addressOf, copyButton, playersBar } from './server-row.ts'
import type { ServerDetail } from './types.ts'

export interface ServerData {
  server: ServerDetail
}

export function serverView(locale: Locale<'server' | 'directory'>, { server }: ServerData) {
  const { directory } = locale.t
  return html`
    <article class="server-page">
      <h1 dir="auto">${server.name}</h1>
      <p class="facts"><span>${server.gameName}</span>${server.map && html`<span dir="auto">${server.map}</span>`}</p>
      ${playersBar(locale, server)} ${copyButton(locale, addressOf(server))}
      <p>${locale.number(server.totalVotes)} ${directory.votes}</p>
      <p class="prose" dir="auto">${server.description}</p>
    </article>
  `
}
