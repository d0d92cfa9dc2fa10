import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  createWebhookEndpoint,
  type InputOf,
  type Operation,
  type Principal,
  replayWebhookEvents,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging/client';
import { BUDGET_MS, Deadline, makeRequestContext, newId } from '@swim/platform';
import { waitUntil } from '../../deploy/system/processes/ports.ts';
import type { BenchDatabase } from '../stack/database.ts';
import type { Stack } from '../stack/stack.ts';

const STORED_WITHIN_MS = 30_000;
const WAITS_MS = 400_000;
const TICK_MS = 20;
const TRIES = 10;

/** The events are published to these accounts in turn. */
export interface Published {
  accounts: readonly string[];
  count: number;
  perSecond: number;
}

/** Uses notification as the gateway and the other services do, and reads its database. */
export class Notification {
  /** The time of publication by `performance.now()`, for each id of an event's object. */
  readonly publishedAtMs = new Map<string, number>();
  readonly #connection: NatsConnection;
  readonly #rpc: RpcClient;
  readonly #database: BenchDatabase;

  private constructor(connection: NatsConnection, database: BenchDatabase) {
    this.#connection = connection;
    this.#rpc = new RpcClient(connection);
    this.#database = database;
  }

  static async open({ env, database }: Stack): Promise<Notification> {
    return new Notification(await connect({ servers: env.NATS_URL! }), database);
  }

  /** Returns the id of a new endpoint of an account. */
  async makeEndpoint(accountId: string, url: string): Promise<string> {
    return (await this.#call(createWebhookEndpoint, { url, events: ['*'] }, accountId)).id;
  }

  /** Returns the number of replayed events. */
  async replay(accountId: string, webhook_endpoint_id: string): Promise<number> {
    return (await this.#call(replayWebhookEvents, { webhook_endpoint_id, since_sequence: 0 }, accountId)).replayed;
  }

  /** Publishes events at a rate, as booking does; resolves once the stream has stored all. */
  async publish({ accounts, count, perSecond }: Published) {
    const pending: Promise<unknown>[] = [];
    const beganAtMs = performance.now();
    for (let sent = 0; sent < count; ) {
      const due = Math.min(count, Math.ceil(((performance.now() - beganAtMs + TICK_MS) / 1_000) * perSecond));
      for (; sent < due; sent += 1) pending.push(this.#publishOne(accounts[sent % accounts.length]!));
      await sleep(TICK_MS);
    }
    await Promise.all(pending);
  }

  /** Waits until this number of events of an account have a sequence number. */
  async untilNumbered(accountId: string, count: number) {
    const events = this.#database.collection('notification', 'events');
    await until(async () => (await events.countDocuments({ account: accountId })) >= count, `${count} events`);
  }

  /** Waits until this number of deliveries of the accounts are stored as succeeded, with their attempts. */
  async untilStored(accounts: readonly string[], count: number) {
    const filter = { accountId: { $in: [...accounts] }, status: 'succeeded' };
    const deliveries = this.#database.collection('notification', 'webhook_deliveries');
    await until(async () => (await deliveries.countDocuments(filter)) >= count, `${count} stored deliveries`);
  }

  async close() {
    await this.#rpc.close();
    await this.#connection.close();
  }

  async #publishOne(accountId: string) {
    const objectId = newId('bkg');
    const event = {
      id: newId('evt'),
      n: 1,
      type: 'booking.created',
      env: 'test',
      occurredAt: new Date().toISOString(),
      audience: [accountId],
      objectId,
      object: { id: objectId, account_id: accountId, status: 'confirmed' },
      cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId },
    };
    this.publishedAtMs.set(objectId, performance.now());
    const subject = `event.test.booking.${event.type}.${objectId}`;
    await this.#connection.request(subject, JSON.stringify(event), { timeout: STORED_WITHIN_MS });
  }

  async #call<O extends Operation>(operation: O, input: InputOf<O>, accountId: string) {
    const scopes: Principal['scopes'] = ['webhooks:write'];
    const principal: Principal = { accountId, kind: 'family', env: 'test', keyId: newId('key'), scopes };
    for (let tries = 1; ; tries += 1) {
      const deadline = new Deadline(BUDGET_MS[operation.kind]);
      const context = makeRequestContext({ requestId: newId('req'), principal, deadline });
      try {
        return await this.#rpc.call(operation, input, context);
      } catch (error) {
        if (tries === TRIES) throw error;
      }
    }
  }
}

export async function until(condition: () => Promise<boolean>, what: string) {
  if (!(await waitUntil(condition, WAITS_MS))) throw new Error(`${what}: not within ${WAITS_MS / 1_000} s`);
}
