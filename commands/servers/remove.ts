// `servers remove`: removes one server from the directory.
import { CommandError } from '../command.ts'
import type { ServersCommand } from './context.ts'

export const remove: ServersCommand = {
  help: `npm run servers -- remove <id>

Removes a server from the directory and stops polling it. \`list\` shows the ids.
`,
  options: {},
  arguments: ['id'],
  async run({ servers }, _values, [id = '']) {
    if (!(await servers.remove(id))) throw new CommandError(`no listed server has the id ${id}`)
    console.log(`removed ${id}`)
    return 0
  },
}
