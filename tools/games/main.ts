// `npm run games`: writes src/features/servers/games.ts after gamedig was updated.
import fs from 'node:fs'
import path from 'node:path'
import { games, protocols } from 'gamedig'
import { runAlone } from '../commands/command.ts'
import { renderGames } from './render.ts'

const target = path.resolve(import.meta.dirname, '../../src/features/servers/games.ts')
const HELP = `npm run games

Writes src/features/servers/games.ts anew from the gamedig package, after an update of it.
`

await runAlone('games', {
  help: HELP,
  async run() {
    fs.writeFileSync(target, renderGames(games, Object.keys(protocols)))
    console.log(`${Object.keys(games).length} games, ${Object.keys(protocols).length} protocols → ${target}`)
    return 0
  },
})
