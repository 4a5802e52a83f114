// Encodes an uploaded picture and shows it.
import type { Deps } from '../../src/deps.ts'
import { type FaceAttempt, findUpload, recordEncoding } from '../../src/features/faces/index.ts'
import type { Encode } from './encoder.ts'

/**
 * Does nothing if the picture has been replaced, removed or locked since. Nothing is written before the picture is
 * whole.
 */
export function createFaceEncodeHandler(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  encode: Encode,
): (attempt: FaceAttempt, signal: AbortSignal) => Promise<void> {
  return async (attempt, signal) => {
    const bytes = await findUpload(pool, attempt)
    if (!bytes) return
    const result = await encode(bytes, attempt.kind, signal)
    signal.throwIfAborted() // another worker has taken the job over
    const { serverId, kind } = attempt
    const counts = await recordEncoding({ pool }, attempt, result)
    log.info({ serverId, kind, counts, ...('refused' in result && { refused: result.refused }) }, 'picture encoded')
  }
}
