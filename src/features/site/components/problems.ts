// What the API says about a refused form, in the visitor's language. The API's own words are English.
import type { Problem, RefusedForm } from './fields.ts'
import type { Locale } from './locale.ts'

/** What messages of the API mean, by the keys of the texts; the groups fill `{1}` and `{2}`. */
const MESSAGES: readonly (readonly [message: RegExp, key: string])[] = [
  [/^(?:is required|must not be (?:empty|blank)|must name at least one)/, 'required'],
  [/^must have at least (\d+) characters/, 'minLength'],
  [/^must have at most (\d+) characters/, 'maxLength'],
  [/^must have at most (\d+) (?:tags|commands)/, 'maxItems'],
  [/^must be (?:a whole number )?from (\d+) to (\d+)/, 'range'],
  [/^must be a number from (\d+) to (\d+)/, 'range'],
  [/^must be at least (\d+)/, 'min'],
  [/^must be at most (\d+)/, 'max'],
  [/^must be a whole number/, 'whole'],
  [/^must be a number/, 'number'],
  [/^must be an http or https URL/, 'url'],
  [/^must be an e-mail address/, 'email'],
  [/^must be an address like/, 'addressForm'],
  [/^must have a port from/, 'addressPort'],
  [/^must have an IPv6 address in brackets/, 'addressBrackets'],
  [/^must be the address of the game server/, 'addressWebsite'],
  [/^must be the address itself/, 'addressShortLink'],
  [/^must be a join link/, 'addressLink'],
  [/^must be followed by the port/, 'addressNeedsPort'],
  [/^must be (?:an IPv4 or IPv6 address or a DNS name|a host name or an IP address)/, 'host'],
  [/^must be a public address/, 'publicAddress'],
  [/^must not contain control/, 'invisible'],
  [/^must be on one line/, 'oneLine'],
  [/^must be (?:a timestamp|an ISO 8601)/, 'time'],
  [/^must not be in the future/, 'past'],
  [/^is too common/, 'common'],
  [/^must not consist of your name/, 'ownName'],
  [/gamedig type/, 'game'],
  [/^must be comma-separated pairs/, 'pairs'],
  [/^is no account’s name/, 'noAccount'],
  [/^is the name of several accounts/, 'severalAccounts'],
  [/^is your own/, 'yourOwn'],
  [/^must be (?:one of|.+, .+ or )/, 'choice'],
]

/** @returns the form with its messages in the language of the page, as far as they are known */
export function translated(locale: Locale<'forms'>, refused: RefusedForm): RefusedForm {
  const { forms } = locale.t
  const { details } = refused.fields
  if (locale.language === 'en' || !Array.isArray(details)) return refused
  const problems = (details as Problem[]).map((problem): Problem => {
    const { path, message } = problem
    if (problem.isTranslated) return problem
    for (const [pattern, key] of MESSAGES) {
      const found = pattern.exec(message)
      const text = forms.problems[key as keyof typeof forms.problems]
      if (found)
        return { path, message: locale.say(text, { 1: found[1] ?? '', 2: found[2] ?? '' }), isTranslated: true }
    }
    return { path, message: forms.problems.other, isTranslated: true }
  })
  return { ...refused, fields: { ...refused.fields, details: problems } }
}
