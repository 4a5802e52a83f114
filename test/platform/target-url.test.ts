// Which URLs an owner may set, and their stored form.
import { describe, expect, it } from 'vitest'
import { findUrlProblem, TargetUrl } from '../../src/platform/target-url.ts'

const strict = { requireHttps: false, allowPrivate: false }
const parse = (url: unknown) => TargetUrl.safeParse(url)

/** The error of the URL; undefined when it is accepted. */
function verdict(url: string, rules = strict): string | undefined {
  const { data, error } = parse(url)
  return data === undefined ? error?.issues[0]?.message : findUrlProblem(data, rules)
}

const INSIDE = [
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.0.0.1/',
  'http://0x7f000001/',
  'http://0X7F.0.0.0X1/',
  'http://017700000001/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://0/',
  'http://10.1.2.3:8080/hook',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://192.168.1.1/',
  'http://172.31.255.254/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::808:808]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[2001:db8::1]/',
  'http://[ff02::1]/',
  'http://localhost/',
  'http://LOCALHOST:3000/',
  'http://localhost./',
  'http://api.localhost/',
  'http://api.localhost./',
]

describe('a webhook’s URL', () => {
  it.each(INSIDE)('is not %s', (url) => expect(verdict(url)).toBe('must be a public address'))

  it.each(INSIDE.filter((url) => !url.includes('0/') && !url.includes('169.254.')))(
    'may be %s where private targets are allowed',
    (url) => expect(verdict(url, { ...strict, allowPrivate: true })).toBeUndefined(),
  )

  it.each([
    'https://owner.example/hook',
    'http://owner.example:8080/hook?key=a%20b&b=2',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/hook',
    'https://[64:ff9b::808:808]/',
    'https://notlocalhost/',
    'https://localhost.example/',
  ])('may be %s', (url) => expect(verdict(url)).toBeUndefined())

  it.each([
    ['ftp://owner.example/', 'must be an http or https URL'],
    ['file:///etc/passwd', 'must be an http or https URL'],
    ['javascript:alert(1)', 'must be an http or https URL'],
    ['gopher://owner.example/', 'must be an http or https URL'],
    ['owner.example/hook', 'must be an http or https URL'],
    ['//owner.example/hook', 'must be an http or https URL'],
    ['https:owner.example', 'must be an http or https URL'],
    ['https:///owner.example', 'must be an http or https URL'],
    ['https://', 'must be an http or https URL'],
    ['https://owner.example:70000/', 'must be an http or https URL'],
    ['https://owner.example:0/', 'must be an http or https URL'],
    ['https://owner.example\\@127.0.0.1/', 'must be an http or https URL'],
    ['https://owner.exa\nmple/', 'must be an http or https URL'],
    ['https://owner\u202e.example/', 'must be an http or https URL'],
    ['https://256.1.1.1/', 'must be an http or https URL'],
    ['https://[fe80::1%25eth0]/', 'must be an http or https URL'],
    ['https://user:password@owner.example/', 'must have no user name or password in it'],
    ['https://user@owner.example/', 'must have no user name or password in it'],
    ['https://owner.example/#part', 'must have no fragment'],
    ['https://owner.example/#', 'must have no fragment'],
    [`https://owner.example/${'a'.repeat(2_048)}`, 'must have at most 2048 characters'],
    [`https://owner.example/${'ü'.repeat(400)}`, 'must have at most 2048 characters'],
  ])('is not %s', (url, message) => expect(verdict(url)).toBe(message))

  it('is https in production', () => {
    const rules = { ...strict, requireHttps: true }
    expect(verdict('http://owner.example/', rules)).toBe('must be an https address')
    expect(verdict('https://owner.example/', rules)).toBeUndefined()
    expect(verdict('https://127.0.0.1/', rules)).toBe('must be a public address')
  })

  it('is stored in the form in which it is requested', () => {
    expect(parse('  HTTPS://Bücher.Example:443/a b'.replace(' b', '')).data).toBe('https://xn--bcher-kva.example/a')
    expect(parse('http://0x8.010.8.8').data).toBe('http://8.8.8.8/')
    expect(parse(undefined).error?.issues[0]?.message).toBe('is required')
    expect(parse(5).error?.issues[0]?.message).toBe('must be a string')
  })
})
