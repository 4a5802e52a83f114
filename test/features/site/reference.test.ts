// The API reference: its pages with and without the site, and examples that the schemas allow. test/browser
// opens it in a browser.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

interface Content {
  schema?: object
  example?: unknown
}
interface Described {
  operationId: string
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { content?: Record<string, Content> }>
}
interface ApiDocument {
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
}

let api: TestApi
let document: ApiDocument
let operations: Described[]
/** Of the API's addresses. */
let base: string
beforeAll(async () => {
  api = await startTestApi()
  document = (await (await api.request('/api/openapi.json')).json()) as ApiDocument
  base = document.servers[0]?.url ?? ''
  operations = Object.values(document.paths).flatMap((path) => Object.values(path).filter((one) => one.operationId))
})

const open = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(api.url + path, { headers })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const withExample = ({ requestBody, responses }: Described) =>
  [requestBody, ...Object.entries(responses).flatMap(([status, reply]) => (status < '3' ? [reply] : []))].flatMap(
    (one) => one?.content?.['application/json'] ?? [],
  )

describe('examples in the description', () => {
  it('are there for each JSON body, as its schema allows', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, 'openapi')
    const faults: string[] = []
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, described] of Object.entries(methods)) {
        if (!described.operationId) continue
        const check = (content: Content | undefined, at: string) => {
          if (!content) return
          const pointer = ['paths', path, method, ...at.split(' '), 'content', 'application/json', 'schema']
          const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
          const validate = ajv.getSchema(`openapi#/${escaped.join('/')}`)
          if (content.example === undefined || !validate?.(content.example))
            faults.push(`${described.operationId} ${at}: ${ajv.errorsText(validate?.errors)}`)
        }
        check(described.requestBody?.content['application/json'], 'requestBody')
        for (const [status, { content }] of Object.entries(described.responses))
          if (status.startsWith('2')) check(content?.['application/json'], `responses ${status}`)
      }
    expect(faults).toEqual([])
  })

  it('say something: no text is the name of its field', () => {
    const unnamed = new Set<string>()
    const look = (value: unknown, name: string): void => {
      if (Array.isArray(value)) for (const one of value) look(one, name)
      else if (value !== null && typeof value === 'object')
        for (const [field, inner] of Object.entries(value)) look(inner, field)
      else if (value === name || value === name.replace(/s$/, '') || value === 'text') unnamed.add(name)
    }
    for (const operation of operations) for (const { example } of withExample(operation)) look(example, '')
    expect([...unnamed]).toEqual([])
  })
})

describe('the reference', () => {
  it('leads to a page of each operation, with the header of the site', async () => {
    const { html } = await open('/docs')
    const linked = [...html.matchAll(/href="\/docs\/(\w+)"/g)].map(([, id]) => id)
    expect(linked.sort()).toEqual(operations.map(({ operationId }) => operationId).sort())
    expect(html).toContain('aria-label="Main"')
    for (const { operationId } of operations)
      expect([operationId, (await open(`/docs/${operationId}`)).status]).toEqual([operationId, 200])
    expect((await open('/docs/nothing')).status).toBe(404)
  })

  it('shows samples in three languages, parameters and an example of the response in one page', async () => {
    const { html } = await open('/docs/vote')
    const text = html.replaceAll(/<span class="code-\w+">|<\/span>/g, '').replaceAll('&quot;', '"')
    expect(text).toContain(
      `curl '${base}/servers/ID/vote' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"visitorId":"visitor-0123456789"}'`,
    )
    expect(text).toContain(`const response = await fetch('${base}/servers/ID/vote', {`)
    expect(text).toContain(`reply = requests.post("${base}/servers/ID/vote",\n    json={`)
    expect(text).toContain('"nextVoteAt": "2026-11-20T12:00:00.000Z"')
    expect(html).toContain('<code>id</code>')
    expect(text).toContain('  visitorId: string')
    expect(html).not.toContain('`')
    for (const { operationId } of operations)
      expect((await open(`/docs/${operationId}`)).html).not.toMatch(/undefined|\[object/)
  })

  it('finds without scripts, and says when it found nothing', async () => {
    const { html } = await open('/docs?q=votes+claim')
    expect(html).toMatch(/<ul class="operations">.*claimVotes/s)
    expect((await open('/docs?q=zebra')).html).toContain('<h1>No operation has all of these words.')
    expect((await open('/docs?q=zebra', { 'accept-language': 'de' })).html).toContain('<h1>Keine Operation enthält')
  })

  it('allows scripts, styles and connections only to us', async () => {
    const { html, headers } = await open('/docs')
    for (const directive of ["default-src 'none'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(headers.get('content-security-policy')?.split(';')).toContain(directive)
    for (const [, address = ''] of html.matchAll(/<(?:script|link rel="stylesheet")[^>]* (?:src|href)="([^"]+)"/g))
      expect([address, (await open(address)).status]).toEqual([expect.stringMatching(/^\//), 200])
  })

  it('is where / leads without the site, without its menu', async () => {
    const alone = await startTestApi({ database: api.database, settings: { SITE: 'off' } })
    const response = await fetch(`${alone.url}/`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs'])
    expect((await fetch(`${alone.url}/`, { method: 'POST' })).status).toBe(405)
    const html = await (await fetch(`${alone.url}/docs/vote`)).text()
    expect(html).toContain('href="/docs/listPublicServers"')
    expect(html).not.toContain('href="/games"')
    expect((await fetch(`${api.url}/favicon.ico`)).headers.get('content-type')).toBe('image/svg+xml')
  })
})
