import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { newId } from '@swim/platform';

const COUNTED_WITHIN_MS = 120_000;
const STORED_WITHIN_MS = 30_000;
const DAY_MS = 86_400_000;

export interface PublishLessonsOptions {
  natsUrl: string;
  /** Of the member. */
  accountId: string;
  memberId: string;
  /** How many sessions. */
  count: number;
  /** How many progress counts now. */
  countNow: () => Promise<number>;
}

/** Publishes a member's past sessions as scheduling does, and waits until progress counts them. */
export async function publishLessons({ natsUrl, accountId, memberId, count, countNow }: PublishLessonsOptions) {
  const connection = await connect({ servers: natsUrl });
  try {
    const lessons = Array.from({ length: count }, (_, index) => completed(accountId, memberId, count - index));
    // A request each, so that it resolves when the stream has stored it.
    for (const event of lessons)
      await connection.request(subjectOf(event), JSON.stringify(event), { timeout: STORED_WITHIN_MS });
  } finally {
    await connection.close();
  }
  const endsAtMs = performance.now() + COUNTED_WITHIN_MS;
  while ((await countNow()) < count) {
    if (performance.now() > endsAtMs)
      throw new Error(`progress did not count ${count} sessions within ${COUNTED_WITHIN_MS / 1_000} s`);
    await sleep(100);
  }
}

const subjectOf = ({ env, type, objectId }: ReturnType<typeof completed>) =>
  `event.${env}.scheduling.${type}.${objectId}`;

function completed(accountId: string, memberId: string, daysAgo: number) {
  const date = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const object = {
    id: newId('ses'),
    account_id: accountId,
    booking_id: null,
    instructor_id: newId('ins'),
    member_id: memberId,
    date,
    end_date: date,
    duration_minutes: 30,
    location: null,
    status: 'completed',
    attendance: daysAgo % 5 === 0 ? 'no_show' : 'attended',
    cancellation: null,
    price_cents: 0,
    currency: 'EUR',
    version: 2,
    created_at: date,
    updated_at: date,
  };
  return {
    id: newId('evt'),
    n: 1,
    type: 'session.completed',
    env: 'test',
    occurredAt: date,
    audience: [accountId],
    objectId: object.id,
    object,
    cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId },
  };
}
