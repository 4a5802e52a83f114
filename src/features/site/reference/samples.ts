// Samples of code for an operation, in three languages.
import type { Operation } from './operations.ts'

export const LANGUAGES = ['curl', 'JavaScript', 'Python'] as const
export type SampleLanguage = (typeof LANGUAGES)[number]
export type Samples = Record<SampleLanguage, string>

const KEY = 'API_KEY.SECRET'

/** The parts of a request that a sample needs. */
interface Sent {
  method: string
  url: string
  withKey: boolean
  /** The JSON body. */
  body?: unknown
  /** The content type of a file. */
  file?: string | undefined
}

export function samplesOf(operation: Operation): Samples {
  const sent = requestOf(operation)
  return { curl: curl(sent), JavaScript: javascript(sent), Python: python(sent) }
}

function requestOf({ method, url, declared }: Operation): Sent {
  const { parameters = [], requestBody, security = [] } = declared
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${encodeURIComponent(String(one.example))}`)
  const path = url.replace(/\{(\w+)\}/g, (_, name: string) => name.replace(/([A-Z])/g, '_$1').toUpperCase())
  const content = requestBody?.content ?? {}
  const [type] = Object.keys(content)
  const body = content['application/json']?.example
  return {
    method: method.toUpperCase(),
    url: query.length > 0 ? `${path}?${query.join('&')}` : path,
    withKey: security.some((way) => way.apiKey) && security.every((way) => Object.keys(way).length > 0),
    body,
    file: body === undefined ? type : undefined,
  }
}

function curl({ method, url, withKey, body, file }: Sent): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined)
  return [
    `curl${isImplied ? '' : ` -X ${method}`} '${url}'`,
    ...(withKey ? [`-H 'Authorization: Bearer ${KEY}'`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
    ...(file ? [`-H 'Content-Type: ${file}'`, '--data-binary @FILE'] : []),
  ].join(' \\\n  ')
}

function javascript({ method, url, withKey, body, file }: Sent): string {
  const type = body === undefined ? file : 'application/json'
  const headers = [
    ...(type ? [`'Content-Type': '${type}'`] : []),
    ...(withKey ? [`Authorization: 'Bearer ${KEY}'`] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(body, 2)})`]),
    ...(file ? ['body: file'] : []),
  ]
  const given = options.length > 0 ? `, {\n  ${options.join(',\n  ')},\n}` : ''
  return `const response = await fetch('${url}'${given})\nconst reply = await response.json()`
}

function python({ method, url, withKey, body, file }: Sent): string {
  const headers = [
    ...(file ? [`"Content-Type": "${file}"`] : []),
    ...(withKey ? [`"Authorization": "Bearer ${KEY}"`] : []),
  ]
  const options = [
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(body === undefined ? [] : [`json=${inPython(indented(body, 4))}`]),
    ...(file ? ['data=open("FILE", "rb")'] : []),
  ]
  const given = options.length > 0 ? `,\n    ${options.join(',\n    ')},\n` : ''
  return `import requests\n\nreply = requests.${method.toLowerCase()}("${url}"${given}).json()`
}

/** JSON as an argument of a call, indented by `spaces`. */
const indented = (value: unknown, spaces: number) =>
  JSON.stringify(value, null, spaces).replaceAll('\n', `\n${' '.repeat(spaces)}`)

const PYTHON: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
const inPython = (json: string) => json.replace(/\b(true|false|null)\b(?=,?$|[\]}])/gm, (word) => PYTHON[word] ?? word)
