// The routes of the site besides pages: the files that pages load, flags, robots.txt and the sitemap.
import fs from 'node:fs'
import path from 'node:path'
import type { Request, Router } from 'express'
import { createRouteHandler } from '../../platform/http/api.ts'
import { contextOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { strongEtag } from '../../platform/http/etag.ts'
import type { Site, SiteHost } from '../../platform/http/http-app.ts'
import { IMMUTABLE_SECONDS, type Rendered, sendRendered } from '../../platform/http/rendered-reply.ts'
import { ACCENTS_FOLDER, findAccentStyle } from '../appearance/index.ts'
import type { Assets } from './assets.ts'
import { FLAGS_PATH } from './components/server-parts.ts'
import { createSitemap, robots, type SitemapOptions } from './crawlers.ts'
import { createFlags } from './flags.ts'

const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

type FilesOptions = Pick<SiteHost, 'limitRequest' | 'limitFile'> & Pick<Site, 'headers'> & SitemapOptions

/** Mounts flags, `robots.txt`, the sitemap and the service worker. */
export function mountFiles(router: Router, options: FilesOptions): void {
  const { origin, headers, limitRequest, limitFile } = options
  const sitemap = createSitemap(options)

  const text = (path: string, type: string, body: (req: Request) => Rendered | Promise<Rendered> | undefined) =>
    router.get(
      path,
      createRouteHandler({ route: path, limitRequest }, async (req, res) => {
        const rendered = await body(req)
        if (!rendered) throw notFound('There is no such part.')
        sendRendered(req, res, rendered, type)
      }),
    )
  text('/robots.txt', 'text/plain; charset=utf-8', () => uncompressed(robots(origin)))
  text('/sitemap.xml', 'application/xml', () => uncompressed(sitemap.index()))
  text('/sitemap-:part.xml', 'application/xml', ({ params }) => sitemap.part(String(params.part)))

  const worker = uncompressed(fs.readFileSync(path.join(import.meta.dirname, 'service-worker.js'), 'utf8'))
  router.get(
    '/service-worker.js',
    createRouteHandler({ route: '/service-worker.js', limitRequest }, (req, res) => {
      // The rules of its script's reply bind the worker too, which asks the API to end messages.
      contextOf(res).securityHeaders = headers
      sendRendered(req, res, worker, JAVASCRIPT)
    }),
  )

  const flags = createFlags()
  router.get(
    `${FLAGS_PATH}/:file`,
    createRouteHandler({ route: FLAGS_PATH, limitRequest: limitFile }, (req, res) => {
      const flag = flags(String(req.params.file))
      if (!flag) throw notFound('There is no such flag.')
      sendRendered(req, res, flag, 'image/svg+xml')
    }),
  )
}

interface AssetsOptions extends Pick<SiteHost, 'limitFile'>, Pick<Site, 'headers'> {
  assets: Assets
}

/** Mounts the files that pages load, and the styles of accent colours. */
export function mountAssets(router: Router, { assets, headers, limitFile }: AssetsOptions): void {
  router.get(
    '/assets/:version/*name',
    createRouteHandler({ route: '/assets', limitRequest: limitFile }, async (req, res) => {
      const { version, name } = req.params as unknown as { version: string; name: string[] }
      const asset = await assets.read(version, name.join('/'))
      if (!asset) throw notFound('There is no such file.')
      contextOf(res).securityHeaders = headers
      sendRendered(req, res, asset.rendered, asset.contentType)
    }),
  )
  router.get(
    `${ACCENTS_FOLDER}/:file`,
    createRouteHandler({ route: ACCENTS_FOLDER, limitRequest: limitFile }, (req, res) => {
      const found = findAccentStyle(String(req.params.file))
      if (!found) throw notFound('There is no such style.')
      contextOf(res).securityHeaders = headers
      const rendered = uncompressed(found.style)
      // If a process of another version rendered the page, this style may differ from the one that the address names.
      sendRendered(req, res, { ...rendered, maxAgeSeconds: found.isCurrent ? IMMUTABLE_SECONDS : 60 }, CSS)
    }),
  )
}

function uncompressed(text: string): Rendered {
  const bytes = Buffer.from(text)
  return { bytes, etag: strongEtag(bytes), maxAgeSeconds: 600, gzip: undefined }
}
