// The README's sections of shell commands, run as they stand there but for addresses, ports and files.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { isMissing } from './installed.ts'

/** For `skipIf`: whether the machine lacks what the commands are typed into. */
export const isShellMissing = () => isMissing('sh', 'curl', 'sed', 'grep')

/** The blocks between `<!-- name: … -->` and `<!-- /name -->`. */
export function readmeBlocks(name: string): string[] {
  const readme = fs.readFileSync('README.md', 'utf8')
  const section = new RegExp(`<!-- ${name}:[^>]*-->([\\s\\S]*?)<!-- /${name} -->`).exec(readme)?.[1] ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

/**
 * Runs blocks in one shell, so that one finds what those before it have set.
 * @param replaced by what each text is replaced wherever it stands
 * @param options.prelude what the shell does before the first
 * @returns what each printed
 * @throws Error when a command fails
 */
export async function runBlocks(
  blocks: string[],
  replaced: Record<string, string>,
  { prelude = '', timeoutMs = 60_000 } = {},
): Promise<string[]> {
  let script = blocks.map((block, n) => `echo '### ${n}'\n${block}`).join('\n')
  for (const [text, by] of Object.entries(replaced)) script = script.replaceAll(text, by)
  const { stdout } = await promisify(execFile)('sh', ['-c', `set -eu\n${prelude}\n${script}`], { timeout: timeoutMs })
  return stdout
    .split(/### \d+\n/)
    .slice(1)
    .map((printed) => printed.trim())
}
