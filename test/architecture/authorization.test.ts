// Calls every operation of the served OpenAPI document as every kind of caller.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRconRunner, rconCommand } from '../../src/features/rcon/index.ts'
import { serverProbe } from '../../src/features/servers/index.ts'
import { SCOPES } from '../../src/platform/http/scopes.ts'
import { startProvider, subscribe } from '../features/billing/support.ts'
import { startTestApi } from '../support/api.ts'
import { type ApiDocument, errorOf } from '../support/contract.ts'
import { png } from '../workers/polling/png.ts'
import { CALLERS, type Caller, createWorld, newAddress, PASSWORD, type World } from './authorization-world.ts'

const ICON = 'a'.repeat(43)
const PICTURE = png()

/**
 * The status expected for each caller. user: owns nothing, and is invited; other: owns another server; viewer, manager:
 * members of the owner's server, without RCON; owner: owns server, key and tokens; moderator: owns nothing; key,
 * revoked: the owner's API keys.
 */
const TABLE = `
  operation                                    anonymous user other viewer manager owner moderator admin key revoked

  GET    /healthz                                        200  200   200    200     200   200       200   200 200     200
  GET    /readyz                                         200  200   200    200     200   200       200   200 200     200
  GET    /metrics                                        200  200   200    200     200   200       200   200 200     200
  GET    /icons/{file}                                   200  200   200    200     200   200       200   200 200     200
  GET    /images/{file}                                  200  200   200    200     200   200       200   200 200     200
  GET    /openapi.json                                   200  200   200    200     200   200       200   200 200     401

  GET    /public/servers                                 200  200   200    200     200   200       200   200 200     401
  GET    /public/servers/{id}                            200  200   200    200     200   200       200   200 200     401
  GET    /public/servers/{id}/badge.svg                  200  200   200    200     200   200       200   200 200     401
  GET    /public/stats                                   200  200   200    200     200   200       200   200 200     401
  GET    /stats                                          200  200   200    200     200   200       200   200 200     401
  GET    /servers                                        200  200   200    200     200   200       200   200 200     401
  POST   /servers/probe                                  401  200   200    200     200   200       200   200 200     401
  POST   /servers/recognize                              401  200   200    200     200   200       200   200 200     401
  POST   /servers/lookup                                 200  200   200    200     200   200       200   200 200     401
  GET    /servers/changes                                200  200   200    200     200   200       200   200 200     401
  GET    /servers/stream                                 200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}                                   200  200   200    200     200   200       200   200 200     401
  GET    /games                                          200  200   200    200     200   200       200   200 200     401
  GET    /servers/facets                                 200  200   200    200     200   200       200   200 200     401
  GET    /servers/suggestions                            200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/compare                           200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/mods                              200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/rank                              200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/standings                         200  200   200    200     200   200       200   200 200     401
  GET    /standings                                      200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/banner.svg                        200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/card.png                          200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/chart.svg                         200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/player-history                    200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/wipe-history                      200  200   200    200     200   200       200   200 200     401
  POST   /servers/{id}/wipe-history                      401  403   403    403     201   201       403   201 201     401
  DELETE /servers/{id}/wipe-history/{wipeId}             401  403   403    403     200   200       403   200 200     401

  POST   /auth/register                                  201  201   201    201     201   201       201   201 403     401
  POST   /auth/login                                     200  200   200    200     200   200       200   200 403     401
  POST   /auth/logout                                    200  200   200    200     200   200       200   200 403     401
  GET    /auth/methods                                   200  200   200    200     200   200       200   200 403     401
  GET    /auth/session                                   401  200   200    200     200   200       200   200 403     401
  GET    /auth/second-step                               401  401   401    401     401   401       401   401 403     401
  POST   /auth/second-step/passkey                       401  401   401    401     401   401       401   401 403     401
  POST   /auth/second-step                               401  401   401    401     401   401       401   401 403     401
  POST   /auth/verify-email                              200  200   200    200     200   200       200   200 403     401
  POST   /auth/verify-email/send                         401  200   200    200     200   200       200   200 403     401
  POST   /auth/password-reset                            200  200   200    200     200   200       200   200 403     401
  POST   /auth/password-reset/confirm                    200  200   200    200     200   200       200   200 403     401
  GET    /auth/chat                                      302  302   302    302     302   302       302   302 403     401
  GET    /auth/chat/callback                             400  400   400    400     400   400       400   400 403     401
  GET    /auth/gameplatform                              302  302   302    302     302   302       302   302 403     401
  GET    /auth/gameplatform/callback                     400  400   400    400     400   400       400   400 403     401

  GET    /user/profile                                   401  200   200    200     200   200       200   200 403     401
  PATCH  /user/profile                                   401  200   200    200     200   200       200   200 403     401
  DELETE /user                                           401  200   200    200     200   200       200   400 403     401
  GET    /user/sessions                                  401  200   200    200     200   200       200   200 403     401
  DELETE /user/sessions                                  401  200   200    200     200   200       200   200 403     401
  DELETE /user/sessions/{id}                             401  200   404    404     404   404       404   404 403     401
  GET    /user/second-factor                             401  200   200    200     200   200       200   200 403     401
  POST   /user/second-factor/passkeys/options            401  200   200    200     200   200       200   200 403     401
  POST   /user/second-factor/passkeys                    401  400   400    400     400   400       400   400 403     401
  PATCH  /user/second-factor/passkeys/{passkeyId}        401  404   404    200     404   404       404   404 403     401
  DELETE /user/second-factor/passkeys/{passkeyId}        401  404   404    200     404   404       404   404 403     401
  POST   /user/second-factor/codes                       401  200   200    400     200   200       200   200 403     401
  POST   /user/second-factor/codes/confirm               401  400   400    400     400   400       400   400 403     401
  DELETE /user/second-factor/codes                       401  404   404    200     404   404       404   404 403     401
  POST   /user/second-factor/recovery-codes              401  400   400    200     400   400       400   400 403     401
  POST   /user/second-factor/confirm/passkey             401  200   200    200     200   200       200   200 403     401
  POST   /user/second-factor/confirm                     401  401   401    200     401   401       401   401 403     401
  GET    /user/data                                      401  200   200    200     200   200       200   200 403     401
  POST   /user/password                                  401  200   200    200     200   200       200   200 403     401
  GET    /user/notification-preferences                  401  200   200    200     200   200       200   200 403     401
  PATCH  /user/notification-preferences                  401  200   200    200     200   200       200   200 403     401
  POST   /user/unlink/chat                               401  200   200    200     200   200       200   200 403     401
  POST   /user/unlink/gameplatform                       401  200   200    200     200   200       200   200 403     401
  GET    /user/api-keys                                  401  200   200    200     200   200       200   200 403     401
  GET    /user/api-keys/{id}                             401  404   404    404     404   200       404   404 403     401
  POST   /user/api-keys                                  401  201   201    201     201   201       201   201 403     401
  PATCH  /user/api-keys/{id}                             401  404   404    404     404   200       404   404 403     401
  DELETE /user/api-keys/{id}                             401  404   404    404     404   200       404   404 403     401
  GET    /user/notifications                             401  200   200    200     200   200       200   200 200     401
  POST   /user/notifications/read                        401  200   200    200     200   200       200   200 200     401
  GET    /user/notification-preferences/chat-webhook      401  200   200    200     200   200       200   200 403     401
  PUT    /user/notification-preferences/chat-webhook      401  200   200    200     200   200       200   200 403     401
  DELETE /user/notification-preferences/chat-webhook      401  200   200    200     200   200       200   200 403     401
  GET    /notifications/unsubscribe                      302  302   302    302     302   302       302   302 302     401
  POST   /notifications/unsubscribe                      200  200   200    200     200   200       200   200 200     401
  POST   /notifications/mail-settings                    200  200   200    200     200   200       200   200 200     401
  GET    /user/favorites                                 401  200   200    200     200   200       200   200 200     401
  GET    /user/alerts                                    401  200   200    200     200   200       200   200 200     401
  GET    /user/push-browsers                             401  200   200    200     200   200       200   200 403     401
  POST   /user/push-browsers                             401  201   201    201     201   201       201   201 403     401
  DELETE /user/push-browsers/{id}                        401  404   404    404     404   200       404   404 403     401
  GET    /user/servers                                   401  200   200    200     200   200       200   200 200     401
  GET    /user/memberships                               401  200   200    200     200   200       200   200 200     401
  GET    /user/invitations                               401  200   200    200     200   200       200   200 200     401
  POST   /user/invitations/{id}/accept                   401  200   404    404     404   404       404   404 403     401
  POST   /user/invitations/{id}/decline                  401  200   404    404     404   404       404   404 403     401

  POST   /servers/{id}/vote                              200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/vote                              200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/vote/challenge                    200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/vote/progress                     200  200   200    200     200   200       200   200 200     401
  GET    /push/key                                       200  200   200    200     200   200       200   200 200     401
  POST   /servers/{id}/vote/reminder                     200  200   200    200     200   200       200   200 200     401
  POST   /servers/{id}/vote/mail-reminder                401  400   200    400     400   400       400   400 403     401
  GET    /vote-reminders/{id}                            200  200   200    200     200   200       200   200 200     401
  GET    /vote-reminders/off                             302  302   302    302     302   302       302   302 302     401
  POST   /vote-reminders/off                             200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/votes                             401  403   403    200     200   200       403   200 200     401
  GET    /servers/{id}/votes/check                       401  403   403    200     200   200       403   200 200     401
  POST   /servers/{id}/votes/claim                       401  403   403    403     200   200       403   200 200     401
  GET    /servers/{id}/votes/top                         200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/votes/top.csv                     401  403   403    200     200   200       403   200 200     401
  GET    /servers/{id}/vote-key                          401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/vote-key                          401  403   403    403     200   200       403   200 200     401
  DELETE /servers/{id}/vote-key                          401  403   403    403     200   200       403   200 200     401
  GET    /plugins/votes                                  200  200   200    200     200   200       200   200 200     200
  POST   /plugins/votes                                  200  200   200    200     200   200       200   200 200     200
  POST   /servers/{id}/favorite                          401  201   201    201     201   200       201   201 200     401
  DELETE /servers/{id}/favorite                          401  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/favorite/alerts                   401  404   404    404     404   200       404   404 200     401
  PUT    /servers/{id}/favorite/alerts                   401  404   404    404     404   200       404   404 200     401
  DELETE /servers/{id}/favorite/alerts                   401  200   200    200     200   200       200   200 200     401
  POST   /alerts/off                                     200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/notifications                     401  200   200    200     200   200       200   200 200     401
  PUT    /servers/{id}/notifications                     401  200   200    200     200   200       200   200 200     401
  DELETE /servers/{id}/notifications                     401  200   200    200     200   200       200   200 200     401
  POST   /servers                                        401  201   201    201     201   201       201   201 201     401
  GET    /servers/{id}/activity                          401  403   403    200     200   200       403   200 200     401
  GET    /servers/{id}/activity.csv                      401  403   403    200     200   200       403   200 200     401
  POST   /servers/{id}/activity                          200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/audit                             401  403   403    403     200   200       403   200 200     401
  GET    /servers/{id}/listing                           401  403   403    200     200   200       403   200 200     401
  GET    /servers/{id}/access                            401  200   200    200     200   200       200   200 200     401
  PATCH  /servers/{id}                                   401  403   403    403     200   200       403   200 200     401
  GET    /servers/{id}/faces                             401  403   403    200     200   200       403   200 200     401
  PUT    /servers/{id}/logo                              401  403   403    403     202   202       403   202 202     401
  DELETE /servers/{id}/logo                              401  403   403    403     200   200       403   200 200     401
  PUT    /servers/{id}/banner                            401  403   403    403     202   202       403   202 202     401
  DELETE /servers/{id}/banner                            401  403   403    403     200   200       403   200 200     401
  DELETE /servers/{id}                                   401  403   403    403     403   200       403   200 200     401
  POST   /servers/{id}/claim                             401  200   200    200     200   400       200   200 400     401
  GET    /servers/{id}/claim                             401  200   200    200     200   200       200   200 200     401
  POST   /servers/{id}/claim/verify                      401  400   400    400     400   200       400   400 200     401
  POST   /servers/{id}/claim/stop                        401  403   403    403     403   200       403   200 200     401
  POST   /servers/{id}/opt-out                           401  403   403    403     403   200       403   400 200     401
  POST   /claims/stop                                    200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/webhook                           401  403   403    403     200   200       403   200 200     401
  PUT    /servers/{id}/webhook                           401  403   403    403     200   200       403   200 200     401
  DELETE /servers/{id}/webhook                           401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/webhook/rotate-secret             401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/webhook/test                      401  403   403    403     200   200       403   200 200     401
  GET    /servers/{id}/webhook/deliveries                401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/webhook/deliveries/{deliveryId}/redeliver      401  403   403    403     200   200       403   200 200     401
  GET    /servers/{id}/endpoints                         401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/endpoints                         401  403   403    403     201   201       403   201 201     401
  GET    /servers/{id}/endpoints/{endpointId}            401  403   403    403     200   200       403   200 200     401
  PATCH  /servers/{id}/endpoints/{endpointId}            401  403   403    403     200   200       403   200 200     401
  DELETE /servers/{id}/endpoints/{endpointId}            401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/endpoints/{endpointId}/rotate-secret      401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/endpoints/{endpointId}/test       401  403   403    403     200   200       403   200 200     401
  GET    /servers/{id}/endpoints/{endpointId}/deliveries      401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/endpoints/{endpointId}/deliveries/{deliveryId}/redeliver      401  403   403    403     200   200       403   200 200     401
  GET    /servers/{id}/rcon                              401  403   403    403     200   200       403   200 200     401
  PUT    /servers/{id}/rcon                              401  403   403    403     403   200       403   200 200     401
  POST   /servers/{id}/rcon                              401  403   403    403     403   200       403   200 200     401
  DELETE /servers/{id}/rcon                              401  403   403    403     403   200       403   200 200     401
  GET    /servers/{id}/vote-rewards                      401  403   403    403     200   200       403   200 200     401
  PUT    /servers/{id}/vote-rewards                      401  403   403    403     403   200       403   200 200     401
  DELETE /servers/{id}/vote-rewards                      401  403   403    403     200   200       403   200 200     401
  GET    /servers/{id}/vote-rewards/log                  401  403   403    403     200   200       403   200 200     401
  POST   /servers/{id}/reports                           401  201   201    201     201   201       201   201 201     401
  POST   /contact                                        200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/members                           401  403   403    200     200   200       403   200 200     401
  POST   /servers/{id}/members                           401  403   403    403     403   201       403   403 403     401
  PATCH  /servers/{id}/members/{userId}                  401  403   403    403     403   200       403   200 403     401
  DELETE /servers/{id}/members/{userId}                  401  403   403    200     403   200       403   200 403     401
  DELETE /servers/{id}/invitations/{invitationId}        401  403   403    403     403   200       403   200 403     401
  POST   /servers/{id}/handover                          401  403   403    403     403   201       403   403 403     401
  GET    /placement-reach                                200  200   200    200     200   200       200   200 200     401
  GET    /billing/prices                                 200  200   200    200     200   200       200   200 200     401

  POST   /billing/checkout                               401  200   200    200     200   200       200   200 403     401
  GET    /billing/checkout/{sessionId}                   401  404   404    404     404   200       404   404 403     401
  POST   /billing/webhook                                400  400   400    400     400   400       400   400 400     400
  GET    /user/subscription                              401  200   200    200     200   200       200   200 403     401
  DELETE /user/subscription                              401  400   400    400     400   200       400   400 403     401
  POST   /user/subscription/portal                       401  400   400    400     400   200       400   400 403     401

  GET    /auctions                                       200  200   200    200     200   200       200   200 200     401
  GET    /auctions/{id}                                  200  200   200    200     200   200       200   200 200     401
  POST   /auctions/{id}/bid                              401  201   201    201     201   201       201   201 201     401
  POST   /auctions/{id}/checkout                         401  400   400    400     400   200       400   400 403     401
  GET    /ad-placements                                  200  200   200    200     200   200       200   200 200     401
  GET    /ad-placements/{location}                       200  200   200    200     200   200       200   200 200     401
  GET    /servers/featured                               200  200   200    200     200   200       200   200 200     401
  GET    /servers/{id}/featured                          200  200   200    200     200   200       200   200 200     401
  GET    /admin/auctions                                 401  403   403    403     403   403       403   200 403     401
  GET    /user/auctions                                  401  200   200    200     200   200       200   200 200     401
  GET    /admin/auctions/{id}                            401  403   403    403     403   403       403   200 403     401
  POST   /admin/auctions                                 401  403   403    403     403   403       403   201 403     401
  PATCH  /admin/auctions/{id}                            401  403   403    403     403   403       403   200 403     401
  DELETE /admin/auctions/{id}                            401  403   403    403     403   403       403   200 403     401
  POST   /admin/auctions/{id}/bids/{bidId}/void          401  403   403    403     403   403       403   200 403     401
  GET    /admin/ad-slots                                 401  403   403    403     403   403       403   200 403     401
  POST   /admin/ad-slots                                 401  403   403    403     403   403       403   201 403     401
  PATCH  /admin/ad-slots/{id}                            401  403   403    403     403   403       403   200 403     401
  DELETE /admin/ad-slots/{id}                            401  403   403    403     403   403       403   200 403     401

  GET    /admin/servers                                  401  403   403    403     403   403       200   200 403     401
  PATCH  /admin/servers/{id}                             401  403   403    403     403   403       403   200 403     401
  DELETE /admin/servers/{id}                             401  403   403    403     403   403       403   200 403     401
  POST   /admin/servers/{id}/faces/{kind}/lock           401  403   403    403     403   403       200   200 403     401
  DELETE /admin/servers/{id}/faces/{kind}/lock           401  403   403    403     403   403       200   200 403     401
  POST   /admin/servers/hide                      401  403   403    403     403   403       200   200 403     401
  POST   /admin/servers/import                           401  403   403    403     403   403       403   200 403     401
  GET    /admin/servers/export                           401  403   403    403     403   403       403   200 403     401
  GET    /admin/reports                                  401  403   403    403     403   403       200   200 403     401
  PATCH  /admin/reports/{id}                             401  403   403    403     403   403       200   200 403     401
  DELETE /admin/reports/{id}                             401  403   403    403     403   403       200   200 403     401
  POST   /admin/reports/{id}/void                        401  403   403    403     403   403       202   202 403     401
  POST   /announce                                       202  202   202    202     202   202       202   202 202     202
  POST   /luanti/announce                                202  202   202    202     202   202       202   202 202     202
  GET    /admin/discovery/sources                        401  403   403    403     403   403       403   200 403     401
  POST   /admin/discovery/sources/{source}/run           401  403   403    403     403   403       403   200 403     401
  GET    /admin/discovery/blocks                         401  403   403    403     403   403       403   200 403     401
  POST   /admin/discovery/blocks                         401  403   403    403     403   403       403   201 403     401
  DELETE /admin/discovery/blocks/{id}                    401  403   403    403     403   403       403   200 403     401
  GET    /admin/contact                                  401  403   403    403     403   403       200   200 403     401
  DELETE /admin/contact/{id}                             401  403   403    403     403   403       200   200 403     401
  GET    /admin/users                                    401  403   403    403     403   403       403   200 403     401
  PATCH  /admin/users/{id}                               401  403   403    403     403   403       403   200 403     401
  DELETE /admin/users/{id}                               401  403   403    403     403   403       403   200 403     401
  GET    /admin/vote-networks                            401  403   403    403     403   403       200   200 403     401
  GET    /admin/votes/preview                            401  403   403    403     403   403       200   200 403     401
  POST   /admin/votes/void                               401  403   403    403     403   403       202   202 403     401
  GET    /admin/votes/voidings                           401  403   403    403     403   403       200   200 403     401
  POST   /admin/votes/voidings/{id}/restore              401  403   403    403     403   403       202   202 403     401
  GET    /admin/stats                                    401  403   403    403     403   403       403   200 403     401
  GET    /admin/first-steps                              401  403   403    403     403   403       403   200 403     401
  GET    /admin/appearance                               401  403   403    403     403   403       403   200 403     401
  PATCH  /admin/appearance                               401  403   403    403     403   403       403   200 403     401
  PUT    /admin/appearance/logo                          401  403   403    403     403   403       403   202 403     401
  DELETE /admin/appearance/logo                          401  403   403    403     403   403       403   200 403     401
  GET    /admin/audit                                    401  403   403    403     403   403       403   200 403     401
  GET    /admin/queues                                   401  403   403    403     403   403       403   200 403     401
  GET    /admin/queues/{name}/failed                     401  403   403    403     403   403       403   200 403     401
  GET    /admin/queues/{name}/jobs                       401  403   403    403     403   403       403   200 403     401
  POST   /admin/queues/{name}/retry                      401  403   403    403     403   403       403   200 403     401
  POST   /admin/queues/{name}/redrive                    401  403   403    403     403   403       403   200 403     401
`

