/**
 * What the product is called, in its reference and, until administrators set another name, on its
 * pages and in its mails.
 */
export const PRODUCT_NAME = 'Server Directory'
