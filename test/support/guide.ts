// Runs the shell commands of docs/GUIDE.md as written, with addresses, ports and files replaced.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { isMissing } from './installed.ts'

/** For `skipIf`: whether the machine lacks the shell or a program that the commands need. */
export const isShellMissing = () => isMissing('sh', 'curl', 'sed', 'grep')

/** The shell blocks of docs/GUIDE.md between `<!-- name: … -->` and `<!-- /name -->`. */
export function guideBlocks(name: string): string[] {
  const guide = fs.readFileSync('docs/GUIDE.md', 'utf8')
  const section = new RegExp(`<!-- ${name}:[^>]*-->([\\s\\S]*?)<!-- /${name} -->`).exec(guide)?.[1] ?? ''
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

/**
 * Runs blocks in one shell, so that later blocks see the variables of earlier ones.
 * @param replaced texts and their replacements
 * @param options.prelude commands to run first
 * @returns the output of each block
 * @throws Error when a command fails
 */
export async function runBlocks(
  blocks: string[],
  replaced: Record<string, string>,
  { prelude = '', timeoutMs = 60_000 } = {},
): Promise<string[]> {
  let script = `BASE=http://localhost:3000\n${blocks.map((block, n) => `echo '### ${n}'\n${block}`).join('\n')}`
  for (const [text, by] of Object.entries(replaced)) script = script.replaceAll(text, by)
  const { stdout } = await promisify(execFile)('sh', ['-c', `set -eu\n${prelude}\n${script}`], { timeout: timeoutMs })
  return stdout
    .split(/### \d+\n/)
    .slice(1)
    .map((printed) => printed.trim())
}
