import { describe, expect, it } from '@jest/globals';
import { batchOf, instantAfter, type Mark, nextOf, withMarks, withoutMarks } from './marks.ts';

const mark = (sessionId: string, recordedAt = '1', lessonId = 'lsn_1'): Mark => ({
  lessonId,
  sessionId,
  attendance: 'attended',
  recordedAt,
});

it('taps lead from present to no-show, to excused, and back to nothing', () => {
  expect(nextOf('pending')).toBe('attended');
  expect(nextOf('attended')).toBe('no_show');
  expect(nextOf('no_show')).toBe('excused');
  expect(nextOf('excused')).toBe('pending');
});

describe('marks that are not sent yet', () => {
  const [mia, noah, ada] = [mark('ses_mia'), mark('ses_noah'), mark('ses_ada', '2')];

  it('have the last of each child', () => {
    const later = mark('ses_mia', '3');
    expect(withMarks([mia, noah], [later])).toEqual([noah, later]);
  });

  it('are sent together where they were noted together', () => {
    expect(batchOf([mia, ada, noah])).toEqual([mia, noah]);
    expect(batchOf([mia, mark('ses_noah', '1', 'lsn_2')])).toEqual([mia]);
    expect(batchOf([])).toEqual([]);
  });

  it('stay when they were replaced while the earlier one was sent', () => {
    const later = mark('ses_mia', '3');
    expect(withoutMarks(withMarks([mia, noah], [later]), [mia, noah])).toEqual([later]);
  });
});

it('the instants of marks increase, also while the clock of the device goes back', () => {
  expect(instantAfter(5, undefined)).toBe('1970-01-01T00:00:00.005Z');
  expect(instantAfter(5, '1970-01-01T00:00:00.009Z')).toBe('1970-01-01T00:00:00.010Z');
});
