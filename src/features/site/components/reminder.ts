// The page that ends reminders to vote.
import { html } from './html.ts'
import type { Locale } from './locale.ts'

export const reminderView = (locale: Locale<'reminder'>, { isDone }: { isDone: boolean }) => html`
  <div class="stack narrow">
    <h1>${isDone ? locale.t.reminder.ended : locale.t.reminder.question}</h1>
    ${!isDone && html`<form method="post" data-end><button type="submit">${locale.t.reminder.end}</button></form>`}
  </div>
`
