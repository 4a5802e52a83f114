// The API's entry point.
import { runProcess } from './process.ts'

if (import.meta.main)
  await runProcess({
    role: 'api',
    countSetting: 'API_PROCESSES',
    portSettings: ['PORT', 'OPERATOR_PORT'],
    load: async () => (await import('./api.ts')).api,
  })
