import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameReader } from './event-frames.js';

const TEXT =
  'retry: 2000\r\nid: 3\r\n\r\n: keep-alive\n\nid: 4\ndata: {"a":\ndata: 1}\n\nevent: truncated\ndata: x\n\ndata:no blank\n\nretry: never\nid: 5\n\n';
const MESSAGES = [
  { event: '', data: '{"a":\n1}' },
  { event: 'truncated', data: 'x' },
  { event: '', data: 'no blank' },
];

describe('a stream of server-sent events', () => {
  it('has the same messages and pauses however its text is cut into parts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: TEXT.length }), { maxLength: 8 }), (cuts) => {
        const reader = new FrameReader();
        const ends = [...cuts.sort((a, b) => a - b), TEXT.length];
        const parts = ends.map((end, at) => TEXT.slice(at === 0 ? 0 : ends[at - 1], end));
        const read = parts.map((part) => reader.take(part));
        expect(read.flatMap(({ messages }) => messages)).toEqual(MESSAGES);
        expect(read.at(-1)).toMatchObject({ retryMs: 2000 });
      }),
    );
  });
});
