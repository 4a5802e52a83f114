// `servers remove`: removes one server from the directory.
import { CommandError, defineCommand } from '../command.ts'
import { withServers } from './context.ts'

export const remove = defineCommand({
  help: `npm run servers -- remove <id>

Removes a server from the directory and stops polling it. \`list\` shows the ids.
`,
  arguments: ['id'],
  run: ([id]) =>
    withServers(async ({ servers }) => {
      if (!(await servers.remove(id))) throw new CommandError(`no listed server has the id ${id}`)
      console.log(`removed ${id}`)
      return 0
    }),
})
