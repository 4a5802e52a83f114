// Images from the database, at the root of the service. The name of an image is the hash of its bytes, so it never changes.
import express, { type Router } from 'express'
import { createRouteHandler, type RequestLimiter } from './api.ts'
import { methodNotAllowed, notFound } from './errors.ts'
import { IMMUTABLE_SECONDS, sendRendered } from './reply.ts'

/** For the OpenAPI document. */
export interface ImageDeclaration {
  /** Where the images are: `/icons` for `/icons/{hash}.png`. */
  folder: `/${string}`
  operationId: string
  summary: string
}

export interface ImageRoute extends ImageDeclaration {
  /** SHA-256, base64url, without `.png`. */
  read(hash: string): Promise<Buffer | undefined>
}

const FILE = /^([\w-]{43})\.png$/

/** For the mount at the root. Any page may show the images. */
export function createImagesRouter({ images, limitFile }: { images: ImageRoute[]; limitFile: RequestLimiter }): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  for (const { folder, read } of images) {
    const path = `${folder}/:file`
    router.get(
      path,
      createRouteHandler(`${folder}/{file}`, true, limitFile, async (req, res) => {
        const [, hash] = FILE.exec(String(req.params.file)) ?? []
        const bytes = hash === undefined ? undefined : await read(hash)
        if (!bytes) throw notFound('There is no image at this address.')
        sendRendered(
          req,
          res,
          { bytes, etag: `"${hash}"`, maxAgeSeconds: IMMUTABLE_SECONDS, gzip: undefined },
          'image/png',
        )
      }),
    )
    router.all(
      path,
      createRouteHandler(`${folder}/{file}`, true, limitFile, (req) => {
        throw methodNotAllowed(req.method, 'GET, HEAD')
      }),
    )
  }
  return router
}
