// The forms of a server's logo and banner.
import { setTimeout as sleep } from 'node:timers/promises'
import { validationFailed } from '../../../../platform/http/errors.ts'
import { MAX_IMAGE_BYTES } from '../../../faces/index.ts'
import type { Client } from '../../components/client.ts'

export const MAX_PICTURE_BYTES = MAX_IMAGE_BYTES

/** A worker needs a second. Without one, the page says that the picture waits. */
const WAIT_MS = 3_000
const LOOK_EVERY_MS = 200

/** @param form with `face` if it is one of these forms @returns whether it is */
export async function changeFace(
  api: Client,
  id: string,
  { face, action }: Record<string, string>,
  file: Buffer | undefined,
): Promise<boolean> {
  if (face !== 'logo' && face !== 'banner') return false
  const path = { id }
  if (action === 'remove') {
    await (face === 'logo' ? api.delete('/servers/{id}/logo', { path }) : api.delete('/servers/{id}/banner', { path }))
    return true
  }
  if (!file) throw validationFailed([{ path: `body.${face}`, message: 'choose a file' }])
  await (face === 'logo'
    ? api.put('/servers/{id}/logo', { path, body: file })
    : api.put('/servers/{id}/banner', { path, body: file }))
  for (let waited = 0; waited < WAIT_MS; waited += LOOK_EVERY_MS) {
    await sleep(LOOK_EVERY_MS)
    const faces = await api.get('/servers/{id}/faces', { path })
    if (faces[face].state !== 'pending') break
  }
  return true
}
