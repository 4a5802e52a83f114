// Queues with their verdicts.
import { type Content, html } from '../html.ts'
import { table } from '../lists.ts'
import { card, tag } from '../parts.ts'
import type { Schemas } from '../types.ts'
import type { AdminLocale } from './frame.ts'

type Queue = Schemas['QueueState']
type Queues = { queues: Queue[]; supervisedSecondsAgo: number | null }

const WORST_FIRST = ['stuck', 'late', 'failing', 'ok'] as const
const TONES = { stuck: 'bad', late: 'warn', failing: 'bad', ok: 'good' } as const

export const queuePath = (name: string) => `/admin/queues/${encodeURIComponent(name)}`

/** Leaves out a dead letter queue unless it says more: its jobs are already counted with their original queue. */
export function visibleQueues(queues: Queue[]): Queue[] {
  const deadLetters = new Map(queues.flatMap((queue) => (queue.deadLetter ? [[queue.deadLetter, queue] as const] : [])))
  const isShown = ({ name, verdict }: Queue) => {
    const source = deadLetters.get(name)
    return !source || (verdict !== 'ok' && source.verdict === 'ok')
  }
  return queues
    .filter(isShown)
    .sort((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict) || (a.name < b.name ? -1 : 1))
}

/** Shows what is between backticks as code. */
export const withCode = (text: string): Content =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

export const verdictTag = ({ t: { admin: t } }: AdminLocale, { verdict }: Pick<Queue, 'verdict'>) =>
  tag(TONES[verdict], t.queues.verdicts[verdict])

/** @param now epoch ms */
export function queuesTable(locale: AdminLocale, { queues, supervisedSecondsAgo }: Queues, now: number) {
  const { admin: t } = locale.t
  const supervised =
    supervisedSecondsAgo === null
      ? t.common.never
      : locale.relative(new Date(now - supervisedSecondsAgo * 1000).toISOString(), now)
  const count = (value: number) => html`<td class="number ${value === 0 ? 'quiet' : ''}">${locale.number(value)}</td>`
  const columns = [
    t.queues.queue,
    t.queues.verdict,
    t.queues.ready,
    t.queues.active,
    t.queues.deferred,
    t.queues.failed,
    t.queues.oldest,
    t.queues.perMinute,
    t.queues.schedule,
    t.common.lastRun,
  ]
  const list = (some: readonly Queue[]) =>
    table(
      t.queues.title,
      columns,
      some.map(
        (queue) => html`<tr key=${queue.name}>
                  <th scope="row"><a href=${locale.href(queuePath(queue.name))}>${queue.name}</a></th>
                  <td>${verdictTag(locale, queue)}</td>
                  ${count(queue.ready)} ${count(queue.active)} ${count(queue.deferred)} ${count(queue.failed + queue.dead)}
                  <td class="number">${queue.oldestAgeSeconds === null ? '–' : duration(locale, queue.oldestAgeSeconds)}</td>
                  <td class="number">${locale.number(queue.completedPerMinute)}</td>
                  <td class="number">${queue.schedule && html`<code>${queue.schedule}</code>`}</td>
                  <td class="number">${queue.schedule && (queue.lastRunAt ? locale.relative(queue.lastRunAt, now) : t.common.never)}</td>
                </tr>`,
      ),
    )
  const visible = visibleQueues(queues)
  const healthy = visible.filter(({ verdict }) => verdict === 'ok')
  const others = visible.filter(({ verdict }) => verdict !== 'ok')
  return card(t.queues.title)`
    ${others.length > 0 && list(others)}
    ${healthy.length > 0 && html`<details><summary>${locale.say(t.queues.healthyQueues, { n: healthy.length })}</summary>${list(healthy)}</details>`}
    <p class="hint">${locale.say(t.queues.supervised, { time: supervised })}</p>
  `
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A duration in whole seconds, minutes, hours or days. */
export function duration(locale: AdminLocale, seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds >= 2 * length) ?? (['second', 1] as const)
  return Math.round(seconds / length).toLocaleString(locale.language, { style: 'unit', unit, unitDisplay: 'short' })
}
