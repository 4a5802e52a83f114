// The sources that find servers: what their last run found and refused, when the next one is, and a
// button that runs them now.
import { type AdminLocale, adminFrame } from '../../components/admin/frame.ts'
import { verdictTag, withCode } from '../../components/admin/queues.ts'
import { buttonForm } from '../../components/fields.ts'
import { copyBlock } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { ago, factList, inEnglish, tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { cards } from './list.ts'
import { adminPage, backToList } from './page.ts'

/** The source of servers that announce themselves. It has no runs. */
const ANNOUNCEMENTS = 'announcements'

type Source = Schemas['DiscoverySource']

export const sourcesPage = adminPage({
  path: '/admin/sources',
  script: 'buttons.ts',
  data: ({ api }) => api.get('/admin/discovery/sources'),
  title: (locale) => locale.t.admin.frame.areas.sources,
  view(locale, data) {
    const { admin: t } = locale.t
    const { sources, now } = data
    return adminFrame(
      locale,
      'sources',
      data,
      t.frame.areas.sources,
      html`
        <p class="quiet">${t.sources.lead}</p>
        ${
          sources.length > 0
            ? cards(sources.map((source) => sourceItem(locale, source, now)))
            : html`<p class="empty">${t.sources.none}</p>${copyBlock(locale, 'npm start -- --discover luanti')}`
        }
      `,
    )
  },
  async post(input) {
    await input.api.post('/admin/discovery/sources/{source}/run', { path: { source: input.form.source ?? '' } })
    return backToList(input, 'sources', 'sourceRuns')
  },
})

function sourceItem(locale: AdminLocale, source: Source, now: number) {
  const { admin: t } = locale.t
  const { isEnabled, startedAt, finishedAt, nextRunAt, error, refused } = source
  const when = (instant: string | null, otherwise: string) => (instant === null ? otherwise : ago(locale, instant, now))
  const hasRuns = isEnabled && source.source !== ANNOUNCEMENTS
  const isRunning = startedAt !== null && finishedAt === null
  const reasons = Object.entries(refused).sort(([, a], [, b]) => b - a)
  return html`
    <li class="card stack" key=${source.source}>
      <div class="row">
        <h2>${source.source}</h2>
        ${isEnabled ? verdictTag(locale, source) : tag('', t.sources.off)}
        ${isRunning && tag('', t.sources.running)}
        <span class="grow"></span>
        ${hasRuns && buttonForm({ fields: { action: 'run', source: source.source }, label: t.sources.run })}
      </div>
      ${source.advice && html`<p>${inEnglish(withCode(source.advice))}</p>`}
      ${!isEnabled && html`<p class="quiet">${t.sources.offHint}</p>`}
      ${factList(
        [
          [t.sources.listed, locale.number(source.listed)],
          hasRuns && [t.common.lastRun, when(startedAt, t.common.never)],
          hasRuns && [t.sources.next, when(nextRunAt, '–')],
          [t.sources.found, locale.number(source.found)],
          [t.sources.added, locale.number(source.added)],
          source.returned > 0 && [t.sources.returned, locale.number(source.returned)],
          hasRuns && [t.sources.missing, locale.number(source.missing)],
          ...reasons.map(
            ([reason, n]) =>
              [
                `${t.sources.refused}: ${Object.hasOwn(t.sources.reasons, reason) ? t.sources.reasons[reason as keyof typeof t.sources.reasons] : reason}`,
                locale.number(n),
              ] as const,
          ),
          error !== null && [t.sources.error, html`${inEnglish(error)}`],
        ],
        '',
      )}
    </li>
  `
}
