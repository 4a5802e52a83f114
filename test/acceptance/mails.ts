// Mails of the product of this folder.
import { findMailsOf } from '../support/product-mails.ts'
import { product } from './product.ts'

/** All whose text or headers contain the words. */
export const findMails = (words: string) => findMailsOf(product, words)
