// The types of the example client and of the site match the served document; `npm run examples:types` writes both.
import path from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { EVERYTHING_OFFERED } from '../support/everything-offered.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const HEAD = '// Made from the OpenAPI document by `npm run examples:types`; not edited by hand.\n'

const api = await startTestApi({ settings: EVERYTHING_OFFERED })
const document = (await (await api.request('/api/openapi.json')).json()) as OpenAPI3
const types = HEAD + astToString(await openapiTS(document, { alphabetize: true }))

it.each(['examples/client/api.d.ts', 'src/features/site/api.d.ts'])(
  '%s matches the served document; if not: npm run examples:types',
  async (file) => {
    await expect(types).toMatchFileSnapshot(path.join(ROOT, file))
  },
)
