// A page that a mail's link opens. The token is in the address' fragment, which browsers send to nobody, and it is only used once
// somebody presses the button: programs that look at links in mails do not.
const token = location.hash.slice(1)
const form = document.querySelector(token ? 'form[data-with-token]' : 'form[data-without-token]')
const status = document.querySelector('[role=status]')
const show = document.querySelector('#show')

function say(text, isBad) {
  status.textContent = text
  status.classList.toggle('bad', isBad)
}

/** What the API says is wrong, as a sentence. */
function reasonOf({ message, details }) {
  if (!details?.length) return message
  return details.map(({ path, message }) => `${path.replace(/^body\./, 'The ')} ${message}.`).join(' ')
}

/** Fields with a name; those that are not asked for are disabled. */
function fieldsOf({ elements }) {
  const named = [...elements].filter(({ name, disabled }) => name && !disabled)
  return Object.fromEntries(
    named.map(({ name, type, checked, value }) => [name, type === 'checkbox' ? checked : value]),
  )
}

/** Asks for what the answer says is missing. */
function askFor(error) {
  const part = form.querySelector(`[data-on="${error}"]`)
  if (!part) return
  part.hidden = false
  const field = part.querySelector('input')
  field.disabled = false
  field.required = true
  field.focus()
}

async function send(event) {
  event.preventDefault()
  const button = form.querySelector('button')
  const fields = fieldsOf(form)
  button.disabled = true
  say('', false)
  try {
    const response = await fetch(form.dataset.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(token ? { ...fields, token } : fields),
    })
    if (!response.ok) {
      const problem = await response.json()
      say(reasonOf(problem), true)
      return askFor(problem.error)
    }
    history.replaceState(null, '', location.pathname) // it works once
    form.hidden = true
    say(form.dataset.done, false)
  } catch {
    say('The directory can’t be reached just now. Try again in a moment.', true)
  } finally {
    button.disabled = false
  }
}

if (form) {
  form.hidden = false
  form.addEventListener('submit', send)
} else say('This page is opened by the link in a mail. Its address is not whole: copy all of it.', true)

show?.addEventListener('change', () => {
  document.querySelector('form[data-with-token]').elements.password.type = show.checked ? 'text' : 'password'
})

// A link that is opened in this tab while the page is shown changes the fragment only.
addEventListener('hashchange', () => location.reload())
