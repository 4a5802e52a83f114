// Appearance: the name, logo, accent colour, introduction and links of the site, as its administrators set them.
export { ACCENTS_FOLDER, accentColors, findAccentStyle } from './accent.ts'
export type { LogoAttempt } from './appearance.jobs.ts'
export { appearanceOperations } from './appearance.operations.ts'
export {
  type Appearance,
  type AppearanceListener,
  createAppearance,
  finishLogo,
  readAppearance,
} from './appearance.service.ts'
export { APPEARANCE, findLogoUpload, notifyAppearance } from './appearance.sql.ts'
