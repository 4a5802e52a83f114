// `npm run licences`: generates docs/LICENCES.md from the lockfile.
import fs from 'node:fs'
import path from 'node:path'
import { defineCommand, runProgram } from '../../commands/command.ts'
import { readLockedPackages, renderLicences } from './list.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const HELP = `npm run licences

Generates docs/LICENCES.md from package-lock.json. Run it after a change of the packages.
`

const command = defineCommand({
  help: HELP,
  async run() {
    const target = path.join(ROOT, 'docs/LICENCES.md')
    const packages = readLockedPackages(path.join(ROOT, 'package-lock.json'))
    fs.writeFileSync(target, renderLicences(packages))
    console.log(`${packages.length} packages → ${target}`)
    return 0
  },
})

await runProgram('licences', command)
