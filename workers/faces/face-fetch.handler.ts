// Downloads the picture of a listing's `bannerUrl`, encodes it and shows it. The address stays, whatever becomes of the
// picture.
import type { Deps } from '../../src/deps.ts'
import { type FaceAttempt, findBannerUrl, recordEncoding } from '../../src/features/faces/index.ts'
import { createDownload, type Download } from './download.ts'
import type { Encode } from './encoder.ts'

/** Does nothing if another picture was given since. */
export function createFaceFetchHandler(
  { pool, settings, log }: Pick<Deps, 'pool' | 'settings' | 'log'>,
  encode: Encode,
  download: Download = createDownload({
    allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
    nameServers: settings.DNS_SERVERS,
  }),
): (attempt: FaceAttempt, signal: AbortSignal) => Promise<void> {
  return async (attempt, signal) => {
    const url = await findBannerUrl(pool, attempt)
    if (url === undefined) return
    const downloaded = await download(url, signal)
    const result = Buffer.isBuffer(downloaded)
      ? await encode(downloaded, attempt.kind, signal)
      : { refused: `can’t be downloaded: ${downloaded.refused}` }
    signal.throwIfAborted() // another worker has taken the job over
    const { serverId, kind } = attempt
    const counts = await recordEncoding({ pool }, attempt, result)
    log.info({ serverId, kind, counts, ...('refused' in result && { refused: result.refused }) }, 'picture downloaded')
  }
}
