// Reads the mails of this folder's product.
import { findMailsOf } from '../support/product-mails.ts'
import { product } from './product.ts'

/** All mails whose text or headers contain `words`. */
export const findMails = (words: string) => findMailsOf(product, words)
