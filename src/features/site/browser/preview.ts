// Shows the preview of a description without loading the page: takes it from the page's own reply to the form.
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
    // Without a preview, the form loads the page, which says why. A script's submit lacks the pressed button, so a
    // field replaces it: otherwise the form would be saved.
    const pressed = document.createElement('input')
    Object.assign(pressed, { type: 'hidden', name: 'preview', value: 'true' })
    target.append(pressed)
    target.submit()
    pressed.remove() // the browser has read the form, and may show it again
  })
}
