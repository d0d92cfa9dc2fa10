import {
  type BookingObject,
  type ClosedSession,
  describePlaces,
  describeRecipients,
  issueEmailConfirmation,
  type LessonPlace,
  listClosedSessions,
  listMessages,
  type Message,
  MOST_CLOSED_SESSIONS,
  type Principal,
  type Recipient,
  type SessionObject,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, inDays, schoolPrincipal, type TestHarness } from '@swim/testing';

/** A fake of people and scheduling: the accounts that get messages, whose names are whose, and where lessons are. */
export class KnownRecipients {
  readonly accounts = new Map<string, Recipient>();
  readonly confirmations = new Map<
    string,
    { email: string; token: string; locale: Recipient['locale']; schoolName?: string }
  >();
  readonly places = new Map<string, Omit<LessonPlace, 'id'>>();
  /** The sessions that closures have cancelled. */
  readonly closed = new Map<string, ClosedSession[]>();
  isDown = false;

  /** A family with one member; its address is confirmed. */
  family(overrides: Partial<Recipient> = {}): { principal: Principal; recipient: Recipient } {
    const principal = aPrincipal();
    const recipient: Recipient = {
      id: principal.accountId,
      kind: 'family',
      name: 'Ruiz',
      email: `${principal.accountId}@example.test`,
      locale: 'en',
      timezone: 'Europe/Berlin',
      isAccounts: false,
      members: [{ id: newId('mem'), name: 'Mia' }],
      instructors: [
        {
          id: newId('ins'),
          name: 'Ines',
          school: { id: schoolPrincipal.accountId, name: 'City Baths', offerUrlTemplate: null },
        },
      ],
      ...overrides,
    };
    this.accounts.set(principal.accountId, recipient);
    return { principal, recipient };
  }

  /** A school with two instructors, whose addresses are confirmed, and a family that knows them. */
  school(overrides: Partial<Recipient> = {}) {
    const { principal, recipient: school } = this.family({ kind: 'school', ...overrides });
    const instructors = ['Ines', 'Tom'].map((name) => ({
      id: newId('ins'),
      name,
      school: { id: school.id, name: 'City Baths', offerUrlTemplate: null },
    }));
    school.instructors = instructors;
    const teachers = instructors.map(({ id, name }) => {
      const teacher = { ...school, name, email: `${id}@example.test`, timezone: 'America/New_York' };
      this.accounts.set(id, teacher);
      return teacher;
    });
    const family = this.family({ instructors }).recipient;
    school.members = family.members;
    for (const teacher of teachers) teacher.members = family.members;
    return { principal, school, teachers: teachers as [Recipient, Recipient], family };
  }

  serve(harness: TestHarness): void {
    harness.serve(describeRecipients, ({ recipients }) => {
      if (this.isDown) throw new Error('people is down');
      return recipients.map(({ accountId, recipientId, memberIds, instructorIds }) => {
        const account = this.accounts.get(recipientId ?? accountId);
        if (!account) return null;
        const members = account.members.filter(({ id }) => memberIds.includes(id));
        const instructors = account.instructors.filter(({ id }) => instructorIds.includes(id));
        return { ...account, members, instructors };
      });
    });
    harness.serve(listClosedSessions, ({ closureId, after }) => {
      if (this.isDown) throw new Error('scheduling is down');
      const all = (this.closed.get(closureId) ?? []).toSorted((a, b) => a.id.localeCompare(b.id));
      return all.filter(({ id }) => after === null || id > after).slice(0, MOST_CLOSED_SESSIONS);
    });
    harness.serve(describePlaces, ({ sessionIds, holdId }) =>
      [...sessionIds, ...(holdId === undefined ? [] : [holdId])].flatMap((id) => {
        const place = this.places.get(id);
        return place ? [{ id, ...place }] : [];
      }),
    );
    harness.serve(issueEmailConfirmation, ({ confirmationId }) => {
      const issued = this.confirmations.get(confirmationId);
      return issued ? { schoolName: null, ...issued } : null;
    });
  }
}

/** A lesson of the family's first member with its first instructor. */
export const aSession = (
  { id, members, instructors }: Recipient,
  overrides: Partial<SessionObject> = {},
): SessionObject => ({
  id: newId('ses'),
  account_id: id,
  booking_id: null,
  lesson_id: newId('lsn'),
  instructor_id: instructors[0]!.id,
  member_id: members[0]!.id,
  date: '2027-03-01T15:00:00.000Z',
  end_date: '2027-03-01T15:30:00.000Z',
  duration_minutes: 30,
  location: null,
  status: 'scheduled',
  attendance: 'pending',
  cancellation: null,
  price_cents: 3_000,
  currency: 'EUR',
  version: 1,
  created_at: inDays(0),
  updated_at: inDays(0),
  ...overrides,
});

/** The cancellation of a session, in its events. */
export const aCancellation = (participants_notified = true): NonNullable<SessionObject['cancellation']> => ({
  cancelled_at: inDays(0),
  cancelled_by: newId('acct'),
  participants_notified,
  late: false,
  fee_cents: 0,
  refund_id: null,
  makeup_credit: null,
});

/** A confirmed booking of these sessions. */
export const aBooking = (account: Recipient, sessions: readonly SessionObject[]): BookingObject => ({
  id: newId('bkg'),
  account_id: account.id,
  instructor_id: sessions[0]!.instructor_id,
  member_ids: [...new Set(sessions.map(({ member_id }) => member_id))],
  session_ids: sessions.map(({ id }) => id),
  sessions: sessions.map(
    ({ id, lesson_id, instructor_id, member_id, date, end_date, duration_minutes, status, version }) => ({
      id,
      lesson_id,
      instructor_id,
      version,
      member_id,
      date,
      end_date,
      duration_minutes,
      status,
    }),
  ),
  payment_method_id: null,
  makeup_credit_id: null,
  status: 'confirmed',
  payment_status: 'unpaid',
  amount_cents: 3_000,
  amount_paid_cents: 0,
  amount_credited_cents: 0,
  amount_due_cents: 3_000,
  amount_to_return_cents: 0,
  currency: 'EUR',
  expires_at: null,
  version: 1,
  created_at: inDays(0),
  updated_at: inDays(0),
});

/** The account's messages, newest first. */
export const messagesOf = async (harness: TestHarness, principal: Principal): Promise<Message[]> =>
  (await harness.call(listMessages, { account_id: principal.accountId, limit: 100 }, { principal })).items;
