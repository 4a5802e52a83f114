// Push messages of the directory in this browser.
import { api } from './api.ts'

/** The browser's subscription to push messages of the directory. */
export async function subscribe() {
  await navigator.serviceWorker.register('/service-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const { publicKey } = await api.get('/push/key', {})
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  return { endpoint, keys: { p256dh, auth } }
}
