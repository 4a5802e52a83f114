// Prevents a form from being sent twice, and lets its button name what it waits for.
export function showWaiting(): void {
  /** The sent forms, each with a function that makes it usable again. */
  const sent = new Map<HTMLFormElement, () => void>()

  // The window's listener runs after those of the document: a form that a script sends itself is already prevented.
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.method !== 'post') return
    if (sent.has(form)) return event.preventDefault()
    sent.set(form, markAsSent(form, event.submitter ?? form.querySelector('button')))
  })
  // The browser may have kept the page in memory, and show it again.
  addEventListener('pageshow', () => {
    for (const restore of sent.values()) restore()
    sent.clear()
  })
}

/**
 * The button is not disabled: a disabled one is not sent, and some browsers keep it disabled when the page loads again.
 */
function markAsSent({ dataset: { wait } }: HTMLFormElement, button: HTMLElement | null): () => void {
  if (!button) return () => {}
  const content = [...button.childNodes]
  button.ariaDisabled = 'true'
  if (wait) button.replaceChildren(wait)
  return () => {
    button.ariaDisabled = null
    button.replaceChildren(...content)
  }
}
