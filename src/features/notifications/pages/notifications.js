// Shows and changes which events are mailed to the recipient of a mail. The token is in the URL's fragment, which is
// not sent.
const token = location.hash.slice(1)
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const boxes = [...form.querySelectorAll('input[name]')]

function say(text, isBad) {
  status.textContent = text
  status.classList.toggle('bad', isBad)
}

/** @returns whether it worked */
async function exchange(change) {
  try {
    const response = await fetch('/api/notifications/mail-settings', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...change }),
    })
    const settings = await response.json()
    if (!response.ok) {
      say(settings.message, true)
      return false
    }
    for (const box of boxes) box.checked = box.name === 'email' ? settings.email : settings.events[box.name]
    form.hidden = false
    return true
  } catch {
    say('The directory can’t be reached just now. Try again in a moment.', true)
    return false
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { email, ...events } = Object.fromEntries(boxes.map(({ name, checked }) => [name, checked]))
  if (await exchange({ email, events })) say('Saved.', false)
})
addEventListener('hashchange', () => location.reload())
if (token) exchange({})
else say('This page is opened by the link in a mail. Its address is not whole: copy all of it.', true)
