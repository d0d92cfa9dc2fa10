import { describe, expect, it } from '@jest/globals';
import type { AccountEvent } from '@swim/contracts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { closingOf, framesOf, KEEP_ALIVE, openingOf } from './event-frames.rules.js';

const anEvent = (sequence: number) => ({ id: `evt_${sequence}`, sequence }) as AccountEvent;
const events = (...sequences: number[]) => sequences.map(anEvent);

/** What an independent parser reads. */
function parsed(text: string) {
  const messages: EventSourceMessage[] = [];
  const [ids, retries, comments]: [string[], number[], string[]] = [[], [], []];
  const parser = createParser({
    onEvent: (message) => messages.push(message),
    onId: (id) => ids.push(id),
    onRetry: (ms) => retries.push(ms),
    onComment: (comment) => comments.push(comment),
  });
  parser.feed(text);
  return { messages, ids, retries, comments };
}

describe('a page of events as server-sent events', () => {
  it('has each event under its sequence', () => {
    const { messages } = parsed(framesOf(events(8, 9), 7));
    expect(messages.map(({ id, event, data }) => [id, event, JSON.parse(data)])).toEqual([
      ['8', undefined, anEvent(8)],
      ['9', undefined, anEvent(9)],
    ]);
  });

  it('begins with truncated where events after the position are gone', () => {
    const { messages } = parsed(framesOf(events(12), 7));
    expect(messages.map(({ id, event }) => [id, event])).toEqual([
      ['11', 'truncated'],
      ['12', undefined],
    ]);
    expect(JSON.parse(messages[0]!.data)).toEqual({ last_event_id: 7, first_sequence: 12 });
  });

  it('is not truncated for a client that requested all that is kept', () => {
    expect(parsed(framesOf(events(12), 0)).messages.map(({ id }) => id)).toEqual(['12']);
  });

  it('is nothing without events', () => {
    expect(framesOf([], 7)).toBe('');
  });
});

describe('a stream', () => {
  it('begins with the position, from which a client without an event resumes', () => {
    expect(parsed(openingOf(41))).toMatchObject({ messages: [], ids: ['41'], retries: [2_000] });
  });

  it('ends with a time to reconnect, which differs between streams that end together', () => {
    expect(parsed(closingOf(0)).retries).toEqual([2_000]);
    expect(parsed(closingOf(1)).retries).toEqual([6_000]);
  });

  it('is kept alive by a comment', () => {
    expect(parsed(KEEP_ALIVE)).toMatchObject({ messages: [], comments: ['keep-alive'] });
  });
});
