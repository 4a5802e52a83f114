// Turns drawings into PNG images in a thread, one after the other. The thread is started by the first and
// ends when none comes.
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { unavailable } from '../../platform/http/errors.ts'

interface Bounds {
  /** Drawings that wait, the one that is rendered included. */
  waiting: number
  timeoutMs: number
  /** How long the thread, which takes some 20 MB, waits for the next drawing. */
  idleMs: number
}

const BOUNDS: Bounds = { waiting: 16, timeoutMs: 5_000, idleMs: 30_000 }
const RETRY_AFTER_SECONDS = 2

/** @throws ApiError 503 while too many wait */
export type RenderPng = (svg: string) => Promise<Buffer>

export function createPngRenderer(bounds: Partial<Bounds> = {}): RenderPng {
  const { waiting, timeoutMs, idleMs } = { ...BOUNDS, ...bounds }
  const oneAtATime = pLimit(1)
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function end(): void {
    void thread?.terminate()
    thread = undefined
  }

  function start(): Worker {
    const started = new Worker(new URL('./card-thread.ts', import.meta.url), { env: {} })
    started.unref() // a process that stops does not wait for it
    started.on('error', () => undefined) // of a drawing, which rejects
    return started
  }

  function render(svg: string): Promise<Buffer> {
    clearTimeout(idle)
    thread ??= start()
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const running = thread
    const fail = (cause?: unknown) => {
      if (thread === running) end() // the next drawing gets another thread
      reject(new Error('the drawing could not be rendered', { cause }))
    }
    const done = (png: Uint8Array) => resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
    const timer = setTimeout(fail, timeoutMs, 'timeout')
    running.once('message', done).once('error', fail)
    running.postMessage(svg)
    return promise.finally(() => {
      clearTimeout(timer)
      running.off('message', done).off('error', fail)
      idle = setTimeout(end, idleMs).unref()
    })
  }

  return async (svg) => {
    if (oneAtATime.activeCount + oneAtATime.pendingCount >= waiting)
      throw unavailable('Too many cards are being drawn. Try again shortly.', RETRY_AFTER_SECONDS)
    return oneAtATime(render, svg)
  }
}
