// Draws the API reference from /api/openapi.json: contents, search, samples, and requests from the page itself.
const LANGUAGES = ['curl', 'JavaScript', 'Python']
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const SECTIONS = ['Public', 'For accounts and owners', 'For administrators and operators']
const byId = (id) => document.getElementById(id)

/** An element. @param children nodes or texts */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== false) element.setAttribute(name, value)
  element.append(...children.flat())
  return element
}

/** `code`, **strong** and [links](…) of Markdown. */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith('`')) return el('code', {}, part.slice(1, -1))
    if (part.startsWith('**')) return el('strong', {}, part.slice(2, -2))
    const link = /^\[([^\]]+)\]\(((?:https?:|\/|#)[^)]*)\)$/.exec(part)
    return link ? el('a', { href: link[2] }, link[1]) : part
  })
}

/** Paragraphs, headings and tables of Markdown. */
const markdown = (text) =>
  text.split('\n\n').map((block) => {
    if (block.startsWith('## ')) return el('h2', {}, inline(block.slice(3)))
    if (!block.startsWith('|')) return el('p', {}, inline(block))
    const [head, , ...rows] = block.split('\n').map((row) => row.slice(1, -1).split('|'))
    const cells = (row, tag) =>
      el(
        'tr',
        {},
        row.map((cell) => el(tag, {}, inline(cell.trim()))),
      )
    return el(
      'div',
      { class: 'table' },
      el(
        'table',
        {},
        cells(head, 'th'),
        rows.map((row) => cells(row, 'td')),
      ),
    )
  })

const api = await (await fetch('/api/openapi.json')).json()
const base = new URL('/api', location.href).href
const resolve = (schema) => (schema.$ref ? api.components.schemas[schema.$ref.split('/').at(-1)] : schema)
const nameOf = (schema) => schema.$ref?.split('/').at(-1) ?? schema.title

/** A schema as text: one line a field, indented. */
function outline(given, indent = '', seen = []) {
  const schema = resolve(given)
  const name = nameOf(given)
  if (name && seen.includes(name)) return name
  const within = [...seen, name]
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) return alternatives.map((one) => outline(one, indent, within)).join(' | ')
  if (schema.enum || schema.const !== undefined)
    return (schema.enum ?? [schema.const]).map((value) => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return `${outline(schema.items ?? {}, indent, within)}[]`
  if (!schema.properties) return [schema.type ?? 'any', schema.format && `(${schema.format})`].filter(Boolean).join(' ')
  const fields = Object.entries(schema.properties).map(([field, value]) => {
    const description = value.description ?? (value.$ref ? undefined : resolve(value).description)
    const optional = schema.required?.includes(field) ? '' : '?'
    return `${indent}  ${field}${optional}: ${outline(value, `${indent}  `, within)}${description ? `  // ${description}` : ''}`
  })
  return `${name ? `${name} ` : ''}{\n${fields.join('\n')}\n${indent}}`
}

/** The plainest value of a schema: what is required. */
function example(given, field = '') {
  const schema = resolve(given)
  const [first] = schema.oneOf ?? schema.anyOf ?? []
  if (first) return example(first, field)
  const known = schema.default ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0]
  if (known !== undefined) return known
  if (schema.type === 'array') return schema.items ? [example(schema.items, field)] : []
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'object' || schema.properties) {
    const entries = Object.entries(schema.properties ?? {})
    const required = entries.filter(([name]) => schema.required?.includes(name))
    const shown = required.length ? required : entries.slice(0, 1)
    return Object.fromEntries(shown.map(([name, value]) => [name, example(value, name)]))
  }
  const byFormat = { email: 'ada@example.com', 'date-time': '2026-11-20T12:00:00.000Z', uri: 'https://example.com' }
  return (
    byFormat[schema.format] ??
    { visitorId: 'visitor-0123456789', url: 'https://example.com' }[field] ??
    (field || 'text')
  )
}

