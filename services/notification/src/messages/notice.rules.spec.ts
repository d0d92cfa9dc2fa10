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
