// All German texts.
import { common } from './common.ts'
import { directory } from './directory.ts'
import { server } from './server.ts'

export const texts = { common, directory, server }
