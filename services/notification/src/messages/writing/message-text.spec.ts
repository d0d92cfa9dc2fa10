import { expect, it } from '@jest/globals';
import { LOCALES } from '@swim/contracts';
import { type Reader, textOf } from './message-text.js';

const HOUR_MS = 3_600_000;
// Requests of the process wait for it.
const LONGEST_MS = 50;

it('the text of the largest booking takes no more than 50 ms of processor time, in every language', () => {
  const members = Array.from({ length: 10 }, (_, index) => ({ id: `mem_${index}`, name: `Member ${index}` }));
  const lessons = Array.from({ length: 520 }, (_, index) => {
    const startMs = Date.parse('2027-03-01T15:00:00Z') + Math.floor(index / 10) * 168 * HOUR_MS;
    const [date, endDate] = [startMs, startMs + HOUR_MS].map((ms) => new Date(ms).toISOString()) as [string, string];
    const memberId = members[index % 10]!.id;
    return { sessionId: `ses_${index}`, memberId, instructorId: 'ins_1', date, endDate, sequence: 0 };
  });
  const places = lessons.map(({ sessionId }) => ({ id: sessionId, type: 'pool' as const, pool: 'Baths, Uferweg 1' }));
  const school = { id: 'acct_1', name: 'City Baths', offerUrlTemplate: null };
  const instructors = [{ id: 'ins_1', name: 'Ines', school }];
  for (const locale of LOCALES) {
    const reader: Reader = {
      id: 'acct_2',
      kind: 'family',
      locale,
      timezone: 'Europe/Berlin',
      members,
      instructors,
      places,
    };
    const write = () => textOf('booked', { about: 'lessons', lessons }, reader);
    // The formats of a language are made with its first message.
    write();
    const spentMs = () => {
      const before = process.cpuUsage();
      expect(write().lines).toHaveLength(52);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    // The least of several times counts, since the process also compiles and collects garbage meanwhile.
    expect(Math.min(...Array.from({ length: 5 }, spentMs))).toBeLessThan(LONGEST_MS);
  }
});
