// Pages for people and their assets: read from disk, sent with the security headers of pages, all from the same origin.
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import express, { type Router } from 'express'
import { PRODUCT_NAME } from '../product.ts'
import { createRouteHandler, type RequestLimiter } from './api.ts'
import { contextOf } from './context.ts'
import { methodNotAllowed } from './errors.ts'
import { strongEtag } from './etag.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import { type Rendered, sendRedirect, sendRendered } from './reply.ts'

/** A page that mails and payments lead to: one card with a title. */
interface CardPage {
  title: string
  /** File with the HTML of the card, below its heading. */
  content: URL
  /** Path of its script. */
  script: `/${string}`
}

/** The location of each file, by the path it is served at. */
export type Pages = Record<`/${string}`, URL | CardPage>

const HTML = 'text/html; charset=utf-8'

const CONTENT_TYPE: Record<string, string> = {
  '.html': HTML,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const own = (name: string) => new URL(`pages/${name}`, import.meta.url)

/** What all pages share. */
const PLATFORM_PAGES: Pages = {
  '/pages/page.css': own('page.css'),
  '/favicon.svg': own('favicon.svg'),
  '/favicon.ico': own('favicon.svg'), // asked for by browsers that show a JSON reply
}

/** For the mount at the root. Files are read and compressed at their first request. */
export function createPagesRouter(options: {
  pages: Pages
  limitRequest: RequestLimiter
  limitFile: RequestLimiter
  pageHeaders: FlatHeaders
}): Router {
  const { limitRequest, limitFile, pageHeaders } = options
  const files = { ...PLATFORM_PAGES, ...options.pages }
  const rendered = new Map<string, Promise<Rendered>>()
  const router = express.Router({ caseSensitive: true, strict: true })

  // For visitors who open the origin's root, or have just logged in through a platform.
  router.get(
    '/',
    createRouteHandler('/', false, limitRequest, (_req, res) => sendRedirect(res, '/docs', [])),
  )
  for (const [address, page] of Object.entries(files)) {
    const file = fileURLToPath(page instanceof URL ? page : page.content)
    const contentType = CONTENT_TYPE[path.extname(file)] ?? 'application/octet-stream'
    router.get(
      address,
      createRouteHandler(address, false, contentType === HTML ? limitRequest : limitFile, async (req, res) => {
        contextOf(res).securityHeaders = pageHeaders
        const bytes = rendered.get(file) ?? read(page).then(render)
        rendered.set(file, bytes)
        sendRendered(req, res, await bytes, contentType)
      }),
    )
  }
  for (const address of ['/', ...Object.keys(files)])
    router.all(
      address,
      createRouteHandler(address, false, limitRequest, (req) => {
        throw methodNotAllowed(req.method, 'GET, HEAD')
      }),
    )
  return router
}

async function read(page: URL | CardPage): Promise<Buffer> {
  if (page instanceof URL) return fs.readFile(page)
  return Buffer.from(renderCardPage(page, await fs.readFile(page.content, 'utf8')))
}

async function render(bytes: Buffer): Promise<Rendered> {
  const etag = strongEtag(bytes)
  return { bytes, etag, maxAgeSeconds: 3600, gzip: await promisify(gzip)(bytes) }
}

/** @param content trusted HTML */
const renderCardPage = ({ title, script }: CardPage, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${PRODUCT_NAME}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="/pages/page.css">
<script type="module" src="${script}"></script>
</head>
<body>
<header><a href="/"><img src="/favicon.svg" alt="" width="24" height="24">${PRODUCT_NAME}</a></header>
<main>
<h1>${title}</h1>
${content.trim()}
<p role="status"></p>
<noscript><p>This page needs scripts.</p></noscript>
</main>
<footer><a href="/docs">API reference</a></footer>
</body>
</html>
`
