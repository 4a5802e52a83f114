// Imports the servers of a CSV file: first a report of what would happen, then the import.
import { validationFailed } from '../../../../platform/http/errors.ts'
import { MAX_IMPORT_BYTES } from '../../../admin/index.ts'
import { FIELDS } from '../../../listing-files/index.ts'
import { type AdminLocale, adminFrame, adminPath } from '../../components/admin/frame.ts'
import type { Answer } from '../../components/client.ts'
import { hiddenFields } from '../../components/fields.ts'
import { type Content, html } from '../../components/html.ts'
import { table } from '../../components/lists.ts'
import { breadcrumb, card, inEnglish, notice } from '../../components/parts.ts'
import { adminPage } from './page.ts'

export const IMPORT_PATH = '/admin/servers/import'

type Report = Answer<'post', '/admin/servers/import'>

interface ImportData {
  /** The report of a check or of an import. */
  report: Report | undefined
  /** The file that was checked. */
  csv: string
}

export const importPage = adminPage({
  path: IMPORT_PATH,
  // The checked file is sent again with the form that imports it.
  maxFileBytes: MAX_IMPORT_BYTES,
  async data({ once }): Promise<ImportData> {
    return { report: once?.report as Report | undefined, csv: String(once?.csv ?? '') }
  },
  title: (locale) => locale.t.admin.files.title,
  view(locale, data) {
    const { files: t, frame } = locale.t.admin
    return adminFrame(
      locale,
      'servers',
      data,
      t.title,
      html`
        ${breadcrumb(locale, adminPath('servers'), frame.areas.servers)}
        ${data.report && reportCard(locale, data.report, data.csv)}
        ${card(data.report ? t.another : t.choose)`
          <p class="hint">${t.columns} <code>${FIELDS.join(', ')}</code>. ${t.larger}</p>
          <form method="post" enctype="multipart/form-data" class="row">
            ${hiddenFields({ action: 'check' })}
            <label class="grow">${t.file} <input type="file" name="file" accept=".csv,text/csv,text/plain" required /></label>
            <button type="submit">${t.check}</button>
          </form>
        `}
      `,
    )
  },
  async post({ api, form, file }) {
    if (form.action === 'import')
      return { report: await api.post('/admin/servers/import', { body: Buffer.from(form.csv ?? '') }) }
    if (!file) throw validationFailed([{ path: 'body.file', message: 'is required' }])
    const report = await api.post('/admin/servers/import', { query: { dryRun: 'true' }, body: file })
    return { report, csv: file.toString() }
  },
})

function reportCard(locale: AdminLocale, { dryRun, added, refused, ignoredColumns }: Report, csv: string): Content {
  const { files: t } = locale.t.admin
  return card(dryRun ? t.preview : t.done)`
    ${notice(added > 0 && !dryRun ? 'good' : '', locale.say(dryRun ? t.wouldAdd : t.added, { n: added }))}
    ${ignoredColumns.length > 0 && notice('warn', locale.say(t.ignored, { columns: ignoredColumns.join(', ') }))}
    ${
      refused.length > 0 &&
      html`
        <h3>${locale.say(t.refused, { n: refused.length })}</h3>
        <div class="refused-rows">${table(
          t.refusedRows,
          [t.line, t.reason],
          refused.map(
            ({ place, reason }) =>
              html`<tr><th scope="row">${place.replace('line ', '')}</th><td>${inEnglish(reason)}</td></tr>`,
          ),
        )}</div>
      `
    }
    ${
      dryRun &&
      added > 0 &&
      html`
        <form method="post" enctype="multipart/form-data">
          ${hiddenFields({ action: 'import' })}
          <textarea name="csv" hidden>${csv}</textarea>
          <button type="submit">${locale.say(t.add, { n: added })}</button>
        </form>
      `
    }
  `
}
