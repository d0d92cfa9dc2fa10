import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Booking, ErrorBody, Instructor, Scope } from '@swim/contracts';
import type { Customer } from '../../fixtures/customer.js';
import { aBooking, aCard, aMember, anInstructor, nextTime } from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

interface Envelope<T> {
  data: T;
  meta: { dry_run?: boolean };
}

/** An assistant that calls tools with a key. */
class Assistant {
  private readonly client = new Client({ name: 'assistant', version: '1.0.0' });

  static async with({ key }: Customer): Promise<Assistant> {
    const assistant = new Assistant();
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${stack.origin}/mcp`), { requestInit });
    // The types of the client's package are not made for exact optional properties.
    await assistant.client.connect(transport as Parameters<Client['connect']>[0]);
    return assistant;
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** The `data` of a call that succeeds. */
  async call<T>(name: string, given: object = {}): Promise<T> {
    const { isError, texts } = await this.attempt(name, given);
    if (isError) throw new Error(texts.join('\n'));
    return (JSON.parse(texts[0]!) as Envelope<T>).data;
  }

  /** The words and the error of a call that fails. */
  async fail(name: string, given: object = {}): Promise<{ words: string; error: ErrorBody }> {
    const { isError, texts } = await this.attempt(name, given);
    if (!isError) throw new Error(`It succeeded: ${texts.join('\n')}`);
    return { words: texts[0]!, error: JSON.parse(texts[1]!) as ErrorBody };
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async attempt(name: string, given: object) {
    const result = await this.client.callTool({ name, arguments: { ...given } });
    const texts = (result.content as { text: string }[]).map(({ text }) => text);
    return { isError: result.isError === true, texts };
  }
}

journey('an assistant with the tools of the Model Context Protocol', () => {
  let instructor: Instructor;
  beforeAll(async () => {
    instructor = await anInstructor(stack.school, { name: 'Greta Lindqvist' });
  });

  const keyWith = (...scopes: Scope[]) => stack.mint(stack.family.id, { scopes });

  it('books what a parent asks for, offers another time, pays once the parent agrees, and cancels after the quote', async () => {
    const assistant = await Assistant.with(stack.family);
    const [found] = await assistant.call<Instructor[]>('list_instructors', { search: 'lindqvist' });
    expect(found!.id).toBe(instructor.id);
    const { id: member } = await assistant.call<{ id: string }>('create_member', {
      name: 'Mia',
      date_of_birth: '2017-05-04',
    });
    const taken = nextTime();
    const other = await stack.open('family');
    await aBooking(other, instructor, await aMember(other), taken);

    const lesson = (date: string) => ({
      instructor_id: instructor.id,
      member_ids: [member],
      sessions: [{ date, duration_minutes: 60 }],
    });
    const { words, error } = await assistant.fail('create_booking', lesson(taken));
    expect(words).toBe('Not every date is free. Change those in `conflicts`, which suggests free times for each.');
    const [conflict] = error.details.conflicts as { suggestions: { start: string }[] }[];
    const free = conflict!.suggestions[0]!.start;
    await assistant.call('create_booking', { ...lesson(free), dry_run: true });
    const key = { idempotency_key: 'mia-1' };
    const booking = await assistant.call<Booking>('create_booking', { ...lesson(free), ...key });
    expect(await assistant.call<Booking>('create_booking', { ...lesson(free), ...key })).toEqual(booking);

    const { id: card } = await aCard(stack.family);
    const { id: booking_id, amount_due_cents: amount_cents, currency } = booking;
    const payment = { booking_id, payment_method_id: card, amount_cents, currency };
    expect((await assistant.fail('create_payment', payment)).error.details).toMatchObject({ field: 'confirm' });
    expect(await stack.family.readAll('/payments')).toEqual([]);
    await assistant.call('create_payment', { ...payment, confirm: true });

    const quote = await assistant.call('quote_booking_cancellation', { booking_id });
    expect(quote).toMatchObject({ fee_cents: 0, refund_cents: 6_000 });
    const cancelled = await assistant.call<Booking>('cancel_booking', { booking_id, reason: 'Flu' });
    expect(cancelled).toMatchObject({ id: booking_id, status: 'cancelled' });
    expect(await assistant.call('get_member_progress', { member_id: member })).toMatchObject({ member_id: member });
    await assistant.close();
  });

  describe('with a key of few scopes', () => {
    it('sees their tools, and can do no more than the key', async () => {
      const assistant = await Assistant.with(await keyWith('instructors:read', 'members:read'));
      const tools = await assistant.tools();
      expect(tools).toEqual(expect.arrayContaining(['list_instructors', 'get_availability', 'list_members']));
      expect(tools.filter((name) => /^(?:create|update|cancel|erase)_/.test(name))).toEqual([]);
      const member = await aMember(stack.family);
      for (const [tool, given, scope] of [
        ['create_member', { name: 'Ben', date_of_birth: '2017-05-04' }, 'members:write'],
        ['erase_member', { member_id: member.id, confirm: true }, 'members:write'],
        ['list_bookings', {}, 'bookings:read'],
      ] as const) {
        const { words, error } = await assistant.fail(tool, given);
        expect(words).toBe(`This API key lacks the scope ${scope}. Use a key that has it.`);
        expect(error).toMatchObject({ code: 'AUTHORIZATION_ERROR', details: { scope } });
      }
      expect((await stack.family.get(`/members/${member.id}`)).status).toBe(200);
      await assistant.close();
    });

    it('does not see what other accounts own', async () => {
      const other = await stack.open('family');
      const member = await aMember(other);
      const assistant = await Assistant.with(await keyWith('members:write'));
      const { error } = await assistant.fail('get_member', { member_id: member.id });
      expect(error.details.reason).toBe('resource_not_found');
      const listed = await assistant.call<{ id: string }[]>('list_members', { limit: 100 });
      expect(listed.map(({ id }) => id)).not.toContain(member.id);
      await assistant.close();
    });
  });
});
