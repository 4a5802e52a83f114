// Translates the API's messages about a refused form, which are English and for programmers, to the page's language.

import type { Texts } from '../texts/index.ts'
import { codeText, type Problem, type RefusedForm, refusedAt } from './fields.ts'
import type { Locale } from './locale.ts'

/** The key of the text for each message of the API; the groups of the pattern fill `{1}` and `{2}`. */
const MESSAGES: readonly (readonly [message: RegExp, key: string])[] = [
  [/^(?:is required|must not be (?:empty|blank)|must (?:name|have) at least (?:one|1) |choose a file)/, 'required'],
  [/^must have at least (\d+) characters/, 'minLength'],
  [/^must have at most (\d+) characters/, 'maxLength'],
  [/^must have at most (\d+) (?:tags|commands|rates|ids|servers)/, 'maxItems'],
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
  [/^must not contain (?:control|the character)/, 'invisible'],
  [/^must be (?:on )?one line/, 'oneLine'],
  [/^must be a time as/, 'timeOfDay'],
  [/^must be a time zone/, 'timeZone'],
  [/^must be in the next (\d+) days/, 'nextDays'],
  [/^must be in the last (\d+) years/, 'lastYears'],
  [/^must be the URL of a Discord webhook/, 'discordUrl'],
  [/^must be the text of the plugin’s public\.key/, 'publicKey'],
  [/^must name each rate only once/, 'rateOnce'],
  [/^is taken from the game server/, 'nameOfServer'],
  [/^must be given together with bedrockAddress/, 'needsBedrock'],
  [/^can be given only for the game/, 'onlyJava'],
  [/^must be given, because the stored one/, 'storedUnreadable'],
  [/^must be a listed server of yours/, 'ownListed'],
  [/^must be checked/, 'checked'],
  [/^must be (?:a timestamp|an ISO 8601)/, 'time'],
  [/^must not be in the future/, 'past'],
  [/^is too common/, 'common'],
  [/^must not consist of your name/, 'ownName'],
  [/gamedig type/, 'game'],
  [/^must be comma-separated pairs/, 'pairs'],
  [/^is no account’s name/, 'noAccount'],
  [/^(?:there is no such account|must be an account’s id)/, 'accountId'],
  [/^is the name of several accounts/, 'severalAccounts'],
  [/^is your own/, 'yourOwn'],
  [/^must be (?:one of|.+, .+ or )/, 'choice'],
]

/** The fields that an error code is about. The first one that the form has gets the code's text. */
const FIELDS_OF_CODES: Record<string, readonly string[]> = {
  email_taken: ['email'],
  already_listed: ['queryPort', 'address'],
  already_member: ['username'],
  own_account: ['username'],
}

/** @returns the form with its messages in the language of the page, as far as they are known, each at its field */
export function translated(locale: Locale<'forms'>, refused: RefusedForm): RefusedForm {
  const { forms } = locale.t
  const { details } = refused.fields
  const about = FIELDS_OF_CODES[refused.code]?.find((name) => name in refused.form)
  if (about && !details) return refusedAt(refused, about, codeText(locale, refused.code) ?? refused.message)
  if (!Array.isArray(details)) return refused
  // A page for players sends only the few texts of its own forms to the browser.
  const { problems: others } = locale.t as Partial<Texts>
  const texts: Record<string, string> = { ...others, ...forms.problems }
  const problems = (details as Problem[]).map((problem): Problem => {
    const { path, message } = problem
    if (problem.isTranslated) return problem
    for (const [pattern, key] of MESSAGES) {
      const found = pattern.exec(message)
      const text = texts[key]
      if (found && text)
        return { path, message: locale.say(text, { 1: found[1] ?? '', 2: found[2] ?? '' }), isTranslated: true }
    }
    // Without a text for the message, visitors who read English see the API's own, which says more.
    return locale.language === 'en' ? problem : { path, message: forms.problems.other, isTranslated: true }
  })
  return { ...refused, fields: { ...refused.fields, details: problems } }
}
