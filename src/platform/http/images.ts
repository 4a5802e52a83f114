// Images from the database, at the root of the service. The name of an image is the hash of its bytes,
// so it never changes.
import express, { type Router } from 'express'
import { createRouteHandler, type RequestLimiter } from './api.ts'
import { methodNotAllowed, notFound } from './errors.ts'
import { IMMUTABLE_SECONDS, sendRendered } from './rendered-reply.ts'

/** Describes the images in the OpenAPI document. */
export interface ImageDeclaration {
  /** Where the images are: `/icons` for `/icons/{hash}.png`. */
  folder: `/${string}`
  type: 'png' | 'webp'
  /** Other sizes in pixels that some images have: 64 for `/images/{hash}-64.webp`. */
  sizes?: readonly number[]
  operationId: string
  summary: string
}

export interface ImageRoute extends ImageDeclaration {
  /**
   * @param hash SHA-256, base64url, of the image in its own size
   * @param size one of `sizes`; undefined: the image's own
   */
  read(hash: string, size: number | undefined): Promise<Buffer | undefined>
}

const FILE = /^([\w-]{43})(?:-(\d+))?\.(\w+)$/

/** Mounted at the root. Any page may show the images. */
export function createImagesRouter({ images, limitFile }: { images: ImageRoute[]; limitFile: RequestLimiter }): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  for (const { folder, type, sizes = [], read } of images) {
    const path = `${folder}/:file`
    const ofFolder = { route: `${folder}/{file}`, limitRequest: limitFile, isCrossOrigin: true }
    router.get(
      path,
      createRouteHandler(ofFolder, async (req, res) => {
        const [name, hash, requestedSize, extension] = FILE.exec(String(req.params.file)) ?? []
        const size = requestedSize === undefined ? undefined : sizes.find((one) => String(one) === requestedSize)
        const isKnown = hash !== undefined && extension === type && (requestedSize === undefined || size !== undefined)
        const bytes = isKnown ? await read(hash, size) : undefined
        if (!bytes) throw notFound('There is no image at this address.')
        sendRendered(
          req,
          res,
          { bytes, etag: `"${name}"`, maxAgeSeconds: IMMUTABLE_SECONDS, gzip: undefined },
          `image/${type}`,
        )
      }),
    )
    router.all(
      path,
      createRouteHandler(ofFolder, (req) => {
        throw methodNotAllowed(req.method, 'GET, HEAD')
      }),
    )
  }
  return router
}
