// Reads the product's mails: without a mail server it writes them as files in its data folder.
import fs from 'node:fs'
import path from 'node:path'
import { parse } from './mail-server.ts'
import type { Product } from './started-product.ts'

/** All mails whose text or headers contain `words`. */
export function findMailsOf({ launcher }: Pick<Product, 'launcher'>, words: string): ReturnType<typeof parse>[] {
  const folder = path.join(launcher.env.DATA_DIR ?? '', 'mail')
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => parse(fs.readFileSync(path.join(folder, name), 'utf8')))
    .filter(({ headers, text }) => [...headers.values(), text].some((part) => part.includes(words)))
}
