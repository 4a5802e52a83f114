// The pages that links in mails open. The token is in the URL's fragment, which browsers send to no server. It is used only when
// the visitor presses the button: programs that follow links in mails do not.
const token = location.hash.slice(1)
const form = document.querySelector(token ? 'form[data-with-token]' : 'form[data-without-token]')
const status = document.querySelector('[role=status]')
const show = document.querySelector('#show')

function say(text, isBad) {
  status.textContent = text
  status.classList.toggle('bad', isBad)
}

/** Formats the API's error details as a sentence. */
function reasonOf({ message, details }) {
  if (!details?.length) return message
  return details.map(({ path, message }) => `${path.replace(/^body\./, 'The ')} ${message}.`).join(' ')
}

/** Named fields of the form; disabled ones are not sent. */
function fieldsOf({ elements }) {
  const named = [...elements].filter(({ name, disabled }) => name && !disabled)
  return Object.fromEntries(
    named.map(({ name, type, checked, value }) => [name, type === 'checkbox' ? checked : value]),
  )
}

/** Shows and enables the field that the error asks for. */
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
    history.replaceState(null, '', location.pathname) // a token works once
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

// Opening another such link in this tab changes only the fragment.
addEventListener('hashchange', () => location.reload())
