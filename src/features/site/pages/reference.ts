// The API reference: its contents with a quick start, and a page for each operation (docs/decisions/0028).
import { notFound } from '../../../platform/http/errors.ts'
import { page } from '../page.ts'
import { find, referenceOf } from '../reference/operations.ts'
import { contentsView, operationView, type ReferenceData } from '../reference/view.ts'

const STYLES = 'reference.css'

export const referencePage = page({
  path: '/docs',
  texts: ['reference'],
  query: ['q'],
  script: 'reference.ts',
  embedded: () => ({}),
  data({ describe, origin, query: { q } }) {
    const reference = referenceOf(describe(), origin)
    return { reference, base: `${origin}/api`, q, found: q === undefined ? undefined : find(reference, q) }
  },
  head: ({ t: { reference } }, { q }) => ({
    title: reference.title,
    description: reference.about,
    styles: STYLES,
    isWide: true,
    noindex: q !== undefined,
  }),
  view: contentsView,
})

export const operationPage = page({
  path: '/docs/{operation}',
  texts: ['reference'],
  script: 'reference.ts',
  embedded: () => ({}),
  data({ describe, origin, params: { operation: id } }): ReferenceData & { id: string } {
    const reference = referenceOf(describe(), origin)
    if (!reference.byId.has(id)) throw notFound('The API has no operation of this name.')
    return { reference, id }
  },
  head: ({ t }, { reference, id }) => {
    const { summary = id, method = '', path = '' } = reference.byId.get(id) ?? {}
    return {
      title: `${summary} · ${t.reference.title}`,
      styles: STYLES,
      isWide: true,
      description: `${method.toUpperCase()} ${path}: ${summary}`,
    }
  },
  view: operationView,
})
