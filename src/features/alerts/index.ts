// Alerts on favorites: many or few people, back online, a wipe that is near (docs/decisions/0074).
export { alertsOperations } from './alerts.operations.ts'
export { fireAlerts, reportFired, runAlertsUpkeep, runAlertsWipes, writeAlertPush } from './alerts.service.ts'
export { deleteAlertsOf } from './alerts.sql.ts'
export { browsersOperations } from './browsers.operations.ts'
export { deleteBrowsersOf } from './browsers.sql.ts'
export { personalData } from './personal-data.ts'
