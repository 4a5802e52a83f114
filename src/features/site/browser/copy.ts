// Buttons that copy the text of their `data-copy`.
import type { Locale } from '../components/locale.ts'

/** Pages over http have no clipboard. */
export const canCopy = 'clipboard' in navigator

export function copyOnClick(locale: Locale<never>): void {
  document.documentElement.classList.toggle('no-clipboard', !canCopy)
  if (!canCopy) return
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]')
    if (!button) return
    navigator.clipboard.writeText(button.dataset.copy ?? '').then(
      () => say(button, locale),
      () => undefined, // the browser forbids it
    )
  })
}

const SHOWN_MS = 1_500

function say(button: HTMLElement, { t: { common } }: Locale<never>): void {
  const word = button.querySelector('.copy-word')
  if (!word || word.textContent === common.copied) return
  const before = word.textContent
  word.textContent = common.copied
  setTimeout(() => {
    word.textContent = before
  }, SHOWN_MS)
}
