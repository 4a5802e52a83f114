// Pages for people and their assets: read from disk, sent with the security headers of pages, all from the same origin.
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import express, { type Router } from 'express'
import { createRouteHandler, type RequestLimiter } from './api.ts'
import { contextOf } from './context.ts'
import { methodNotAllowed } from './errors.ts'
import { escapeHtml } from './escape-html.ts'
import { strongEtag } from './etag.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import { type Rendered, sendRendered } from './rendered-reply.ts'
import { sendRedirect } from './reply.ts'

/** How the site looks, as its administrators set it. */
export interface PageAppearance {
  name: string
  /** Path of a WebP of 64 × 64 pixels; undefined: the product's logo is used. */
  logo: string | undefined
  /** Path of the style of the accent colour; undefined: the product's is in the style of each page. */
  style: string | undefined
  /** Empty: no link. */
  imprintUrl: string
  privacyUrl: string
  /** The same while nothing has changed. */
  version: string
}

/** A page that mails and payments lead to: one card with a title. */
interface CardPage {
  title: string
  /** File with the HTML of the card, between its heading and what its script says. */
  content?: URL
  /** Path of its script. */
  script: `/${string}`
  /** Said without scripts; default: that the page needs them. */
  withoutScripts?: string
  /** HTML at the end of the card. */
  end?: string
}

/** The file or card page that is served at each path. */
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

/** Mounted at the root. Files are read and compressed at their first request. */
export function createPagesRouter(options: {
  pages: Pages
  limitRequest: RequestLimiter
  limitFile: RequestLimiter
  pageHeaders: FlatHeaders
  appearance(): PageAppearance
}): Router {
  const { limitRequest, limitFile, pageHeaders, appearance } = options
  const files = { ...PLATFORM_PAGES, ...options.pages }
  /** Rendered files by address; a page has the version of the appearance that it shows. */
  const rendered = new Map<string, { version: string; bytes: Promise<Rendered> }>()
  const router = express.Router({ caseSensitive: true, strict: true })

  // Visitors get here when they open the origin's root, or have just logged in through a platform.
  router.get(
    '/',
    createRouteHandler({ route: '/', limitRequest }, (_req, res) => sendRedirect(res, '/docs')),
  )
  for (const [address, page] of Object.entries(files)) {
    const contentType = page instanceof URL ? contentTypeOf(page) : HTML
    router.get(
      address,
      createRouteHandler(
        { route: address, limitRequest: contentType === HTML ? limitRequest : limitFile },
        async (req, res) => {
          contextOf(res).securityHeaders = pageHeaders
          const version = page instanceof URL ? '' : appearance().version
          const known = rendered.get(address)
          const current = known?.version === version ? known : { version, bytes: read(page, appearance()) }
          rendered.set(address, current)
          current.bytes.catch(() => rendered.delete(address)) // a failed read is tried again
          sendRendered(req, res, await current.bytes, contentType)
        },
      ),
    )
  }
  for (const address of ['/', ...Object.keys(files)])
    router.all(
      address,
      createRouteHandler({ route: address, limitRequest }, (req) => {
        throw methodNotAllowed(req.method, 'GET, HEAD')
      }),
    )
  return router
}

const contentTypeOf = (file: URL) => CONTENT_TYPE[path.extname(fileURLToPath(file))] ?? 'application/octet-stream'

async function read(page: URL | CardPage, appearance: PageAppearance): Promise<Rendered> {
  if (page instanceof URL) return render(await fs.readFile(page), 3600)
  const content = page.content ? await fs.readFile(page.content, 'utf8') : ''
  return render(Buffer.from(renderCardPage(page, appearance, content)), 0)
}

async function render(bytes: Buffer, maxAgeSeconds: number): Promise<Rendered> {
  const etag = strongEtag(bytes)
  return { bytes, etag, maxAgeSeconds, gzip: await promisify(gzip)(bytes) }
}

/** The icon of a page. */
export const iconOf = ({ logo }: Pick<PageAppearance, 'logo'>) =>
  logo ? { path: logo, type: 'image/webp' } : { path: '/favicon.svg', type: 'image/svg+xml' }

/** @param content trusted HTML */
function renderCardPage(
  { title, script, withoutScripts, end = '' }: CardPage,
  appearance: PageAppearance,
  content: string,
): string {
  const { style, imprintUrl, privacyUrl } = appearance
  const name = escapeHtml(appearance.name)
  const icon = iconOf(appearance)
  const link = (text: string, url: string) => (url ? ` <a href="${escapeHtml(url)}">${text}</a>` : '')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${name}</title>
<link rel="icon" type="${icon.type}" href="${icon.path}">
<link rel="stylesheet" href="/pages/page.css">${style ? `\n<link rel="stylesheet" href="${style}">` : ''}
<script type="module" src="${script}"></script>
</head>
<body>
<header><a href="/"><img src="${icon.path}" alt="" width="24" height="24">${name}</a></header>
<main>
<h1>${title}</h1>
${content.trim()}
<p role="status"></p>${end}
<noscript><p>${withoutScripts ?? 'This page needs scripts.'}</p></noscript>
</main>
<footer>${link('API reference', '/docs')}${link('Imprint', imprintUrl)}${link('Privacy policy', privacyUrl)}</footer>
</body>
</html>
`
}
