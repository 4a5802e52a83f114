// The API reference at /docs: Swagger UI from its npm package, served by us, so that it works without internet.
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import express, { type Router } from 'express'
import { leaf, type TakeLimit } from './api.ts'
import { contextOf } from './context.ts'
import { methodNotAllowed, notFound } from './errors.ts'
import { type Rendered, sendRendered } from './reply.ts'
import type { FlatHeaders } from './security-headers.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Server Directory API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs scripts. The plain description is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`
// validatorUrl: the badge would send the document to a site elsewhere.
const SCRIPT = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, displayRequestDuration: true })
`

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const packaged = (name: string) => async () =>
  fs.readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))
const ASSETS = new Map<string, { contentType: string; read: () => Promise<Buffer> }>([
  ['swagger-ui.css', { contentType: 'text/css; charset=utf-8', read: packaged('swagger-ui.css') }],
  ['swagger-ui-bundle.js', { contentType: SCRIPT_TYPE, read: packaged('swagger-ui-bundle.js') }],
  ['favicon-32x32.png', { contentType: 'image/png', read: packaged('favicon-32x32.png') }],
  ['reference.js', { contentType: SCRIPT_TYPE, read: async () => Buffer.from(SCRIPT) }],
])

/** To be mounted at the root. Files are read and compressed at their first request. */
export function createDocsRouter(options: { takeLimit: TakeLimit; pageHeaders: FlatHeaders }): Router {
  const { takeLimit, pageHeaders } = options
  const rendered = new Map<string, Promise<Rendered>>()
  const router = express.Router()

  router.get(
    '/docs',
    leaf('/docs', false, takeLimit, async (req, res) => {
      contextOf(res).securityHeaders = pageHeaders
      sendRendered(req, res, await render(Buffer.from(PAGE)), 'text/html; charset=utf-8')
    }),
  )
  router.get(
    '/docs/:file',
    leaf('/docs/{file}', false, takeLimit, async (req, res) => {
      const name = String(req.params.file)
      const asset = ASSETS.get(name)
      if (!asset) throw notFound('There is no such page.')
      contextOf(res).securityHeaders = pageHeaders
      const file = rendered.get(name) ?? asset.read().then(render)
      rendered.set(name, file)
      sendRendered(req, res, await file, asset.contentType)
    }),
  )
  router.all(
    ['/docs', '/docs/:file'],
    leaf('/docs', false, takeLimit, (req) => {
      throw methodNotAllowed(req.method, 'GET, HEAD')
    }),
  )
  return router
}

async function render(bytes: Buffer): Promise<Rendered> {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { bytes, etag, maxAgeSeconds: 3600, gzip: await promisify(gzip)(bytes) }
}
