import { describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import { noticesOf } from './notice.rules.js';

const NOW = '2027-03-01T06:00:00.000Z';
const [school, family] = [newId('acct'), newId('acct')];
const lesson = (date: string) => ({
  ...{ id: newId('ses'), account_id: family, booking_id: null, instructor_id: newId('ins'), member_id: newId('mem') },
  ...{ date, end_date: date, version: 1, status: 'scheduled' },
});
/** The messages to the instructor, of their day, about a lesson that the family has booked now. */
const dayNotices = (date: string, { livemode = true, type = 'session.created' } = {}) =>
  noticesOf({
    ...{ id: newId('evt'), type, timestamp: NOW, account_id: school, api_version: 'v1', livemode, isOnly: false },
    ...{ data: { object: lesson(date), previous_attributes: { date: NOW } }, request: null, actor: newId('key') },
  } as never).filter(({ kind, instructorId }) => kind === 'reminder' && instructorId !== undefined);

describe('the mail of the day of an instructor', () => {
  it.each(['session.created', 'session.rescheduled'])('has a lesson that %s comes too late for a reminder', (type) => {
    const [notice] = dayNotices('2027-03-01T16:00:00.000Z', { type });
    expect(notice).toMatchObject({ gatheredMs: 6 * 3_600_000, content: { lessons: [{ sequence: 0 }] } });
  });

  it.each([
    ['has its own reminder to come', '2027-03-02T07:00:00.000Z', true],
    ['begins so soon that the mail of its booking suffices', '2027-03-01T09:00:00.000Z', true],
    ['is in a sandbox', '2027-03-01T16:00:00.000Z', false],
  ])('has none that %s', (_, date, livemode) => {
    expect(dayNotices(date, { livemode })).toEqual([]);
  });
});

describe('the mail to an instructor about a lesson of several children', () => {
  const request = { id: newId('req'), idempotency_key: null };
  /** The group of the message about a place of a lesson that the school has moved or cancelled. */
  const groupOf = (type: string, lessonId: string, of: { id: string } | null = request) => {
    const place = { ...lesson('2027-03-02T16:00:00.000Z'), instructor_id: 'ins', lesson_id: lessonId };
    const object = { ...place, booking_id: newId('bkg'), cancellation: { participants_notified: true } };
    const [notice] = noticesOf({
      ...{
        id: newId('evt'),
        type,
        timestamp: NOW,
        account_id: school,
        api_version: 'v1',
        livemode: true,
        isOnly: false,
      },
      ...{ data: { object, previous_attributes: { date: NOW } }, request: of, actor: newId('key') },
    } as never).filter(({ kind, instructorId }) => kind !== 'reminder' && instructorId !== undefined);
    return notice!.group;
  };

  it.each(['session.rescheduled', 'session.cancelled'])('is one about what a request does: %s', (type) => {
    expect(groupOf(type, 'lsn_a')).toBe(groupOf(type, 'lsn_a'));
    expect(groupOf(type, 'lsn_a')).not.toBe(groupOf(type, 'lsn_a', { id: newId('req') }));
  });

  it('is one for each lesson that is moved, and one for all that are cancelled', () => {
    expect(groupOf('session.rescheduled', 'lsn_a')).not.toBe(groupOf('session.rescheduled', 'lsn_b'));
    expect(groupOf('session.cancelled', 'lsn_a')).toBe(groupOf('session.cancelled', 'lsn_b'));
  });

  it('is not gathered without a request', () => {
    expect(groupOf('session.rescheduled', 'lsn_a', null)).toBeNull();
  });
});
