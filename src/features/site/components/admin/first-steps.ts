// The first steps of a new directory's administrator, each with a line to copy, and ticked when it is done.
import type { Texts } from '../../texts/index.ts'
import { copyBlock } from '../forms.ts'
import { html } from '../html.ts'
import type { Locale } from '../locale.ts'
import type { Schemas } from '../types.ts'

type Step = Schemas['FirstStep']

export interface FirstSteps {
  isNew: boolean
  steps: Step[]
}

/** Where a step is done: a line for a terminal, or a page. */
const LINES: Record<Exclude<Step['name'], 'appearance'>, string> = {
  administrator: 'ADMIN_EMAILS=you@example.com npm start',
  sources: 'npm start -- --discover luanti',
  import: 'npm run servers -- import servers.csv',
  demo: 'DATA_DIR=.demo PORT=3100 WORKER_PORT=3101 npm start -- --demo',
  mail: 'SMTP_URL=smtps://user:password@mail.example.com npm start',
}
/** The steps that fill the directory: one of them is enough. */
const FILLING: readonly Step['name'][] = ['sources', 'import', 'demo']

/** The list is open while no server is listed, and disappears once every step is done. */
export function firstSteps(locale: Locale<never>, texts: Texts['admin']['firstSteps'], { isNew, steps }: FirstSteps) {
  const isFilled = steps.some(({ name, isDone }) => isDone && FILLING.includes(name))
  const isSettled = ({ name, isDone }: Step) => isDone || (isFilled && FILLING.includes(name))
  if (steps.every(isSettled)) return null
  const done = steps.filter(({ isDone }) => isDone).length
  return html`
    <details class="card" open=${isNew}>
      <summary><h2>${texts.title}</h2> <span class="quiet">${locale.say(texts.progress, { done, n: steps.length })}</span></summary>
      ${isNew && html`<p>${texts.lead}</p>`}
      <ul class="first-steps">
        ${steps.map(
          ({ name, isDone }) => html`<li key=${name} class=${isDone ? 'is-done' : ''}>
            <div class="row"><h3>${texts.steps[name].title}</h3>${isDone && html`<span class="tag is-good">${texts.isDone}</span>`}</div>
            <p class="quiet">${texts.steps[name].text}</p>
            ${!isDone && (name === 'appearance' ? html`<p><a href=${locale.href('/admin/appearance')}>${texts.toAppearance}</a></p>` : copyBlock(locale, LINES[name]))}
          </li>`,
        )}
      </ul>
    </details>
  `
}
