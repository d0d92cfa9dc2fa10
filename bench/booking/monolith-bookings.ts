import type { createBooking, ParsedOf } from '@swim/contracts';
import { newId } from '@swim/platform';
import type { Pool, PoolClient, Queryable } from 'pg';

const EXCLUDED = '23P01';
const DUPLICATE = '23505';
const MINUTE_MS = 60_000;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

// PostgreSQL prepares each statement once on each connection.
const STATEMENTS: Record<string, string> = {
  participants: `select i.account_id as school_id, i.hourly_rate_cents, i.currency, i.max_group_size, i.weekly,
    array(select id from members where id = any($2) and account_id = $3) as member_ids
    from instructors i where i.id = $1 and i.active`,
  booking: `insert into bookings (id, account_id, school_id, instructor_id, member_ids, status, payment_status, amount_cents,
    currency, notes, version, created_at, updated_at)
    values ($1, $2, $3, $4, $5, 'confirmed', 'unpaid', $6, $7, $8, 1, $9, $9)`,
  session: `insert into sessions (id, booking_id, account_id, school_id, instructor_id, member_id, during, status, price_cents,
    currency, version, created_at, updated_at, lesson_id)
    values ($1, $2, $3, $4, $5, $6, tstzrange($7, $8), 'scheduled', $9, $10, 1, $11, $11, $12)`,
  events: `insert into events (id, account_id, type, object, created_at)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])`,
  idempotency: `insert into idempotency (account_id, key, fingerprint, response, created_at) values ($1, $2, $3, $4, $5)`,
  replay: 'select fingerprint, response from idempotency where account_id = $1 and key = $2',
  lesson: `select school_id, instructor_id, capacity, price_cents, lower(during) as date, upper(during) as end_date
    from lessons where id = $1 for update`,
  taken: 'select count(*)::int as taken from places where lesson_id = $1',
  place: 'insert into places (lesson_id, session_id, member_id) values ($1, $2, $3)',
  findSession: `select id, account_id, booking_id, instructor_id, member_id, lower(during) as date, upper(during) as end_date,
    status, price_cents, currency, version, created_at, updated_at
    from sessions where id = $1 and (account_id = $2 or school_id = $2)`,
};

type Input = ParsedOf<typeof createBooking>;

/** The sessions are given one by one: recurrences are not measured. */
type Requested = Input & { sessions: NonNullable<Input['sessions']> };

interface Request {
  accountId: string;
  key: string;
  fingerprint: string;
}

interface Place {
  lessonId: string;
  memberId: string;
}

type Booking = ReturnType<typeof newBooking>;

/** Each event is a tuple of account, type and object. */
type Event = [string, string, object];

interface Window {
  day: string;
  start: string;
  end: string;
}

interface Instructor {
  hourly_rate_cents: number;
  currency: string;
  max_group_size: number;
  weekly: Window[];
}

/** The answer is either `data` as JSON, or the error. */
export interface Answer {
  data?: string;
  code?: string;
}

/**
 * Stores bookings in PostgreSQL: one transaction each, and constraints that exclude overlapping lessons of an
 * instructor or a member.
 */
