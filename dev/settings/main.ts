// `npm run settings`: generates docs/SETTINGS.md from src/platform/config/settings-schema.ts.
import fs from 'node:fs'
import path from 'node:path'
import { defineCommand, runProgram } from '../../commands/command.ts'
import { renderSettings } from './render.ts'

const HELP = `npm run settings

Generates docs/SETTINGS.md from src/platform/config/settings-schema.ts. Run it after a change of the settings.
`

const command = defineCommand({
  help: HELP,
  async run() {
    const target = path.resolve(import.meta.dirname, '../../docs/SETTINGS.md')
    fs.writeFileSync(target, renderSettings())
    console.log(`settings → ${target}`)
    return 0
  },
})

await runProgram('settings', command)
