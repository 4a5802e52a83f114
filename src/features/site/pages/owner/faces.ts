// The forms of a server's logo and banner.
import { validationFailed } from '../../../../platform/http/errors.ts'
import { MAX_IMAGE_BYTES } from '../../../faces/index.ts'
import type { Client } from '../../components/client.ts'
import { waitUntilEncoded } from '../encoding.ts'

export const MAX_PICTURE_BYTES = MAX_IMAGE_BYTES

/** @param form has `face` if it is one of these forms @returns whether it is one */
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
  await waitUntilEncoded(async () => (await api.get('/servers/{id}/faces', { path }))[face].state)
  return true
}
