// The API's entry point.
import { runProcess } from './process.ts'

if (import.meta.main) await runProcess('api', async () => (await import('./api.ts')).api)
