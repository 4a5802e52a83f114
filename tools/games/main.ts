// `npm run games`: writes src/features/servers/games.ts after gamedig was updated.
import fs from 'node:fs'
import path from 'node:path'
import { games, protocols } from 'gamedig'
import { renderGames } from './render.ts'

const target = path.resolve(import.meta.dirname, '../../src/features/servers/games.ts')
fs.writeFileSync(target, renderGames(games, Object.keys(protocols)))
console.log(`${Object.keys(games).length} games, ${Object.keys(protocols).length} protocols → ${target}`)
