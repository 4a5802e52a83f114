/** Icons are served below it: `/icons/{hash}.png`. */
export const ICONS_FOLDER = '/icons'

export const iconPath = (hash: string): string => `${ICONS_FOLDER}/${hash}.png`
