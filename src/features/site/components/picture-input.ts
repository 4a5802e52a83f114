// The field of a form that uploads a picture.
import { html } from './html.ts'

/**
 * Chooses a picture; a script refuses one that is too large before it is sent.
 * @param limit.tooLarge the message about a larger picture
 */
export const pictureInput = (
  limit: { maxBytes: number; tooLarge: string },
  attributes: Record<string, string | null> = {},
) =>
  html`<input type="file" name="picture" accept="image/png,image/jpeg,image/webp,image/gif" required data-max-bytes=${limit.maxBytes} data-too-large=${limit.tooLarge} ...${attributes} />`
