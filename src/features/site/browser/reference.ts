// The API reference, live: the search, the chosen language of samples, and requests from the page itself.
import { copyOnClick } from './copy.ts'
import { readPage } from './live.ts'

const { locale } = readPage<object, 'reference'>()
copyOnClick(locale)

// In the past, the reference was one page, whose operations were anchors.
const named = location.hash.slice(1)
if (named && location.pathname === '/docs' && document.querySelector(`a[href^="/docs/${CSS.escape(named)}"]`))
  location.replace(`/docs/${named}`)

/** Hides operations that lack one of the words, and headings without operations. */
function search(field: HTMLInputElement): void {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  const items = [...document.querySelectorAll<HTMLElement>('[data-words]')]
  for (const item of items) {
    const tag = item.closest('section')?.querySelector('h3')?.textContent
    const text = `${item.dataset.words} ${item.textContent} ${tag}`.toLowerCase()
    item.hidden = !words.every((word) => text.includes(word))
  }
  for (const section of document.querySelectorAll<HTMLElement>('.reference-contents section'))
    section.hidden = !section.querySelector('li:not([hidden])')
  const found = items.filter(({ hidden }) => !hidden).length
  const { reference: texts } = locale.t
  const status = document.querySelector('.reference-aside [role=status]') as HTMLElement
  status.textContent = words.length === 0 ? '' : found > 0 ? locale.say(texts.found, { n: found }) : texts.nothing
  document.querySelector('.reference')?.classList.toggle('is-searching', words.length > 0)
}
const field = document.querySelector('#search') as HTMLInputElement
field.addEventListener('input', () => search(field))

const here = document.querySelector('.reference-contents [aria-current]')
if (here) {
  const contents = here.closest('.reference-contents') as HTMLElement
  contents.scrollTop = (here as HTMLElement).offsetTop - contents.offsetTop - contents.clientHeight / 3
}

const STORED = 'samples'
function choose(language: string): void {
  for (const radio of document.querySelectorAll<HTMLInputElement>('.languages input'))
    radio.checked = radio.value === language
}
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.closest('.languages'))) return
  choose(target.value)
  try {
    localStorage.setItem(STORED, target.value)
  } catch {} // the browser stores nothing: the choice is valid for this page only
})

function storedChoice(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}
const chosen = storedChoice()
if (chosen) choose(chosen)

/** Sends the request of the form with the session of this browser or the given key. */
async function send(form: HTMLFormElement): Promise<string> {
  const { method = 'get', url: template = '' } = form.dataset
  const values = new FormData(form)
  const query = new URLSearchParams()
  let url = template
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-in]'))
    if (input.dataset.in === 'path') url = url.replace(`{${input.name}}`, encodeURIComponent(input.value))
    else if (input.value) query.set(input.name, input.value)
  const key = form.querySelector<HTMLInputElement>('[data-key]')?.value ?? ''
  const body = values.get('body')
  const response = await fetch(query.size > 0 ? `${url}?${query}` : url, {
    method: method.toUpperCase(),
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    },
    ...(body === null ? {} : { body }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return `${response.status}\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`
}

const form = document.querySelector<HTMLFormElement>('.try form')
form?.addEventListener('submit', (event) => {
  event.preventDefault()
  const output = document.querySelector('.try > pre') as HTMLElement
  send(form).then(
    (reply) => {
      output.textContent = reply
      output.hidden = false
    },
    (error) => {
      output.textContent = String(error)
      output.hidden = false
    },
  )
})
