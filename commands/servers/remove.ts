// `servers remove`: removes one server from the directory.
import { CommandError, defineCommand } from '../command.ts'
import { withPool } from '../database.ts'

export const remove = defineCommand({
  help: `npm run servers -- remove <id>

Removes a server from the directory and stops polling it. \`list\` shows the ids.
`,
  arguments: ['id'],
  run: ([id]) =>
    withPool(async (pool) => {
      const { removeServerAndNotify } = await import('../../src/features/server-removal/index.ts')
      if (!(await removeServerAndNotify(pool, id))) throw new CommandError(`no listed server has the id ${id}`)
      console.log(`removed ${id}`)
      return 0
    }),
})