export class MonolithBookings {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Returns the session as JSON, or null when the account may not read it. */
  async findSession(id: string, accountId: string): Promise<Answer | null> {
    const { rows } = await run(this.#pool, 'findSession', [id, accountId]);
    if (rows.length === 0) return null;
    const durationMinutes = (rows[0].end_date - rows[0].date) / MINUTE_MS;
    return { data: JSON.stringify({ ...rows[0], duration_minutes: durationMinutes, location: null, notes: null }) };
  }

  /** Books one place of a lesson of several families. */
  async bookPlace(place: Place, request: Request): Promise<Answer> {
    const client = await this.#pool.connect();
    try {
      const data = await storePlace(client, place, request);
      return data === null ? { code: 'CONFLICT' } : { data };
    } finally {
      client.release();
    }
  }

  /**
   * @param requested - a valid body of POST /v1/bookings.
   * @param request - `key` is its Idempotency-Key.
   */
  async book(requested: Requested, { accountId, key, fingerprint }: Request): Promise<Answer> {
    const client = await this.#pool.connect();
    try {
      const { rows } = await run(client, 'participants', [requested.instructor_id, requested.member_ids, accountId]);
      const [found] = rows;
      if (found?.member_ids.length !== requested.member_ids.length) return { code: 'NOT_FOUND' };
      if (!isPossible(requested, found)) return { code: 'CONFLICT' };
      const booking = newBooking(requested, found, accountId);
      const data = JSON.stringify(booking);
      await store(client, booking, found.school_id, [accountId, key, fingerprint, data, booking.created_at]);
      return { data };
    } catch (error) {
      const { code, table } = error as { code?: string; table?: string };
      if (code === EXCLUDED) return { code: 'CONFLICT' };
      if (code === DUPLICATE && table === 'idempotency') return replay(client, accountId, key, fingerprint);
      throw error;
    } finally {
      client.release();
    }
  }
}

/** Locks the row of a lesson and stores a booking of one place in it; null when the lesson is full. */
async function storePlace(client: PoolClient, { lessonId, memberId }: Place, request: Request): Promise<string | null> {
  await client.query('begin');
  try {
    const { rows } = await run(client, 'lesson', [lessonId]);
    const [{ taken }] = (await run(client, 'taken', [lessonId])).rows;
    if (taken >= rows[0].capacity) {
      await client.query('rollback');
      return null;
    }
    const { school_id: schoolId, instructor_id, date, end_date, price_cents } = rows[0];
    const session = { date: date.toISOString(), duration_minutes: (end_date - date) / MINUTE_MS };
    const requested = { instructor_id, member_ids: [memberId], sessions: [session] } as unknown as Requested;
    // At this rate an hour, the lesson costs its price.
    const rate = (price_cents * 60) / session.duration_minutes;
    const terms = { hourly_rate_cents: rate, currency: 'EUR', max_group_size: 1, weekly: [] };
    const booking = newBooking(requested, terms, request.accountId);
    await run(client, 'place', [lessonId, booking.session_ids[0], memberId]);
    const data = JSON.stringify(booking);
    const idempotency = [request.accountId, request.key, request.fingerprint, data, booking.created_at];
    await insert(client, booking, schoolId, idempotency, lessonId);
    await client.query('commit');
    return data;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function store(client: PoolClient, booking: Booking, schoolId: string, idempotency: unknown[]) {
  await client.query('begin');
  try {
    await insert(client, booking, schoolId, idempotency);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function insert(
  client: PoolClient,
  booking: Booking,
  schoolId: string,
  idempotency: unknown[],
  lessonId?: string,
) {
  await run(client, 'idempotency', idempotency);
  const { id, account_id: accountId, instructor_id: instructorId, currency, created_at: now } = booking;
  const { member_ids: memberIds, amount_cents: amountCents, notes } = booking;
  await run(client, 'booking', [id, accountId, schoolId, instructorId, memberIds, amountCents, currency, notes, now]);
  const price = amountCents / booking.sessions.length;
  for (const { id: sessionId, member_id: memberId, date, end_date: end } of booking.sessions) {
    const who = [accountId, schoolId, instructorId, memberId];
    await run(client, 'session', [sessionId, id, ...who, date, end, price, currency, now, lessonId]);
  }
  await run(client, 'events', columnsOf(eventsOf(booking, schoolId)));
}

async function replay(client: PoolClient, accountId: string, key: string, fingerprint: string) {
  const { rows } = await run(client, 'replay', [accountId, key]);
  return rows[0].fingerprint === fingerprint ? { data: rows[0].response } : { code: 'IDEMPOTENCY_MISMATCH' };
}

const run = (client: Queryable, name: string, values: unknown[]) =>
  client.query({ name, text: STATEMENTS[name], values });

function isPossible({ member_ids: memberIds, sessions }: Requested, { max_group_size: most, weekly }: Instructor) {
  return memberIds.length <= most && sessions.every((session) => isWithinHours(session, weekly));
}

/** Hours are UTC, as the schedules of the measured instructors are. */
function isWithinHours({ date, duration_minutes: minutes }: Requested['sessions'][number], weekly: Window[]) {
  const start = new Date(date);
  const fromMinute = start.getUTCHours() * 60 + start.getUTCMinutes();
  const hours = weekly.filter(({ day }) => day === WEEKDAYS[start.getUTCDay()]);
  return hours.some((each) => minuteOf(each.start) <= fromMinute && fromMinute + minutes <= minuteOf(each.end));
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function newBooking(requested: Requested, { hourly_rate_cents: rate, currency }: Instructor, accountId: string) {
  const now = new Date().toISOString();
  const sessions = requested.sessions.flatMap(({ date, duration_minutes: minutes }) =>
    requested.member_ids.map((memberId) => ({
      id: newId('ses'),
      member_id: memberId,
      date,
      end_date: new Date(Date.parse(date) + minutes * MINUTE_MS).toISOString(),
      duration_minutes: minutes,
      status: 'scheduled',
    })),
  );
  const minutes = sessions.reduce((sum, session) => sum + session.duration_minutes, 0);
  return {
    id: newId('bkg'),
    account_id: accountId,
    instructor_id: requested.instructor_id,
    member_ids: requested.member_ids,
    session_ids: sessions.map(({ id }) => id),
    sessions,
    payment_method_id: null,
    notes: requested.notes ?? null,
    status: 'confirmed',
    payment_status: 'unpaid',
    amount_cents: Math.round((rate * minutes) / 60),
    amount_paid_cents: 0,
    currency,
    expires_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
  };
}

/** A booking emits three events for the family, and the same for the school. */
function eventsOf(booking: Booking, schoolId: string) {
  const { notes, ...object } = booking;
  const sessions = booking.sessions.map((session) => ({ ...session, booking_id: booking.id }));
  const events: [string, object][] = [
    ...sessions.map((session): [string, object] => ['session.created', session]),
    ['booking.created', object],
    ['booking.confirmed', object],
  ];
  return [booking.account_id, schoolId].flatMap((account) =>
    events.map(([type, each]): Event => [account, type, each]),
  );
}

function columnsOf(events: Event[]) {
  const now = new Date();
  return [
    events.map(() => newId('evt')),
    events.map(([account]) => account),
    events.map(([, type]) => type),
    events.map(([, , object]) => JSON.stringify(object)),
    events.map(() => now),
  ];
}
