// Builds the image ahead of `npm run test:containers`, which then takes it from the engine's cache.
import { findEngine } from './support/engine.ts'
import { createInstallation } from './support/installation.ts'

const engine = findEngine()
if (typeof engine === 'string') console.log(`no image: ${engine}`)
else {
  const at = await createInstallation(engine)
  await at.sh('docker compose build').finally(() => at.remove())
}
