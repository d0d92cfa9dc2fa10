import { describe, expect, it } from '@jest/globals';
import { type MarkAnswer, MarkSender } from './mark-sender.ts';
import type { Mark } from './marks.ts';

const mark = (sessionId: string, recordedAt: string, changes: Partial<Mark> = {}): Mark => ({
  lessonId: 'lsn_1',
  sessionId,
  attendance: 'attended',
  recordedAt,
  ...changes,
});

/** An error that would come again. */
class Rejection extends Error {}

const recorded = (marks: readonly Mark[]): MarkAnswer[] =>
  marks.map(({ sessionId }) => ({ session_id: sessionId, status: 'recorded' }));

/** A sender, what it has sent, and how it is answered from now on. */
function aSender() {
  const sent: [string, string | undefined][] = [];
  let answer = (marks: readonly Mark[], _at: string | undefined): readonly MarkAnswer[] => recorded(marks);
  const sender = new MarkSender({
    storageKey: 'marks',
    rejectionOf: (error) => (error instanceof Rejection ? error.message : null),
    onAnswer: () => {},
    send: async (marks, recordedAt) => {
      sent.push([marks.map(({ sessionId }) => sessionId).join(), recordedAt]);
      return answer(marks, recordedAt);
    },
  });
  const answerBy = (by: typeof answer) => {
    answer = by;
  };
  return { sender, sent, answerBy };
}

const refuse = (error: Error) => () => {
  throw error;
};

describe('marks of a roll', () => {
  it('are sent together where they were noted together, in the order of their instants', async () => {
    const { sender, sent } = aSender();
    sender.add([mark('mia', '1'), mark('noah', '1')]);
    sender.add([mark('ada', '2')]);
    await sender.flush();
    expect(sent).toEqual([
      ['mia,noah', '1'],
      ['ada', '2'],
    ]);
    expect(sender.getState().marks).toEqual([]);
  });

  it('are kept where they could not be sent, and sent later', async () => {
    const error = new Error('Failed to fetch');
    const { sender, sent, answerBy } = aSender();
    answerBy(refuse(error));
    sender.add([mark('mia', '1')]);
    await sender.flush();
    expect(sender.getState()).toMatchObject({ marks: [{ sessionId: 'mia' }], error });
    answerBy(recorded);
    await sender.flush();
    expect(sender.getState()).toMatchObject({ marks: [], error: null });
    expect(sent).toHaveLength(2);
  });

  it('say why they were not recorded, until the child is noted again', async () => {
    const { sender, answerBy } = aSender();
    answerBy(() => [
      { session_id: 'mia', status: 'rejected', reason: 'not_started' },
      { session_id: 'noah', status: 'unchanged', reason: 'recorded_later' },
      { session_id: 'ada', status: 'unchanged' },
    ]);
    sender.add(['mia', 'noah', 'ada'].map((id) => mark(id, '1')));
    await sender.flush();
    expect([...sender.getState().rejected]).toEqual([
      ['mia', 'not_started'],
      ['noah', 'recorded_later'],
    ]);
    sender.add([mark('mia', '2')]);
    expect(sender.getState().rejected.has('mia')).toBe(false);
    answerBy(refuse(new Rejection('resource_not_found')));
    await sender.flush();
    expect(sender.getState()).toMatchObject({ marks: [], error: null });
    expect(sender.getState().rejected.get('mia')).toBe('resource_not_found');
  });

  it('leave the instant to the API where the clock of the device is ahead', async () => {
    const { sender, sent, answerBy } = aSender();
    answerBy((marks, at) => (at === undefined ? recorded(marks) : refuse(new Rejection('out_of_range'))()));
    sender.add([mark('mia', '9')]);
    await sender.flush();
    expect(sent).toEqual([
      ['mia', '9'],
      ['mia', undefined],
    ]);
    expect(sender.getState().marks).toEqual([]);
  });

  it('that are noted while the earlier one is sent are sent after it', async () => {
    const { sender, sent, answerBy } = aSender();
    answerBy((marks) => {
      answerBy(recorded);
      sender.add([mark('mia', '2', { attendance: 'no_show' })]);
      return recorded(marks);
    });
    sender.add([mark('mia', '1')]);
    await sender.flush();
    expect(sent.map(([, at]) => at)).toEqual(['1', '2']);
    expect(sender.getState().marks).toEqual([]);
  });
});
