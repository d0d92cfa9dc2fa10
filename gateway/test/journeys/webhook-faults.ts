import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import type { AccountEvent, Member, WebhookDelivery, WebhookEndpointWithSecret } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { Webhook } from 'standardwebhooks';
import { type Customer, UNDECIDED } from './customer.js';
import { aMember } from './fixtures.js';
import type { Stack } from './stack.js';

/** What is killed, or cut off, while events are made. The relay of the events of members is in people. */
export type Fault = 'relay' | 'notification' | 'nats' | 'database' | 'receiver';

const WRITERS = 6;
/** Events that are made while a fault lasts that does not stop the writers. */
const EVENTS_AMID = 15;
/** A try that is further away than this is made at once, at the end: the second one follows after five minutes. */
const SOON_MS = 10_000;
/** The longest pause between two deliveries: a lease that a killed replica has left behind ends within 40 s. */
const DELIVERED_WITHIN_MS = 120_000;

/** A receiver of webhooks that can be killed, and restarted at its address. Each webhook is verified as it comes. */
class RestartableReceiver {
  /** The events as they came, repeated ones too. */
  readonly events: AccountEvent[] = [];
  /** What was wrong with webhooks that could not be verified. */
  readonly faults: unknown[] = [];
  secret = '';
  private server = http.createServer();
  private port = 0;

  static async start(): Promise<RestartableReceiver> {
    const receiver = new RestartableReceiver();
    await receiver.listen();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** How many events came, each counted once. */
  get count(): number {
    return new Set(this.events.map(({ id }) => id)).size;
  }

  async listen(): Promise<void> {
    this.server = http.createServer((request, response) => void this.receive(request, response));
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Breaks all connections and accepts no new ones. */
  async kill(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = request.headers as Record<string, string>;
      this.events.push(new Webhook(this.secret).verify(Buffer.concat(chunks).toString(), headers) as AccountEvent);
    } catch (error) {
      // A request that breaks off with its connection is no webhook.
      if (!request.complete) return;
      this.faults.push(error);
    }
    response.writeHead(200).end();
  }
}

/** Makes one event with each write, however often it has to be repeated until it is acknowledged. */
class Writers {
  made = 0;
  failed = 0;
  private begun = 0;

  constructor(
    private readonly family: Customer,
    private readonly members: readonly Member[],
    private readonly events: number,
  ) {}

  async run(): Promise<void> {
    await Promise.all(this.members.map((member) => this.changeRepeatedly(member)));
  }

  private async changeRepeatedly({ id }: Member): Promise<void> {
    while (this.begun < this.events) {
      const name = `Kid number ${++this.begun}`;
      const key = { 'idempotency-key': newId('req') };
      await until(() => this.change(id, name, key), `${name} is stored`);
      this.made++;
    }
  }

