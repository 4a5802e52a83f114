// The preview of a description, in its place: the page's own answer to the form, without loading the page.
export function previewInPlace(): void {
  document.addEventListener('submit', async (event) => {
    const { target, submitter } = event as SubmitEvent & { target: HTMLFormElement }
    if ((submitter as HTMLButtonElement | null)?.name !== 'preview') return
    event.preventDefault()
    const reply = await fetch(location.href, {
      method: 'POST',
      body: new URLSearchParams(new FormData(target, submitter) as unknown as Record<string, string>),
    })
      .then((answer) => answer.text())
      .catch(() => '')
    const shown = new DOMParser().parseFromString(reply, 'text/html').querySelector('#preview')
    if (shown) {
      document.querySelector('#preview')?.replaceWith(shown)
      return
    }
    // The page itself says why. A form that a script submits lacks the pressed button: without it the form would be saved.
    const pressed = document.createElement('input')
    Object.assign(pressed, { type: 'hidden', name: 'preview', value: 'true' })
    target.append(pressed)
    target.submit()
    pressed.remove() // the browser has read the form, and may show it again
  })
}
