// Profiles: what game servers say about themselves (icon, message of the day, description, mods), shown where
// owners left a field empty.
export { ICONS_FOLDER, iconPath } from './icon-path.ts'
export {
  changedProfile,
  PROFILE_FIELDS,
  type ProfileField,
  type StoredProfile,
  selfReportedFields,
} from './profile.ts'
export { runProfilesUpkeep } from './profiles.service.ts'
export { findIcon, findIconHash, removeIcon, type ServerReport, writeReports } from './profiles.sql.ts'