const operations = Object.entries(api.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method]).map((method) => {
    const operation = item[method]
    const isRoot = item.servers !== undefined
    const isPublic = (operation.security ?? []).every((way) => !way.session)
    const section = isRoot || /^\/admin\//.test(path) || operation.tags[0] === 'Operators' ? 2 : isPublic ? 0 : 1
    const { operationId: id, tags } = operation
    const words = [method, path, id, tags[0], operation.summary, operation.description].join(' ').toLowerCase()
    return {
      ...operation,
      id,
      method,
      path,
      tag: tags[0],
      section,
      words,
      url: (isRoot ? location.origin : base) + path,
    }
  }),
)

const bodyOf = ({ requestBody }) => requestBody?.content['application/json']?.schema
const needsKey = ({ security = [] }) =>
  security.some((way) => way.apiKey) && !security.some((way) => !Object.keys(way).length)
const required = ({ parameters = [] }) => parameters.filter((one) => one.in === 'query' && one.required)

/** The address with what must be in it. */
function sampleUrl(operation) {
  const query = required(operation).map(({ name, schema }) => `${name}=${encodeURIComponent(example(schema, name))}`)
  const path = operation.url.replace(/\{(\w+)\}/g, (_all, name) => `${name.replace(/([A-Z])/g, '_$1').toUpperCase()}`)
  return query.length ? `${path}?${query.join('&')}` : path
}

const SAMPLES = {
  curl(operation, url, body) {
    const parts = [
      `curl${operation.method === 'get' || (body && operation.method === 'post') ? '' : ` -X ${operation.method.toUpperCase()}`} '${url}'`,
    ]
    if (needsKey(operation)) parts.push(`-H 'Authorization: Bearer API_KEY.SECRET'`)
    if (body) parts.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`)
    return parts.join(' \\\n  ')
  },
  JavaScript(operation, url, body) {
    const headers = [
      ...(body ? [`'Content-Type': 'application/json'`] : []),
      ...(needsKey(operation) ? [`Authorization: 'Bearer API_KEY.SECRET'`] : []),
    ]
    const options = [
      ...(operation.method === 'get' ? [] : [`method: '${operation.method.toUpperCase()}'`]),
      ...(headers.length ? [`headers: { ${headers.join(', ')} }`] : []),
      ...(body ? [`body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')})`] : []),
    ]
    const given = options.length ? `, {\n  ${options.join(',\n  ')},\n}` : ''
    return `const response = await fetch('${url}'${given})\nconst reply = await response.json()`
  },
  Python(operation, url, body) {
    const python = (text) =>
      text.replace(
        /\b(true|false|null)\b(?=[,\n}\]])/g,
        (word) => ({ true: 'True', false: 'False', null: 'None' })[word],
      )
    const options = [
      ...(needsKey(operation) ? ['headers={"Authorization": "Bearer API_KEY.SECRET"}'] : []),
      ...(body ? [`json=${python(JSON.stringify(body, null, 4)).replaceAll('\n', '\n    ')}`] : []),
    ]
    const given = options.length ? `,\n    ${options.join(',\n    ')},\n` : ''
    return `import requests\n\nreply = requests.${operation.method}("${url}"${given}).json()`
  },
}

/** Shows the samples of one language, everywhere. */
function choose(language) {
  for (const sample of document.querySelectorAll('pre[data-language]'))
    sample.hidden = sample.dataset.language !== language
  for (const button of document.querySelectorAll('button[data-language]'))
    button.setAttribute('aria-pressed', String(button.dataset.language === language))
  chosen = language
}
let chosen = LANGUAGES[0]
const languageButtons = () =>
  LANGUAGES.map((language) => el('button', { type: 'button', 'data-language': language }, language))
document.addEventListener('click', ({ target }) => {
  if (target.matches?.('button[data-language]')) choose(target.dataset.language)
})

