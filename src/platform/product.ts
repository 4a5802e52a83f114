/** What the product is called, on its pages, in its mails and in its reference. */
export const PRODUCT_NAME = 'Server Directory'
