// The baseline of the webhook benchmark: undici alone, with as many concurrent requests as there are servers, no
// signatures, no writes.
import { Agent, request } from 'undici'
import type { Rate } from './report.ts'

interface Task {
  url: string
  requests: number
  atOnce: number
  body: string
}

process.once('message', async ({ url, requests, atOnce, body }: Task) => {
  const dispatcher = new Agent({ allowH2: false })
  const headers = { 'content-type': 'application/json' }
  async function post(count: number): Promise<Rate> {
    let left = count
    const startedAt = performance.now()
    const cpu = process.cpuUsage()
    const lanes = Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body, dispatcher })
        await answer.dump()
        if (statusCode !== 204) throw new Error(`the receiver answered ${statusCode}`)
      }
    })
    await Promise.all(lanes)
    const { user, system } = process.cpuUsage(cpu)
    return { perSecond: count / ((performance.now() - startedAt) / 1_000), microsEach: (user + system) / count }
  }
  await post(Math.ceil(requests / 5)) // warm-up: both sides compile and open connections
  process.send?.(await post(requests))
  await dispatcher.close()
})
