// A command as the audit log keeps it, with passwords hidden.

const HIDDEN = '•••'

/** `rcon_password x`, `ServerPassword=x`, `api_key: x`; not words that only begin the same way (`passengers`). */
const SECRET =
  /^(.*?(?:pass(?:word|wd|phrase|code)|(?<![a-z])pass(?![a-z])|secret|token|api_?key)\S*?[\s=:"']+)\S.*$/isu

/**
 * Hides what follows a word such as `password`, and the server's own RCON password anywhere. A secret without such a
 * word before it (ARK's `enablecheats <password>`) cannot be recognized.
 */
export function redact(command: string, password?: string): string {
  const hidden = command.replace(SECRET, `$1${HIDDEN}`)
  return password ? hidden.replaceAll(password, HIDDEN) : hidden
}
