// The worker's entry point.
import { runProcess } from '../src/process.ts'

if (import.meta.main)
  await runProcess({
    role: 'worker',
    countSetting: 'WORKER_PROCESSES',
    portSettings: ['WORKER_PORT'],
    load: async () => (await import('./process.ts')).worker,
  })
