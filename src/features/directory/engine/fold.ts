// Case-insensitive comparison of text, used everywhere in the directory.

/**
 * Lower case by Unicode's full mapping. The Greek final sigma folds to the normal one: which of the two lower case
 * gives depends on neighboring letters, but a part of a word must match within the whole word.
 */
export const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')
