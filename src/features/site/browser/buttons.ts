// Pages on which nothing moves: only their copy buttons need a script.
import { copyOnClick } from './copy.ts'
import { readPage } from './live.ts'

copyOnClick(readPage<unknown, never>().locale)
