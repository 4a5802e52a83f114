// Stores received events until they are handled: a folder with one file per event, named by its webhook-id.
import fs from 'node:fs/promises'
import path from 'node:path'

export interface Inbox {
  /** Stores an event. After it resolves, the event survives a crash. @returns false if the event was received before */
  add(id: string, body: string): Promise<boolean>
  /** Events that are not handled yet, oldest first. */
  waiting(): Promise<{ id: string; body: string }[]>
  /** Marks an event as handled. Keeps the id, because a repeated event may arrive long afterwards. */
  done(id: string): Promise<void>
}

/** Ids are UUIDs. Anything else that is signed with the secret must not name a file outside the folder. */
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
        // Of concurrent requests with the same id, one creates the file.
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
