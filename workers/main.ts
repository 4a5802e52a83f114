// The worker's entry point.
import { runProcess } from '../src/process.ts'

if (import.meta.main) await runProcess('worker', async () => (await import('./worker.ts')).worker)
