// Markup as tagged templates, for the server and the browser.
import htm from 'htm'
import { h, type VNode } from 'preact'

/**
 * Escapes text and attribute values. A component is a function that returns a VNode; call it, so that
 * arguments are checked.
 */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode = (
  htm as unknown as { bind(create: typeof h): typeof html }
) // its types do not say that it is an ES module
  .bind(h)

/** What a template may contain. */
export type Content = VNode | string | number | null | undefined | false | readonly Content[]
