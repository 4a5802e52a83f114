// All English texts, by the part of the site that shows them.
import { common } from './common.ts'
import { directory } from './directory.ts'
import { server } from './server.ts'

export const texts = { common, directory, server }
