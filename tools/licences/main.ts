// `npm run licences`: writes docs/LICENCES.md from the lockfile.
import fs from 'node:fs'
import path from 'node:path'
import { readLockedPackages, renderLicences } from './list.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const packages = readLockedPackages(path.join(ROOT, 'package-lock.json'))
fs.writeFileSync(path.join(ROOT, 'docs/LICENCES.md'), renderLicences(packages))
