// A command as the audit log keeps it: whole, but for passwords in it.

const HIDDEN = '•••'

/** `rcon_password x`, `ServerPassword=x`, `api_key: x`; a word that merely begins like one (`passengers`) is none. */
const SECRET =
  /^(.*?(?:pass(?:word|wd|phrase|code)|(?<![a-z])pass(?![a-z])|secret|token|api_?key)\S*?[\s=:"']+)\S.*$/isu

/**
 * Hides what follows a word that announces a secret, and the server's own RCON password wherever it stands. A secret that
 * nothing announces (ARK's `enablecheats <password>`) can't be told from any other word.
 */
export function redact(command: string, password?: string): string {
  const hidden = command.replace(SECRET, `$1${HIDDEN}`)
  return password ? hidden.replaceAll(password, HIDDEN) : hidden
}
