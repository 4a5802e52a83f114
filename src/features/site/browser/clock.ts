// Shows a page again each second, and with new data every few seconds.
import type { LivePage } from './live.ts'

const TICK_MS = 1_000
const READ_MS = 4_000
/** A browser's clock that differs by more is wrong; a page can be some seconds old. */
const MAX_SKEW_MS = 60_000

/** @param read what has changed; without an answer the page keeps what it shows */
export function refreshEachSecond<Data extends { now: number }>(
  page: Pick<LivePage<Data, never>, 'data' | 'show'>,
  read: () => Promise<Partial<Data>>,
): void {
  const skew = page.data.now - Date.now()
  const now = () => Date.now() + (Math.abs(skew) > MAX_SKEW_MS ? skew : 0)
  const show = (changed: Partial<Data>) => page.show({ ...page.data, ...changed, now: now() })
  setInterval(() => document.hidden || show({}), TICK_MS)
  setInterval(() => document.hidden || read().then(show, () => {}), READ_MS)
}
