import { getSession, type Instructor, type Principal, type Session } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { inDays, type TestHarness } from '@swim/testing';

/** Sessions of the fake scheduling; it shows each to its account and to the instructor's school. */
export class KnownSessions {
  private readonly sessions = new Map<string, { session: Session; readers: string[] }>();

  constructor(harness: TestHarness) {
    harness.serve(getSession, ({ session_id }, { accountId }) => {
      const known = this.sessions.get(session_id);
      if (!known?.readers.includes(accountId)) throw new AppError('resource_not_found');
      return known.session;
    });
  }

  /** Adds a session, completed by default; returns its id. */
  add(
    instructor: Instructor,
    { accountId }: Principal,
    status: Session['status'] = 'completed',
    memberId = newId('mem'),
  ): string {
    const session: Session = {
      id: newId('ses'),
      account_id: accountId,
      booking_id: null,
      lesson_id: newId('lsn'),
      instructor_id: instructor.id,
      member_id: memberId,
      date: inDays(-2),
      end_date: inDays(-2, 11),
      duration_minutes: 60,
      location: null,
      notes: null,
      status,
      attendance: 'pending',
      cancellation: null,
      price_cents: 0,
      price_reason: null,
      currency: 'USD',
      metadata: {},
      version: 1,
      created_at: inDays(-9),
      updated_at: inDays(-2),
    };
    this.sessions.set(session.id, { session, readers: [accountId, instructor.account_id] });
    return session.id;
  }
}
