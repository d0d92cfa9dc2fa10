import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readInstructorCalendar, readMemberCalendar } from '@swim/contracts';
import { AppError, newFeedToken, newId, parseFeedToken } from '@swim/platform';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';
import { withinOneMinute } from '../fixtures/one-minute.js';

const TEXT = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';

let harness: GatewayHarness;
let gateway: GatewayProcess;
beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
});
afterAll(() => harness?.stop());

let member: string;
let token: string;
let path: string;
const newFeed = () => {
  [member, token] = [newId('mem'), newFeedToken('test')];
  path = `/v1/members/${member}/calendar.ics?token=${token}`;
};
beforeEach(() => {
  newFeed();
  const isRight = (presented: unknown) => presented === parseFeedToken(token)!.digest;
  harness.services.answer(readMemberCalendar, ({ input }) => {
    if (!isRight(input.token) || input.member_id !== member) throw new AppError('resource_not_found');
    return { tag: 'tag-1', text: (input.known_tags as string[]).includes('tag-1') ? null : TEXT };
  });
  harness.services.answer(readInstructorCalendar, () => ({ tag: 'tag-2', text: TEXT }));
});

const requests = () => harness.services.requestsOf(readMemberCalendar);

describe('GET of a calendar feed', () => {
  it('answers text/calendar without a key, to be kept by its reader alone', async () => {
    const { status, headers, text } = await gateway.send('GET', path);
    expect([status, text]).toEqual([200, TEXT]);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('etag')).toBe('"tag-1"');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('of an instructor is answered alike, in the environment of its token', async () => {
    const live = newFeedToken('live');
    const { status } = await gateway.send('GET', `/v1/instructors/${newId('ins')}/calendar.ics?token=${live}`);
    expect(status).toBe(200);
    const received = harness.services.requestsOf(readInstructorCalendar);
    expect(received[0]!.context.principal).toMatchObject({ env: 'live' });
  });

  it('answers 304 to a reader that has the content, also by a weak tag', async () => {
    for (const known of ['"tag-1"', 'W/"tag-1"', '"old", "tag-1"']) {
      const { status, text, headers } = await gateway.send('GET', path, { headers: { 'if-none-match': known } });
      expect([status, text, headers.get('etag')]).toEqual([304, '', '"tag-1"']);
    }
    const { status } = await gateway.send('GET', path, {
      headers: { 'if-none-match': `"${'x'.repeat(500)}", tag-1, *` },
    });
    expect(status).toBe(200);
  });

  it('answers HEAD without a body', async () => {
    const { status, text, headers } = await gateway.send('HEAD', path);
    expect([status, text, headers.get('content-length')]).toEqual([200, '', String(TEXT.length)]);
  });

  it('passes the digest on, never the token, and logs neither', async () => {
    await gateway.send('GET', path);
    const { input, context } = requests().at(-1)!;
    expect(input.token).toBe(parseFeedToken(token)!.digest);
    expect(JSON.stringify([input, context])).not.toContain(token);
    await gateway.send('GET', path.replace('/members/', '/unknown/'));
    await gateway.send('POST', path);
    expect(gateway.output()).not.toContain(token);
    expect(gateway.output()).not.toContain(token.slice(9, 30));
    expect(gateway.output()).not.toContain(parseFeedToken(token)!.digest);
  });

  it('with a missing, broken, wrong or foreign token is 404, and no look-up unless it is well-formed', async () => {
    const before = requests().length;
    const at = (query: string, id = member) => `/v1/members/${id}/calendar.ics${query}`;
    const malformed = ['', '?', '?token=', '?token=x', `?token=${token}x`, `?Token=${token}`, '?token[$ne]=x'];
    for (const query of malformed) {
      const { status, body } = await gateway.send('GET', at(query));
      expect([query, status, body.error?.details.reason]).toEqual([query, 404, 'resource_not_found']);
    }
    expect((await gateway.send('GET', at(`?token=${token}`, 'mem_x'))).status).toBe(404);
    expect(requests()).toHaveLength(before);
    expect((await gateway.send('GET', at(`?token=${newFeedToken('test')}`))).status).toBe(404);
    expect((await gateway.send('GET', at(`?token=${token}`, newId('mem')))).status).toBe(404);
  });

  it('is 404 at a gateway that serves the other environment only', async () => {
    const pinned = await harness.gateway({ ...NO_LIMITS, PINNED_ENVIRONMENT: 'live' });
    try {
      expect((await pinned.send('GET', path)).status).toBe(404);
    } finally {
      await pinned.stop();
    }
  });

  it('is not found by a key, and is 405 by other methods', async () => {
    const { text } = harness.services.key();
    expect((await gateway.send('GET', `/v1/members/${member}/calendar.ics`, { key: text })).status).toBe(404);
    const { status, headers } = await gateway.send('DELETE', path);
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('answers other errors with the envelope', async () => {
    harness.services.answer(readMemberCalendar, () => {
      throw new AppError('unavailable');
    });
    expect(await gateway.send('GET', path)).toMatchObject({ status: 503, body: { success: false } });
  });
});

describe('limits of calendar feeds', () => {
  it('count each token by itself, and nothing against its account', async () => {
    const limited = await harness.gateway({ RATE_LIMIT_PER_MINUTE: '3', RATE_LIMIT_PER_HOUR: '3' });
    try {
      const answers = await withinOneMinute(async () => {
        newFeed();
        const sent = [];
        for (let each = 0; each < 5; each++) sent.push(await limited.send('GET', path));
        return sent;
      });
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
      expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
      const received = requests().filter(({ input }) => input.member_id === member);
      expect(received).toHaveLength(3);
    } finally {
      await limited.stop();
    }
  });

  it('of wrong tokens count against the network, and never against a right token', async () => {
    const guarded = await harness.gateway({ ...NO_LIMITS, FAILED_AUTH_PER_MINUTE: '2' });
    try {
      const guess = () => guarded.send('GET', `/v1/members/${member}/calendar.ics?token=${newFeedToken('test')}`);
      const statuses = [];
      for (let each = 0; each < 6; each++) statuses.push((await guess()).status);
      // A minute may begin meanwhile.
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
      expect((await guarded.send('GET', path)).status).toBe(200);
    } finally {
      await guarded.stop();
    }
  });
});
