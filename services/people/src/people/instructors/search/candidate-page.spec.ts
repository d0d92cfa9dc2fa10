import { describe, expect, it } from '@jest/globals';
import { CursorCodec, type CursorScope } from '@swim/platform';
import { pageOfCandidates } from './candidate-page.js';
import { bySearchOrder, type Candidate } from './search.rules.js';

const cursors = new CursorCodec({ CURSOR_SECRET: Buffer.alloc(32, 1) });
const bound: CursorScope = { list: 'instructors', accountId: 'acct', env: 'test', filters: {} };
const all: Candidate[] = Array.from({ length: 7 }, (_, n) => ({ id: `ins_${n}`, km: n % 3 })).sort(bySearchOrder);
const ids = (candidates: Candidate[]) => candidates.map(({ id }) => id);

interface Request {
  limit: number;
  offset?: number;
  cursor?: string;
}
const page = (
  request: Request,
  load: (slice: Candidate[]) => unknown[] = (slice) => slice,
  of: readonly Candidate[] = all,
) => pageOfCandidates(of, { request, cursors, bound }, async (slice) => load(slice) as Candidate[]);

describe('a page of candidates', () => {
  it.each([1, 2, 3, 7, 20])(
    'of %d is followed by the next to the end, each candidate once, in order',
    async (limit) => {
      const seen: string[] = [];
      let request: Request = { limit };
      for (;;) {
        const { items, pagination } = await page(request);
        seen.push(...ids(items));
        expect(pagination).toMatchObject({ total: all.length, has_more: pagination.next_cursor !== null });
        if (pagination.next_cursor === null) break;
        request = { limit, cursor: pagination.next_cursor };
      }
      expect(seen).toEqual(ids(all));
    },
  );

  it('begins at the offset', async () => {
    expect(ids((await page({ limit: 2, offset: 3 })).items)).toEqual(ids(all.slice(3, 5)));
  });

  it('is empty past the end, with a null cursor', async () => {
    const { items, pagination } = await page({ limit: 2, offset: 7 });
    expect([items, pagination]).toEqual([[], { has_more: false, next_cursor: null, total: 7 }]);
  });

  it('continues by a cursor whose candidate no longer matches', async () => {
    const { pagination } = await page({ limit: 3 });
    const left = all.filter((_, index) => index !== 2);
    const next = await page({ limit: 9, cursor: pagination.next_cursor! }, undefined, left);
    expect(ids(next.items)).toEqual(ids(all.slice(3)));
  });

  it('ends early at the bound in bytes, and the next begins with the first item that it left out', async () => {
    const text = 'x'.repeat(200 * 1024);
    const { items, pagination } = await page({ limit: 6 }, (slice) => slice.map((one) => ({ ...one, text })));
    expect(ids(items)).toEqual(ids(all.slice(0, 2)));
    const next = await page({ limit: 6, cursor: pagination.next_cursor! });
    expect(ids(next.items)).toEqual(ids(all.slice(2)));
  });

  it('skips candidates that were removed since, and goes on after them', async () => {
    const [removed] = all;
    const { items, pagination } = await page({ limit: 3 }, (slice) => slice.filter((one) => one !== removed));
    expect(ids(items)).toEqual(ids(all.slice(1, 3)));
    expect(ids((await page({ limit: 9, cursor: pagination.next_cursor! })).items)).toEqual(ids(all.slice(3)));
  });

  it('rejects a cursor of another list', async () => {
    const cursor = cursors.encode([0, 'ins_1'], { ...bound, list: 'others' });
    await expect(page({ limit: 1, cursor })).rejects.toMatchObject({ reason: 'invalid_cursor' });
  });
});
