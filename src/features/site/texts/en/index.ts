// All English texts, by the part of the site that shows them.
import { account } from './account.ts'
import { common } from './common.ts'
import { directory } from './directory.ts'
import { forms } from './forms.ts'
import { server } from './server.ts'

export const texts = { account, common, directory, forms, server }
