// The page that only votes: for links in a game's chat and on signs.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { type VoteFormData, voteForm } from './vote-form.ts'

export const voteView = (locale: Locale<'vote' | 'forms'>, data: VoteFormData) => html`
  <div class="stack narrow">
    <h1 dir="auto"><a href=${locale.href(`/servers/${data.server.id}`)}>${data.server.name}</a></h1>
    ${voteForm(locale, data)}
  </div>
`