const UNKNOWN_PASSKEY = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  response: { clientDataJSON: 'AA', attestationObject: 'AA' },
}

/** A browser's subscription. */
const PUSH = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/a-token',
  keys: {
    p256dh: 'BIIGo4Qmpp0Nh_2vI-qpUPkzqk39Wm0HIQWQV9PbqxsvY2a_ZL7WGjk-CtFeGmqJG6Hn1IhE1zQ7Lt1Oo_xOcOM',
    auth: 'A'.repeat(22),
  },
}

/** The request of an operation. Without `id` the path has the owner's server. */
interface Sent {
  id?: string
  /** Other path parameters, by name. */
  params?: Record<string, string>
  query?: string
  body?: unknown
  /** Instead of a body: a PNG image. */
  file?: Buffer
}

const REQUESTS: Record<string, (world: World) => Sent> = {
  'POST /auth/register': () => ({ body: { email: newEmail(), password: PASSWORD, username: 'Someone' } }),
  'POST /auth/login': ({ people }) => ({ body: { email: emailOf(people.owner.id), password: PASSWORD } }),
  'POST /auth/verify-email': ({ tokens }) => ({ body: { token: tokens.verify, password: PASSWORD } }),
  'POST /claims/stop': ({ tokens }) => ({ body: { token: tokens.stopClaim } }),
  'GET /notifications/unsubscribe': ({ tokens }) => ({ query: `token=${tokens.mailSettings}` }),
  'POST /notifications/unsubscribe': ({ tokens }) => ({ query: `token=${tokens.mailSettings}` }),
  'POST /notifications/mail-settings': ({ tokens }) => ({ body: { token: tokens.mailSettings } }),
  'POST /auth/password-reset': () => ({ body: { email: newEmail() } }),
  'POST /auth/password-reset/confirm': ({ tokens }) => ({
    body: { token: tokens.reset, password: 'till the 8 fields' },
  }),
  'DELETE /user': () => ({ body: { password: PASSWORD } }),
  'DELETE /user/sessions/{id}': ({ sessionId }) => ({ id: sessionId }),
  'POST /auth/second-step': ({ recoveryCode }) => ({ body: { recoveryCode } }),
  'POST /user/second-factor/passkeys/options': () => ({ body: { password: PASSWORD } }),
  'POST /user/second-factor/passkeys': () => ({ body: { name: 'Laptop', credential: UNKNOWN_PASSKEY } }),
  'PATCH /user/second-factor/passkeys/{passkeyId}': ({ passkeyId }) => ({
    params: { passkeyId },
    body: { name: 'Key' },
  }),
  'DELETE /user/second-factor/passkeys/{passkeyId}': ({ passkeyId }) => ({ params: { passkeyId } }),
  'POST /user/second-factor/codes': () => ({ body: { password: PASSWORD } }),
  'POST /user/second-factor/codes/confirm': () => ({ body: { code: '000000' } }),
  'POST /user/second-factor/confirm': ({ recoveryCode }) => ({ body: { recoveryCode } }),
  'PATCH /user/profile': () => ({ body: { username: 'Another name' } }),
  'POST /user/password': () => ({ body: { currentPassword: PASSWORD, newPassword: 'till the 8 fields' } }),
  'PATCH /user/notification-preferences': () => ({ body: { email: false } }),
  'POST /user/notifications/read': () => ({ body: { ids: [randomUUID()] } }),
  'PUT /user/notification-preferences/chat-webhook': () => ({ body: { url: 'https://chat.example/hook' } }),
  'PUT /servers/{id}/notifications': () => ({ body: { events: ['serverOffline'] } }),
  'POST /servers/lookup': ({ server }) => ({ body: { ids: [server.id] } }),
  'POST /user/api-keys': () => ({ body: { name: 'Another key' } }),
  'GET /icons/{file}': () => ({ params: { file: `${ICON}.png` } }),
  'GET /user/api-keys/{id}': ({ keyId }) => ({ id: keyId }),
  'GET /images/{file}': () => ({ params: { file: `${ICON}.webp` } }),
  'PUT /servers/{id}/logo': () => ({ file: PICTURE }),
  'PUT /servers/{id}/banner': () => ({ file: PICTURE }),
  'PUT /admin/appearance/logo': () => ({ file: PICTURE }),
  'PATCH /admin/appearance': () => ({ body: { name: 'Another name' } }),
  'POST /admin/servers/hide': ({ server }) => ({ body: { ids: [server.id], hidden: false } }),
  'POST /admin/servers/import': () => ({ file: Buffer.from('name,ipAddress\n') }),
  'POST /admin/servers/{id}/faces/{kind}/lock': () => ({ params: { kind: 'logo' }, body: {} }),
  'DELETE /admin/servers/{id}/faces/{kind}/lock': () => ({ params: { kind: 'logo' } }),
  'PATCH /user/api-keys/{id}': ({ keyId }) => ({ id: keyId, body: { name: 'Another name' } }),
  'DELETE /user/api-keys/{id}': ({ keyId }) => ({ id: keyId }),
  'POST /billing/checkout': () => ({ body: { tier: 'standard' } }),
  'GET /billing/checkout/{sessionId}': ({ people }) => ({ params: { sessionId: `cs_${people.owner.id}` } }),
  'POST /servers': () => ({ body: { name: 'Another server', ipAddress: newAddress(), gamePort: 7777 } }),
  'POST /servers/{id}/vote': () => ({ body: { visitorId: randomUUID() } }),
  'GET /servers/{id}/vote': () => ({ query: 'visitorId=some-visitor' }),
  'GET /servers/{id}/vote/progress': () => ({ query: 'visitorId=some-visitor' }),
  'POST /servers/{id}/vote/reminder': () => ({ body: { visitorId: 'some-visitor', push: PUSH } }),
  'POST /servers/{id}/vote/mail-reminder': () => ({ body: { visitorId: 'some-visitor' } }),
  'GET /vote-reminders/{id}': ({ reminderId }) => ({ id: reminderId }),
  'GET /vote-reminders/off': ({ reminderId }) => ({ query: `id=${reminderId}` }),
  'POST /vote-reminders/off': ({ reminderId }) => ({ query: `id=${reminderId}` }),
  'PUT /servers/{id}/favorite/alerts': () => ({ body: { playersAtLeast: 20 } }),
  'POST /alerts/off': () => ({ query: `id=${randomUUID()}` }),
  'POST /user/push-browsers': () => ({ body: { push: PUSH } }),
  'DELETE /user/push-browsers/{id}': ({ browserId }) => ({ id: browserId }),
  'GET /servers/{id}/votes/check': () => ({ query: 'username=Someone' }),
  'POST /servers/{id}/votes/claim': () => ({ body: { username: 'Someone' } }),
  'GET /plugins/votes': ({ voteKey }) => ({ query: `key=${voteKey}&action=status&username=Someone` }),
  'POST /plugins/votes': ({ voteKey }) => ({ query: `key=${voteKey}&action=claim&username=Someone` }),
  'POST /servers/{id}/activity': () => ({ body: { action: 'copy' } }),
  'PATCH /servers/{id}': () => ({ body: { name: 'Another name' } }),
  'PUT /servers/{id}/webhook': () => ({ body: { url: 'https://owner.example/hook', events: ['vote.created'] } }),
  'POST /servers/{id}/webhook/deliveries/{deliveryId}/redeliver': ({ deliveryId }) => ({ params: { deliveryId } }),
  'POST /servers/{id}/endpoints': () => ({
    body: { kind: 'standard', url: 'https://owner.example/hook', events: ['vote.created'] },
  }),
  'GET /servers/{id}/endpoints/{endpointId}': ({ endpointId }) => ({ params: { endpointId } }),
  'PATCH /servers/{id}/endpoints/{endpointId}': ({ endpointId }) => ({
    params: { endpointId },
    body: { events: ['auction.won'] },
  }),
  'DELETE /servers/{id}/endpoints/{endpointId}': ({ endpointId }) => ({ params: { endpointId } }),
  'POST /servers/{id}/endpoints/{endpointId}/rotate-secret': ({ endpointId }) => ({ params: { endpointId } }),
  'POST /servers/{id}/endpoints/{endpointId}/test': ({ endpointId }) => ({ params: { endpointId } }),
  'GET /servers/{id}/endpoints/{endpointId}/deliveries': ({ endpointId }) => ({ params: { endpointId } }),
  'POST /servers/{id}/endpoints/{endpointId}/deliveries/{deliveryId}/redeliver': ({ endpointId, deliveryId }) => ({
    params: { endpointId, deliveryId },
  }),
  'POST /servers/probe': () => ({ body: { ipAddress: '127.0.0.1', gamePort: 27_015 } }),
  'POST /servers/recognize': () => ({ body: { address: '127.0.0.2:27015' } }),
  'PUT /servers/{id}/rcon': () => ({ body: { port: 27_020, password: 'another' } }),
  'POST /servers/{id}/rcon': () => ({ body: { command: 'status' } }),
  'PUT /servers/{id}/vote-rewards': () => ({ body: { when: 'vote', commands: ['give {username} diamond'] } }),
  'POST /servers/{id}/wipe-history': () => ({ body: { kind: 'full' } }),
  'DELETE /servers/{id}/wipe-history/{wipeId}': ({ wipeId }) => ({ params: { wipeId } }),
  'POST /servers/{id}/reports': () => ({ body: { reason: 'spam' } }),
  'POST /contact': () => ({ body: { name: 'Someone', email: newEmail(), message: 'Hello' } }),
  'PATCH /admin/reports/{id}': ({ reportId }) => ({ id: reportId, body: { status: 'resolved' } }),
  'DELETE /admin/reports/{id}': ({ reportId }) => ({ id: reportId }),
  'POST /admin/reports/{id}/void': ({ findingId }) => ({ id: findingId, body: { reason: 'Bought votes' } }),
  'POST /announce': () => ({ body: { game: 'rust', gamePort: 28_015 } }),
  'POST /luanti/announce': () => ({ body: { action: 'start' } }),
  'POST /admin/discovery/sources/{source}/run': () => ({ params: { source: 'luanti' } }),
  'POST /admin/discovery/blocks': () => ({ body: { namePattern: 'never seen' } }),
  'DELETE /admin/discovery/blocks/{id}': ({ blockId }) => ({ id: blockId }),
  'DELETE /admin/contact/{id}': ({ contactId }) => ({ id: contactId }),
  'PATCH /admin/servers/{id}': () => ({ body: { isFeatured: true } }),
  'PATCH /admin/users/{id}': ({ people }) => ({ id: people.user.id, body: { tier: 'standard' } }),
  'GET /servers/{id}/compare': ({ otherServerId }) => ({ query: `with=${otherServerId}` }),
  'GET /admin/queues/{name}/failed': () => ({ params: { name: 'mail' } }),
  'GET /admin/queues/{name}/jobs': () => ({ params: { name: 'mail' }, query: 'state=ready' }),
  'POST /admin/queues/{name}/retry': () => ({ params: { name: 'mail' } }),
  'POST /admin/queues/{name}/redrive': () => ({ params: { name: 'mail' } }),
  'GET /auctions/{id}': ({ auctionId }) => ({ id: auctionId }),
  'POST /servers/{id}/members': ({ people }) => ({ body: { email: `new.${people.owner.id}@example.com` } }),
  'PATCH /servers/{id}/members/{userId}': ({ people }) => ({
    params: { userId: people.viewer.id },
    body: { role: 'manager' },
  }),
  'DELETE /servers/{id}/members/{userId}': ({ people }) => ({ params: { userId: people.viewer.id } }),
  'DELETE /servers/{id}/invitations/{invitationId}': ({ invitationId }) => ({ params: { invitationId } }),
  'POST /servers/{id}/handover': ({ people }) => ({ body: { userId: people.manager.id } }),
  'POST /user/invitations/{id}/accept': ({ invitationId }) => ({ id: invitationId, body: {} }),
  'POST /user/invitations/{id}/decline': ({ invitationId }) => ({ id: invitationId }),
  'POST /auctions/{id}/bid': ({ auctionId }) => ({ id: auctionId, body: { bidAmount: 1000 } }),
  'POST /auctions/{id}/checkout': ({ wonAuctionId }) => ({ id: wonAuctionId }),
  'GET /ad-placements/{location}': ({ location }) => ({ params: { location } }),
  'POST /admin/auctions': ({ slotId }) => ({
    body: { slotId, title: 'A week', endsAt: inAnHour(), startingBid: 500, minimumIncrement: 100 },
  }),
  'GET /admin/auctions/{id}': ({ auctionId }) => ({ id: auctionId }),
  'PATCH /admin/auctions/{id}': ({ auctionId }) => ({ id: auctionId, body: { title: 'Another week' } }),
  'POST /admin/auctions/{id}/bids/{bidId}/void': ({ wonAuctionId, wonBidId }) => ({
    id: wonAuctionId,
    params: { bidId: wonBidId },
  }),
  'DELETE /admin/auctions/{id}': ({ auctionId }) => ({ id: auctionId }),
  'POST /admin/ad-slots': () => ({
    body: { location: 'home-top', tier: 'premium', name: newEmail(), width: 300, height: 250 },
  }),
  'PATCH /admin/ad-slots/{id}': ({ slotId }) => ({ id: slotId, body: { isActive: false } }),
  'DELETE /admin/ad-slots/{id}': ({ freeSlotId }) => ({ id: freeSlotId }),
  'GET /admin/votes/preview': ({ server }) => ({ query: `serverId=${server.id}` }),
  'POST /admin/votes/void': ({ server }) => ({ body: { serverId: server.id, reason: 'Bought votes' } }),
  'POST /admin/votes/voidings/{id}/restore': ({ voidingId }) => ({ id: voidingId }),
  'DELETE /admin/users/{id}': ({ people }) => ({ id: people.user.id }),
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const newEmail = () => `${randomUUID()}@example.com`
const emailOf = (userId: string) => `${userId}@example.com`

const provider = await startProvider()
const api = await startTestApi({
  settings: {
    DISCORD_CLIENT_ID: 'an-id',
    DISCORD_CLIENT_SECRET: 'a-secret',
    TRUST_PROXY: '1',
    DISCOVER: 'luanti,announcements',
    ...provider.settings,
  },
})
const { pool } = api.database
// Stands in for the worker that runs RCON commands.
const runCommand = createRconRunner(api.deps, async () => ({ response: 'fine' }))
const silent = { outcome: 'silent' }
await api.deps.jobs.boss.work(serverProbe.queue, { pollingIntervalSeconds: 0.5 }, async () => silent)
await api.deps.jobs.boss.work<{ commandId: string }>(
  rconCommand.queue,
  { pollingIntervalSeconds: 0.5 },
  async (jobs) => {
    for (const { data } of jobs) await runCommand(data)
  },
)
const ORIGIN = new URL(api.deps.settings.PUBLIC_BASE_URL).origin
const document = (await (await api.request('/api/openapi.json')).json()) as ApiDocument

type Row = Record<Caller, number>

const [, ...lines] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
  .filter((line) => line.length > 1)
const rows = new Map<string, Row>(
  lines.map(([method, path, ...statuses]) => [
    `${method} ${path}`,
    Object.fromEntries(CALLERS.map((caller, n) => [caller, Number(statuses[n])])) as Row,
  ]),
)

interface Operation {
  name: string
  method: string
  path: string
  isUnsafe: boolean
  isPublic: boolean
  isStream: boolean
  /** That an API key needs. */
  scope: string | undefined
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete']
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, { security = [], responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: isAtRoot(item) ? path : `/api${path}`,
      isUnsafe: method !== 'get',
      scope: (security as { apiKey?: string[] }[]).flatMap(({ apiKey = [] }) => apiKey)[0],
      isPublic: (security as object[]).every((way) => !('session' in way)),
      isStream: JSON.stringify(responses).includes('text/event-stream'),
    })),
)

