// Renders a page each second with the server's time, and reads changes.
import { serverNow } from './api.ts'
import type { LivePage } from './live.ts'
import { readAgain } from './reading.ts'

const TICK_MS = 1_000
const CLOSING_MS = 3_000
/** The end of an auction: most bids arrive shortly before it, and the result a moment later. */
const LAST_MS = 120_000
const RESULT_MS = 30_000

/** @param read reads changes; without a reply the page keeps what it shows */
export async function refreshEachSecond<Data extends { now: number }>(
  page: Pick<LivePage<Data, never>, 'data' | 'show'>,
  read: () => Promise<Partial<Data>>,
  auctionsOf: (data: Data) => readonly { endsAt: string }[],
): Promise<void> {
  const show = (changed: Partial<Data>) => page.show({ ...page.data, ...changed, now: serverNow() })
  const refresh = () => read().then(show)
  const isClosing = ({ endsAt }: { endsAt: string }) => {
    const left = Date.parse(endsAt) - serverNow()
    return left < LAST_MS && left > -RESULT_MS
  }
  // The first reply sets the server's clock: the page itself can be an old copy from the browser's history.
  await refresh().catch(() => {})
  setInterval(() => document.hidden || show({}), TICK_MS)
  readAgain(refresh, { urgentMs: () => (auctionsOf(page.data).some(isClosing) ? CLOSING_MS : undefined) })
}
