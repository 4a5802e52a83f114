// The script of pages that are not live: copy buttons, previews, and buttons that name what they wait for.
import { copyOnClick } from './copy.ts'
import { readPage } from './live.ts'
import { previewInPlace } from './preview.ts'
import { showWaiting } from './waiting.ts'

/**
 * Refuses a file that is too large before it is sent: the server ends such an upload, which browsers
 * show as a failed page.
 */
function checkFiles(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.dataset.maxBytes)) return
    const isTooLarge = (target.files?.[0]?.size ?? 0) > Number(target.dataset.maxBytes)
    target.setCustomValidity(isTooLarge ? (target.dataset.tooLarge ?? '') : '')
    target.reportValidity()
  })
}

copyOnClick(readPage<unknown, never>().locale)
showWaiting()
previewInPlace()
checkFiles()