function parametersOf({ parameters = [] }) {
  if (!parameters.length) return []
  const rows = parameters.map(({ name, in: place, required: must, schema, description }) => {
    const { minimum, maximum, maxLength, default: byDefault } = schema
    const bounds = [
      minimum !== undefined && `from ${minimum}`,
      maximum !== undefined && `to ${maximum}`,
      maxLength && `at most ${maxLength} characters`,
      byDefault !== undefined && `default ${byDefault}`,
    ].filter(Boolean)
    const about = [description ?? schema.description, bounds.join(', ')].filter(Boolean).join(' · ')
    return el(
      'tr',
      {},
      el('td', {}, el('code', {}, name), must ? '' : ' (optional)'),
      el('td', {}, place),
      el('td', {}, outline(schema)),
      el('td', {}, inline(about)),
    )
  })
  const head = el(
    'tr',
    {},
    ['Parameter', 'In', 'Type', 'Meaning'].map((word) => el('th', {}, word)),
  )
  return [el('h4', {}, 'Parameters'), el('div', { class: 'table' }, el('table', {}, head, rows))]
}

function responsesOf({ responses, 'x-errors': errors = {} }) {
  const shown = Object.entries(responses).filter(([status]) => status < 400)
  const replies = shown.flatMap(([status, { description, content = {} }]) => {
    const [type, { schema } = {}] = Object.entries(content)[0] ?? []
    return [
      el('h4', {}, `${status} ${description}`.trim()),
      ...(schema ? [el('p', { class: 'quiet' }, type), el('pre', { tabindex: '0' }, outline(schema))] : []),
    ]
  })
  const bodies = Object.entries(responses).flatMap(([status, { content }]) => {
    const own = content?.['application/json']?.schema
    return status >= 400 && own?.anyOf ? [el('p', {}, `${status}:`), el('pre', { tabindex: '0' }, outline(own))] : []
  })
  const rows = Object.entries(errors).map(([status, codes]) =>
    el('tr', {}, el('td', {}, status), el('td', {}, inline(codes.map((code) => `\`${code}\``).join(', ')))),
  )
  const table = rows.length
    ? [el('h4', {}, 'Errors'), el('div', { class: 'table' }, el('table', {}, rows)), ...bodies]
    : []
  return [...replies, ...table]
}

/** A form that sends the request from here, with the session of this browser or a given key. */
function tryIt(operation) {
  const fields = (operation.parameters ?? []).filter((one) => one.in !== 'header')
  const inputs = fields.map((one) => [one, el('input', { name: one.name })])
  const key = el('input', { name: 'key', autocomplete: 'off' })
  const schema = bodyOf(operation)
  const body = el('textarea', { name: 'body', spellcheck: 'false' })
  if (schema) body.value = JSON.stringify(example(schema), null, 2)
  const output = el('pre', { tabindex: '0', hidden: '' })
  const form = el(
    'form',
    {},
    inputs.map(([{ name, in: place }, input]) => el('label', {}, `${name} (${place})`, input)),
    el('label', {}, 'API key, as KEY.SECRET (optional)', key),
    schema ? el('label', {}, 'Body', body) : '',
    el('button', { type: 'submit' }, 'Send'),
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    let url = operation.url
    const query = new URLSearchParams()
    for (const [{ name, in: place }, { value }] of inputs) {
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value))
      else if (value) query.set(name, value)
    }
    const headers = {
      ...(schema ? { 'Content-Type': 'application/json' } : {}),
      ...(key.value ? { Authorization: `Bearer ${key.value}` } : {}),
    }
    const text = await fetch(query.size ? `${url}?${query}` : url, {
      method: operation.method.toUpperCase(),
      headers,
      ...(schema ? { body: body.value } : {}),
    }).then(
      async (response) => {
        const reply = await response.text()
        const isJson = response.headers.get('content-type')?.startsWith('application/json')
        return `${response.status}\n${isJson ? JSON.stringify(JSON.parse(reply), null, 2) : reply}`
      },
      (error) => String(error),
    )
    output.hidden = false
    output.textContent = text
  })
  // A stream has no end to wait for.
  const isStream = operation.responses['200']?.content?.['text/event-stream']
  return isStream ? [] : [el('details', { class: 'try' }, el('summary', {}, 'Try it'), form, output)]
}

function access({ security = [], path }) {
  if (path.startsWith('/admin/')) return 'Needs the session of an administrator.'
  if (security.every((way) => !way.session)) return 'Needs no login.'
  return security.some((way) => way.apiKey) ? 'Needs a session or an API key.' : 'Needs a session.'
}

