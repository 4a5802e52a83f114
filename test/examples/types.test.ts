// The example client's types match the served document; `npm run examples:types` writes them.
import path from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { EVERYTHING_OFFERED } from '../support/everything-offered.ts'

const FILE = path.resolve(import.meta.dirname, '../../examples/client/api.d.ts')
const HEAD = '// Made from the OpenAPI document by `npm run examples:types`; not edited by hand.\n'

it('examples/client/api.d.ts matches the served document; if not: npm run examples:types', async () => {
  const api = await startTestApi({ settings: EVERYTHING_OFFERED })
  const document = (await (await api.request('/api/openapi.json')).json()) as OpenAPI3
  const types = await openapiTS(document, { alphabetize: true })
  await expect(HEAD + astToString(types)).toMatchFileSnapshot(FILE)
})
