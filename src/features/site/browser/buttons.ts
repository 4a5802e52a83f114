// Pages on which nothing moves: copy buttons, and buttons that name what they wait for.
import { copyOnClick } from './copy.ts'
import { readPage } from './live.ts'
import { showWaiting } from './waiting.ts'

copyOnClick(readPage<unknown, never>().locale)
showWaiting()