function fill(details, operation) {
  const schema = bodyOf(operation)
  const body = schema && example(schema)
  const url = sampleUrl(operation)
  details.append(
    ...(operation.description ? markdown(operation.description) : []),
    el('p', { class: 'quiet' }, access(operation)),
    ...parametersOf(operation),
    ...(schema ? [el('h4', {}, 'Body'), el('pre', { tabindex: '0' }, outline(schema))] : []),
    el('h4', {}, 'Sample'),
    el('div', {}, languageButtons()),
    ...LANGUAGES.map((language) =>
      el('pre', { 'data-language': language, tabindex: '0' }, SAMPLES[language](operation, url, body)),
    ),
    ...tryIt(operation),
    ...responsesOf(operation),
  )
  choose(chosen)
}

const nav = document.querySelector('nav')
nav.append(
  el(
    'ul',
    {},
    el('li', {}, el('a', { href: '#quick-start' }, 'Quick start')),
    el('li', {}, el('a', { href: '#about' }, 'Conventions, limits, errors')),
  ),
)
for (const [section, title] of SECTIONS.entries()) {
  const ofSection = operations.filter((operation) => operation.section === section)
  nav.append(el('h2', {}, title))
  byId('operations').append(el('h2', { class: 'group' }, title))
  for (const tag of new Set(ofSection.map((operation) => operation.tag))) {
    const ofTag = ofSection.filter((operation) => operation.tag === tag)
    const links = ofTag.map((operation) => {
      operation.link = el(
        'li',
        {},
        el('a', { href: `#${operation.id}`, class: operation.deprecated ? 'deprecated' : '' }, operation.summary),
      )
      return operation.link
    })
    const group = el('section', { class: 'group' }, el('h3', {}, tag))
    const contents = el('div', { class: 'group' }, el('h3', {}, tag), el('ul', {}, links))
    for (const operation of ofTag) {
      const { id, method, path, summary, deprecated } = operation
      const head = el(
        'summary',
        {},
        el('span', { class: `method ${method}` }, method.toUpperCase()),
        ' ',
        el('code', { class: deprecated ? 'deprecated' : '' }, path),
        ' ',
        el('span', { class: 'quiet' }, summary),
      )
      operation.element = el('details', { id, class: 'operation' }, head)
      operation.element.addEventListener('toggle', () => operation.element.open && fill(operation.element, operation), {
        once: true,
      })
      group.append(operation.element)
    }
    nav.append(contents)
    byId('operations').append(group)
  }
}

/** Shows what has all the words, and the headings above it. */
function search() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean)
  let found = 0
  for (const operation of operations) {
    const isFound = words.every((word) => operation.words.includes(word))
    operation.link.hidden = operation.element.hidden = !isFound
    if (isFound) found += 1
  }
  for (const group of document.querySelectorAll('section.group, div.group'))
    group.hidden = !group.querySelector('.operation:not([hidden]), li:not([hidden])')
  byId('quick-start').hidden = byId('about').hidden = words.length > 0
  const none = 'No operation has all of these words. Try fewer, or a part of a path.'
  byId('nothing').textContent = words.length ? (found ? `${found} of ${operations.length} operations` : none) : ''
}
byId('search').addEventListener('input', search)

/** Opens the operation that the address names. */
function follow() {
  const operation = operations.find(({ id }) => `#${id}` === location.hash)
  if (!operation) return
  operation.element.open = true
  operation.element.scrollIntoView()
}
addEventListener('hashchange', follow)

const wide = matchMedia('(min-width: 60rem)')
const unfold = () => {
  byId('contents').open = wide.matches
}
wide.addEventListener('change', unfold)
unfold()
for (const place of document.querySelectorAll('.base')) place.textContent = base
byId('languages').append(...languageButtons())
byId('about').append(el('h2', {}, 'Conventions'), ...markdown(api.info.description))
choose(chosen)
follow()
document.documentElement.dataset.ready = ''
