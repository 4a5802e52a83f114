// Encodes the logo of the site and shows it.
import type { Deps } from '../../src/deps.ts'
import { findLogoUpload, finishLogo, type LogoAttempt } from '../../src/features/appearance/index.ts'
import type { Encode } from './encoder.ts'

/** Does nothing if the logo has been replaced or removed since. Nothing is written before the picture is whole. */
export function createLogoEncodeHandler(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  encode: Encode,
): (attempt: LogoAttempt, signal: AbortSignal) => Promise<void> {
  return async (attempt, signal) => {
    const bytes = await findLogoUpload(pool, attempt)
    if (!bytes) return
    const result = await encode(bytes, 'logo', signal)
    signal.throwIfAborted() // another worker has taken the job over
    const counts = await finishLogo({ pool }, attempt, result)
    log.info({ counts, ...('refused' in result && { refused: result.refused }) }, 'logo of the site encoded')
  }
}
