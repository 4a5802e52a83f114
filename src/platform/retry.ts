// Work that could not be done now, because others were in its way.
import { setTimeout as sleep } from 'node:timers/promises'

interface RetryOptions {
  /** How often the work is done at most. */
  tries: number
  /** @param attempt the one that failed, counted from 1 */
  pauseMs(attempt: number): number
  /** Called before the pause. */
  onRetry?(attempt: number): void
}

/**
 * Does `work` again after the errors that `isRetryable` accepts.
 * @param work may be repeated after a failure: it is a transaction, or continues from what it finds
 * @throws the error of the last attempt
 */
export async function retryOn<T>(
  isRetryable: (error: unknown) => boolean,
  work: () => Promise<T>,
  { tries, pauseMs, onRetry }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt >= tries || !isRetryable(error)) throw error
      onRetry?.(attempt)
      await sleep(pauseMs(attempt))
    }
}
