// The pages that end reminders to vote and alerts.
import { html } from './html.ts'

interface EndingTexts {
  question: string
  ended: string
  end: string
}

export const endingView = (texts: EndingTexts, isDone: boolean) => html`
  <div class="stack narrow">
    <h1>${isDone ? texts.ended : texts.question}</h1>
    ${!isDone && html`<form method="post" data-end><button type="submit">${texts.end}</button></form>`}
  </div>
`
