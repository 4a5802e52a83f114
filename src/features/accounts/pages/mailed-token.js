// A page that a mail's link opens. The token is in the address' fragment, which browsers send to nobody, and it is only used once
// somebody presses the button: programs that look at links in mails do not.
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const show = document.querySelector('#show')
const token = location.hash.slice(1)

function say(text, isBad) {
  status.textContent = text
  status.classList.toggle('bad', isBad)
}

/** What the API says is wrong, as a sentence. */
function reasonOf({ message, details }) {
  if (!details?.length) return message
  return details.map(({ path, message }) => `${path.replace(/^body\./, 'The ')} ${message}.`).join(' ')
}

async function send(event) {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  say('', false)
  try {
    const fields = Object.fromEntries(new FormData(form))
    const response = await fetch(form.dataset.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...fields, token }),
    })
    if (!response.ok) return say(reasonOf(await response.json()), true)
    history.replaceState(null, '', location.pathname) // it works once
    form.hidden = true
    say(form.dataset.done, false)
  } catch {
    say('The directory can’t be reached just now. Try again in a moment.', true)
  } finally {
    button.disabled = false
  }
}

if (token) {
  form.hidden = false
  form.addEventListener('submit', send)
} else say('This page is opened by the link in a mail. Its address is not whole: copy all of it.', true)

show?.addEventListener('change', () => {
  form.elements.password.type = show.checked ? 'text' : 'password'
})
