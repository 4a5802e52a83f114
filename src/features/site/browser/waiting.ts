// Forms whose answer takes seconds: the button names what it waits for.
export function showWaiting(): void {
  document.addEventListener('submit', ({ target }) => {
    const form = target as HTMLFormElement
    const { wait } = form.dataset
    const button = form.querySelector('button')
    if (!wait || !button) return
    button.textContent = wait
    // After the form has been read.
    setTimeout(() => {
      button.disabled = true
    })
  })
  // A page that the browser kept and shows again.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
}