  private async change(id: string, name: string, key: Record<string, string>): Promise<boolean> {
    const { status, error } = await this.family.once.patch(`/members/${id}`, { name }, key);
    if (status === 200) return true;
    if (!UNDECIDED.includes(error.details.reason) && status < 500) throw new Error(`${status}: ${error.message}`);
    this.failed++;
    return false;
  }
}

/** Lets a fault last until it has had an effect, and ends it. */
async function suffer(fault: Fault, stack: Stack, restarted: RestartableReceiver, writers: Writers): Promise<void> {
  const [made, failed] = [writers.made, writers.failed];
  const writesGoOn = () => until(() => writers.made >= made + EVENTS_AMID, `events are made without ${fault}`);
  const writesFail = () => until(() => writers.failed > failed, `a write fails without ${fault}`);
  const stopsWriters = fault !== 'notification' && fault !== 'receiver';
  await begin(fault, stack, restarted);
  try {
    await (stopsWriters ? writesFail() : writesGoOn());
  } finally {
    await end(fault, stack, restarted);
  }
}

async function begin(fault: Fault, stack: Stack, restarted: RestartableReceiver): Promise<void> {
  if (fault === 'notification') await stack.kill('notification');
  else if (fault === 'relay') await stack.kill('people');
  else if (fault === 'nats') await stack.nats.kill();
  else if (fault === 'database') stack.database.disturb({ unreachable: true });
  else await restarted.kill();
}

async function end(fault: Fault, stack: Stack, restarted: RestartableReceiver): Promise<void> {
  if (fault === 'notification') await Promise.all([stack.add('notification'), stack.add('notification')]);
  else if (fault === 'relay') await stack.add('people');
  else if (fault === 'nats') await stack.nats.restart();
  else if (fault === 'database') stack.database.disturb({});
  else await restarted.listen();
}

/** Repeats at once, as an owner may, the tries of deliveries that wait for minutes. */
async function hastenTries(family: Customer, { id }: { id: string }): Promise<void> {
  const path = `/webhook-endpoints/${id}/deliveries`;
  const pending = await family.readAll<WebhookDelivery>(`${path}?status=pending`);
  const isLate = ({ next_attempt_at: at }: WebhookDelivery) => at !== null && Date.parse(at) > Date.now() + SOON_MS;
  for (const late of pending.filter(isLate)) await family.post(`${path}/${late.id}/retry`, {});
}

/** The deliveries to an endpoint that have not succeeded, the first of them with their last try. */
async function describeOpen(family: Customer, { id }: { id: string }): Promise<string> {
  const open = await family.readAll<WebhookDelivery>(`/webhook-endpoints/${id}/deliveries?status=pending,failed`);
  const shown = open.slice(0, 5).map(({ attempts, ...rest }) => JSON.stringify({ ...rest, last: attempts.at(-1) }));
  return [`${id} has ${open.length} deliveries that have not succeeded:`, ...shown].join('\n');
}

/** Resolves when both receivers have all events; rejects when neither has got another one for some time. */
async function untilDelivered(
  family: Customer,
  endpoints: readonly WebhookEndpointWithSecret[],
  receivers: readonly [healthy: RestartableReceiver, restarted: RestartableReceiver],
  events: number,
): Promise<void> {
  const [healthy, restarted] = receivers;
  const countAll = () => healthy.count + restarted.count;
  for (let count = countAll(); count < 2 * events; count = countAll()) {
    const goesOn = async () => {
      for (const endpoint of endpoints) await hastenTries(family, endpoint);
      return countAll() > count;
    };
    await until(goesOn, 'another event is delivered', DELIVERED_WITHIN_MS).catch(async (cause: Error) => {
      const missing = await Promise.all(endpoints.map((endpoint) => describeOpen(family, endpoint)));
      const counts = `Of ${events} events the healthy receiver got ${healthy.count}, the other one ${restarted.count}.`;
      throw new Error([cause.message, counts, ...missing].join('\n'), { cause });
    });
  }
}

/** What came of events that were made during faults. */
export interface Outcome {
  /** The events as the API lists them, in order. */
  listed: AccountEvent[];
  /** What each receiver got: that of an endpoint that was always healthy, and that of one that was killed. */
  receivers: readonly { events: AccountEvent[]; faults: unknown[] }[];
}

/**
 * Makes this many events while the faults occur, one after the other, at even distances. Resolves when all have arrived at
 * two endpoints; rejects when none arrives any more.
 */
export async function makeEventsAmid(stack: Stack, faults: readonly Fault[], events: number): Promise<Outcome> {
  const family = await stack.open('family');
  const members = await Promise.all(Array.from({ length: WRITERS }, () => aMember(family)));
  const [healthy, restarted] = [await RestartableReceiver.start(), await RestartableReceiver.start()];
  const endpoints: WebhookEndpointWithSecret[] = [];
  try {
    for (const receiver of [healthy, restarted]) {
      const endpoint = await family.make<WebhookEndpointWithSecret>('/webhook-endpoints', {
        url: receiver.url,
        events: ['member.updated'],
      });
      receiver.secret = endpoint.secret!;
      endpoints.push(endpoint);
    }
    const writers = new Writers(family, members, events);
    const afflicting = async () => {
      for (const [index, fault] of faults.entries()) {
        const due = Math.floor((events * index) / faults.length);
        await until(() => writers.made >= due, `${due} events are made`);
        await suffer(fault, stack, restarted, writers);
      }
    };
    await Promise.all([writers.run(), afflicting()]);
    await untilDelivered(family, endpoints, [healthy, restarted], events);
    const listed = await family.readAll<AccountEvent>('/events?type=member.updated');
    return { listed: listed.toReversed(), receivers: [healthy, restarted] };
  } finally {
    await Promise.all([healthy.kill(), restarted.kill()]);
  }
}

/** Expects that all events are listed without a gap, and that each receiver got each, verified, and none too often. */
export function expectAllDelivered({ listed, receivers }: Outcome, faults: readonly Fault[], events: number): void {
  const first = listed[0]!.sequence;
  expect(listed.map(({ sequence }) => sequence)).toEqual(Array.from({ length: events }, (_, index) => first + index));
  for (const receiver of receivers) {
    expect(receiver.faults).toEqual([]);
    const byId = Map.groupBy(receiver.events, ({ id }) => id);
    const received = [...byId.values()].map(([each]) => each!).toSorted((a, b) => a.sequence - b.sequence);
    expect(received).toEqual(listed);
    // Each fault may cost a delivery one more try.
    for (const tries of byId.values()) expect(tries.length).toBeLessThanOrEqual(1 + faults.length);
  }
}
