// German: the page of a server.
import type { server as Original } from '../en/server.ts'

export const server: typeof Original = {
  vote: 'Abstimmen',
}
