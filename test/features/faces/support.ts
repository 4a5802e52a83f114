// Logos and banners as owners give them, and the jobs that a worker would run.
import { type FaceAttempt, type FaceKind, faceEncode, faceFetch } from '../../../src/features/faces/faces.jobs.ts'
import type { TestApi } from '../../support/api.ts'
import type { Person } from '../../support/people.ts'

export interface Face {
  state: string
  source: string | null
  reason: string | null
  url: string | null
  isLocked: boolean
  updatedAt: string | null
}
export type Faces = Record<FaceKind, Face> & { icon: Pick<Face, 'url' | 'reason' | 'isLocked'> }

export function facesOf(api: TestApi) {
  const send = async (path: string, who: Pick<Person, 'cookie'> | undefined, init: RequestInit) => {
    const headers = { ...(who ? { cookie: who.cookie } : {}), ...init.headers }
    const reply = await api.request(`/api/servers/${path}`, { ...init, headers })
    return { status: reply.status, body: (await reply.json()) as Faces & { error?: string } }
  }
  return {
    upload: (id: string, kind: FaceKind, bytes: Buffer | string, who?: Pick<Person, 'cookie'>, type = 'image/png') =>
      send(`${id}/${kind}`, who, { method: 'PUT', body: bytes as string, headers: { 'content-type': type } }),
    remove: (id: string, kind: FaceKind, who: Pick<Person, 'cookie'>) =>
      send(`${id}/${kind}`, who, { method: 'DELETE' }),
    read: async (id: string, who: Pick<Person, 'cookie'>) => (await send(`${id}/faces`, who, {})).body,
    /** Takes the jobs of both queues out of them, oldest first. */
    async jobs(): Promise<FaceAttempt[]> {
      const { boss } = api.deps.jobs
      const taken: FaceAttempt[] = []
      for (const { queue } of [faceEncode, faceFetch])
        for (const { id, data } of await boss.fetch<FaceAttempt>(queue, { batchSize: 100 })) {
          await boss.complete(queue, id)
          taken.push(faceEncode.payload.parse({ ...data, _cause: undefined }))
        }
      return taken
    },
  }
}
