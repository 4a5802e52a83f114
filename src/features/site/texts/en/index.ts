// All English texts, by the part of the site that shows them.
import { account } from './account.ts'
import { admin } from './admin.ts'
import { auctions } from './auctions.ts'
import { common } from './common.ts'
import { compare } from './compare.ts'
import { directory } from './directory.ts'
import { featured } from './featured.ts'
import { forms } from './forms.ts'
import { owner } from './owner.ts'
import { server } from './server.ts'

export const texts = { account, admin, auctions, common, compare, directory, featured, forms, owner, server }
