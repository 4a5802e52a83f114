// What billing stores about a user.
import type { PersonalData } from '../../platform/db/personal-data.ts'

const billingAccount: PersonalData = {
  name: 'billingAccount',
  columns: ['billing_accounts.user_id'],
  read: ({ prisma }, userId) =>
    prisma.billingAccount.findMany({ where: { userId }, omit: { userId: true, customerAttempt: true } }),
}

const subscriptions: PersonalData = {
  name: 'subscriptions',
  columns: ['subscriptions.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.subscription.findMany({
      where: { userId },
      omit: { userId: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...range,
    }),
}

const duplicateSubscriptions: PersonalData = {
  name: 'duplicateSubscriptions',
  columns: ['duplicate_subscriptions.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.duplicateSubscription.findMany({
      where: { userId },
      omit: { userId: true },
      orderBy: [{ foundAt: 'desc' }, { subscriptionId: 'desc' }],
      ...range,
    }),
}

/** The address of a payment page is as good as a session with the provider. */
const payments: PersonalData = {
  name: 'payments',
  columns: ['payment_sessions.user_id'],
  read: ({ prisma }, userId, range) =>
    prisma.paymentSession.findMany({
      where: { userId },
      omit: { userId: true, url: true, idempotencyKey: true, attempt: true, exclusive: true },
      include: { refund: { select: { status: true, createdAt: true, updatedAt: true } } },
      orderBy: { id: 'desc' },
      ...range,
    }),
}

export const personalData = [billingAccount, subscriptions, duplicateSubscriptions, payments]
