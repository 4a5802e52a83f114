// How texts are compared without regard to case, everywhere in the directory.

/**
 * Lower case by Unicode's full mapping. The Greek final sigma folds to the plain one: which of the two lower case
 * gives depends on the neighbouring letters, and a part of a word must match within the whole word.
 */
export const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')