function isAtRoot(item: object): boolean {
  return (item as { servers?: { url: string }[] }).servers?.[0]?.url === '/'
}

async function send(operation: Operation, world: World, headers: Record<string, string>): Promise<Response> {
  const { id = world.server.id, params = {}, query, body, file } = REQUESTS[operation.name]?.(world) ?? {}
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => (name === 'id' ? id : (params[name] ?? '')))
  if (operation.isStream) {
    const leave = new AbortController()
    const opened = await fetch(api.url + (query ? `${path}?${query}` : path), { headers, signal: leave.signal })
    leave.abort() // a stream does not end
    return opened
  }
  return api.request(query ? `${path}?${query}` : path, {
    method: operation.method,
    redirect: 'manual',
    // Each request has its own address, so that limits by address do not apply.
    headers: {
      'x-forwarded-for': newAddress(),
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(file ? { 'content-type': file === PICTURE ? 'image/png' : 'text/csv' } : {}),
    },
    ...(file ? { body: new Uint8Array(file) } : body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** The owner also has a subscription and a checkout session, and one of the others a confirmed mail address. */
async function newWorld(): Promise<World> {
  const world = await createWorld(pool)
  const { owner, other } = world.people
  await pool.query('update users set email_verified_at = now() where id = $1', [other.id])
  await subscribe(provider, pool, owner.id)
  await pool.query(
    `insert into payment_sessions (id, user_id, kind, idempotency_key, session_id, status, expires_at)
     values ($1::uuid, $2, 'subscription', $1::text, $3, 'paid', now())`,
    [randomUUID(), owner.id, `cs_${owner.id}`],
  )
  await api.directory.refresh()
  return world
}

await pool.query('insert into icons (hash, png) values ($1, $2)', [ICON, Buffer.from('an icon')])
await pool.query('insert into images (hash, webp, card) values ($1, $2, $2)', [ICON, PICTURE])
/** For operations that change nothing. */
const common = await newWorld()

test('every operation has a row, and every row has an operation', () => {
  expect([...rows.keys()].sort()).toEqual(operations.map(({ name }) => name).sort())
  expect(lines.filter((line) => line.length !== CALLERS.length + 2)).toEqual([])
  expect(Object.keys(REQUESTS).filter((name) => !rows.has(name))).toEqual([])
})

describe('authorization', () => {
  test.each(operations)('$name', async (operation) => {
    const row = rows.get(operation.name)
    const answered: Partial<Row> = {}
    const ask = async (caller: Caller, world: World) => {
      answered[caller] = (await send(operation, world, world.headers[caller])).status
    }
    const isChange = (caller: Caller) => operation.isUnsafe && row !== undefined && row[caller] < 400
    const changing = CALLERS.filter(isChange)
    const worlds = await Promise.all(changing.map(newWorld))
    // What is refused changes nothing, so the callers who are allowed to do it follow in the same world.
    for (const caller of CALLERS) if (!isChange(caller)) await ask(caller, worlds[0] ?? common)
    await Promise.all(changing.map((caller, n) => ask(caller, worlds[n] as World)))
    expect(answered).toEqual(row)
  })
})

describe('a login that waits for its second step', () => {
  // Its own operations are what it is for.
  const withLogin = operations.filter(
    ({ name }) => rows.get(name)?.anonymous === 401 && !name.includes('/auth/second-step'),
  )
  let cookie = ''
  beforeAll(async () => {
    const body = { email: emailOf(common.people.viewer.id), password: PASSWORD }
    const answer = await api.request('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
      body: JSON.stringify(body),
    })
    expect(errorOf(await answer.text())).toMatchObject({ error: 'second_factor_needed' })
    const [line = ''] = answer.headers.getSetCookie().filter((one) => one.includes('second_step'))
    cookie = line.split(';')[0] ?? ''
    expect(cookie).not.toBe('')
  })

  test.each(withLogin)('$name is refused', async (operation) => {
    expect((await send(operation, common, { cookie })).status).toBe(401)
  })
})

describe('an API key without the scope of an operation', () => {
  const scoped = operations.filter(({ scope }) => scope !== undefined)

  test('exists for every operation that keys may call and visitors may not', () => {
    const forKeysOnly = operations.filter(({ name, isPublic }) => !isPublic && rows.get(name)?.key !== 403)
    expect(forKeysOnly.filter(({ scope }) => scope === undefined)).toEqual([])
    expect(new Set(scoped.map(({ scope }) => scope))).toEqual(new Set(SCOPES))
  })

  test.each(scoped)('$name is refused, with the scope’s name', async (operation) => {
    const { scope } = operation
    const setScopes = (scopes: (string | undefined)[]) =>
      pool.query('update api_keys set scopes = $2 where id = $1', [common.keyId, scopes])
    await setScopes(SCOPES.filter((one) => one !== scope))
    const refused = await send(operation, common, common.headers.key)
    expect(errorOf(await refused.text())).toMatchObject({
      error: 'forbidden',
      message: `This API key lacks the scope \`${scope}\`.`,
    })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toMatch(`error="insufficient_scope", scope="${scope}"`)
    if (operation.isUnsafe) return
    await setScopes([scope])
    expect((await send(operation, common, common.headers.key)).status).toBe(rows.get(operation.name)?.key)
  })
})

describe('a page of another origin can’t write', () => {
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  // Owners' pages may vote and any page may look up servers; neither acts for a logged-in user.
  const openToPages = ['POST /servers/{id}/vote', 'POST /servers/lookup']
  // Only an authenticator or an app has the answer; it is 400 from everybody here.
  const NEED_A_DEVICE = ['POST /user/second-factor/passkeys', 'POST /user/second-factor/codes/confirm']
  const written = operations.filter(({ name, isUnsafe }) => isUnsafe && !openToPages.includes(name))
  test.each(written)('$name', async (operation) => {
    const row = rows.get(operation.name)
    const allowed =
      CALLERS.find((caller) => row && row[caller] < 300) ??
      (operation.isPublic ? 'anonymous' : NEED_A_DEVICE.includes(operation.name) ? 'owner' : undefined)
    if (!row || !allowed) throw new Error('no caller may do this')
    const world = await newWorld()
    const responses = await Promise.all(
      foreign.map((headers) => send(operation, world, { ...world.headers[allowed], ...headers })),
    )
    for (const response of responses) {
      expect(errorOf(await response.text())).toMatchObject({
        error: 'forbidden',
        message: expect.stringContaining('another origin'),
      })
      expect(response.status).toBe(403)
    }
    // The refused request changed nothing, so our own page can still do it.
    const own = await send(operation, world, {
      ...world.headers[allowed],
      'sec-fetch-site': 'same-origin',
      origin: ORIGIN,
    })
    expect(own.status).toBe(row[allowed])
  })
})
