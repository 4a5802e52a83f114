// `npm run games`: generates src/features/games/games.ts; run it after an update of gamedig.
import fs from 'node:fs'
import path from 'node:path'
import { games, protocols } from 'gamedig'
import { defineCommand, runProgram } from '../../commands/command.ts'
import { renderGames } from './render.ts'

const target = path.resolve(import.meta.dirname, '../../src/features/games/games.ts')
const HELP = `npm run games

Generates src/features/games/games.ts from the gamedig package. Run it after an update of gamedig.
`

const command = defineCommand({
  help: HELP,
  async run() {
    fs.writeFileSync(target, renderGames(games, Object.keys(protocols)))
    console.log(`${Object.keys(games).length} games, ${Object.keys(protocols).length} protocols → ${target}`)
    return 0
  },
})

await runProgram('games', command)
