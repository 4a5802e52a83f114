// `servers remove`: takes one server out of the directory.
import { CommandError } from '../commands/command.ts'
import type { ServersCommand } from './context.ts'

export const remove: ServersCommand = {
  help: `npm run servers -- remove <id>

Takes a server out of the directory; it is polled no more. \`list\` shows the ids.
`,
  options: {},
  arguments: ['id'],
  async run({ servers }, _values, [id = '']) {
    if (!(await servers.remove(id))) throw new CommandError(`no listed server has the id ${id}`)
    console.log(`removed ${id}`)
    return 0
  },
}
