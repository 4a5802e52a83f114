// How often a test repeats what it draws at random: an eighth in `npm test`, all in `npm run test:fuzz`.

/** @returns how many of `full` rounds to run */
export const rounds = (full: number): number => Math.ceil(full * Number(process.env.ROUNDS_SHARE))
