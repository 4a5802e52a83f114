// Podman's name server. Version 1.4 (Debian 12) stops answering on a network now and then when a container comes or
// goes, until the next one does: services in that network then find PostgreSQL late or not at all.
import { Resolver } from 'node:dns/promises'
import fs from 'node:fs'
import path from 'node:path'

/** For each network a file whose first line begins with the address at which the name server answers in it. */
const FOLDER = '/run/containers/networks/aardvark-dns'
const PID_FILE = 'aardvark.pid'

/**
 * Looks every second, and makes the name server start to listen again when it was silent twice in a row.
 * @returns its end
 */
export function watchNameServer(): () => void {
  let silentBefore: string[] = []
  const look = async () => {
    const silent = (await Promise.all(addresses().map(async (each) => ((await answers(each)) ? [] : each)))).flat()
    if (!silent.some((each) => silentBefore.includes(each))) {
      silentBefore = silent
      return
    }
    silentBefore = []
    console.log(`the name server is silent at ${silent}: it starts to listen again`)
    process.kill(Number(fs.readFileSync(path.join(FOLDER, PID_FILE), 'utf8')), 'SIGHUP')
  }
  // The last container's end ends the name server, and deletes its files.
  const timer = setInterval(() => look().catch(() => undefined), 1_000)
  return () => clearInterval(timer)
}

function addresses(): string[] {
  return fs
    .readdirSync(FOLDER)
    .filter((name) => name !== PID_FILE)
    .flatMap((name) => /^[\d.]+/.exec(fs.readFileSync(path.join(FOLDER, name), 'utf8')) ?? [])
}

/** Whether there is any answer: an unknown name is one. */
async function answers(address: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: 800, tries: 1 })
  resolver.setServers([address])
  return resolver.resolve4('postgres').then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ETIMEOUT' && code !== 'ECONNREFUSED',
  )
}
