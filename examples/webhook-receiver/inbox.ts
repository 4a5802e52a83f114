// Where events wait between "received" and "done": a folder, one file an event, named by its webhook-id.
import fs from 'node:fs/promises'
import path from 'node:path'

export interface Inbox {
  /** Puts an event in. Once it resolves the event survives a crash. @returns false when it came before */
  add(id: string, body: string): Promise<boolean>
  /** Events that are not done, the oldest first. */
  waiting(): Promise<{ id: string; body: string }[]>
  /** The id is kept: a repeated event must be told from a new one long after it was handled. */
  done(id: string): Promise<void>
}

/** Ids are our sender's UUIDs; whatever else is signed with the secret must still not name a file elsewhere. */
const ID = /^[\w-]{1,100}$/

export async function openInbox(folder: string): Promise<Inbox> {
  await fs.mkdir(folder, { recursive: true })
  const waitingFile = (id: string) => path.join(folder, `${id}.json`)
  const doneFile = (id: string) => path.join(folder, `${id}.done`)
  const isThere = (file: string) =>
    fs.access(file).then(
      () => true,
      () => false,
    )
  let parts = 0

  return {
    async add(id, body) {
      if (!ID.test(id)) throw new Error('not an id')
      const part = path.join(folder, `${id}.${process.pid}-${parts++}.part`)
      await fs.writeFile(part, body, { flush: true })
      try {
        // Of several requests with the same id at once, one gets the name.
        await fs.link(part, waitingFile(id))
        if (!(await isThere(doneFile(id)))) return true
        await fs.rm(waitingFile(id))
        return false
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        return false
      } finally {
        await fs.rm(part, { force: true })
      }
    },

    async waiting() {
      const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.json'))
      const events = await Promise.all(
        names.map(async (name) => {
          const file = path.join(folder, name)
          const [body, { mtimeMs }] = await Promise.all([fs.readFile(file, 'utf8'), fs.stat(file)])
          return { id: name.slice(0, -'.json'.length), body, mtimeMs }
        }),
      )
      return events.sort((a, b) => a.mtimeMs - b.mtimeMs)
    },

    async done(id) {
      await fs.writeFile(doneFile(id), '')
      await fs.rm(waitingFile(id))
    },
  }
}
