// A command as the audit log keeps it, with passwords hidden.

const HIDDEN = '•••'

/** `rcon_password`, `ServerPassword`, `api_key`; not words that only begin the same way (`passengers`). */
const SECRET_WORD = /pass(?:word|wd|phrase|code)|(?<![a-z])pass(?![a-z])|secret|token|api_?key/iu

/** What stands between such a word and its secret: the rest of its name, and spaces, `=`, `:` or quotes. */
const BEFORE_SECRET = /^\S*?[\s=:"']+(?=\S)/u

/**
 * Hides what follows a word such as `password`, and the server's own RCON password anywhere. A secret without such a
 * word before it (ARK's `enablecheats <password>`) cannot be recognized.
 */
export function redact(command: string, password?: string): string {
  const hidden = hideAfterSecretWord(command)
  return password ? hidden.replaceAll(password, HIDDEN) : hidden
}

/** Two steps instead of one expression, whose time would grow with the square of the command's length. */
function hideAfterSecretWord(command: string): string {
  const word = SECRET_WORD.exec(command)
  if (!word) return command
  const wordEnd = word.index + word[0].length
  const between = BEFORE_SECRET.exec(command.slice(wordEnd))
  return between ? `${command.slice(0, wordEnd)}${between[0]}${HIDDEN}` : command
}
