// Pages on which nothing moves: copy buttons, previews, and buttons that name what they wait for.
import { copyOnClick } from './copy.ts'
import { readPage } from './live.ts'
import { previewInPlace } from './preview.ts'
import { showWaiting } from './waiting.ts'

copyOnClick(readPage<unknown, never>().locale)
showWaiting()
previewInPlace()
