import type { NatsConnection } from '@nats-io/transport-node';
import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { type BusEvent, event, type Operation, type Page, type ParsedOf, type Principal, rpc } from '@swim/contracts';
import {
  BUDGET_MS,
  createLogger,
  Deadline,
  makeRequestContext,
  newId,
  type RequestContext,
  type RequestContextSeed,
  SERVE_INTERCEPTOR,
  type ServeInterceptor,
  type TracingConfig,
} from '@swim/platform';
import { z } from 'zod';
import { startNats } from '../../testing/src/servers/nats-server.js';
import {
  connectNats,
  type Delivery,
  On,
  OnEveryEvent,
  RpcClient,
  type RunningService,
  Serve,
  type Subscriptions,
  startService,
} from '../src/index.js';

/** A read whose handler a test writes. */
export const look = rpc('people.look', {
  kind: 'read',
  callers: ['gateway'],
  input: z.strictObject({ text: z.string().max(20, { error: 'too_long' }), times: z.int().default(1) }),
  output: z.object({ text: z.string(), servedBy: z.string() }),
  errors: ['resource_not_found'],
});
export const change = rpc('people.change', {
  kind: 'write',
  callers: ['gateway'],
  input: z.strictObject({ text: z.string() }),
  output: z.object({ text: z.string(), servedBy: z.string() }),
  errors: ['stale_version'],
});
export const browse = rpc('people.browse', {
  kind: 'list',
  callers: ['gateway'],
  input: z.strictObject({}),
  output: z.object({ text: z.string() }),
});

export const sift = rpc('people.sift', {
  kind: 'read',
  callers: ['gateway'],
  isIsolated: true,
  input: z.strictObject({}),
  output: z.object({ text: z.string() }),
});

const bookingCompleted = event('booking', 'booking.completed', z.object({ title: z.string() }));
export type LessonEvent = BusEvent<{ title: string }>;

type Looked = { text: string; servedBy: string };

/** The behaviour of one replica of the sample service. */
export interface Behaviour {
  name: string;
  look?: (input: ParsedOf<typeof look>, context: RequestContext) => Promise<Looked>;
  change?: (input: ParsedOf<typeof change>, context: RequestContext) => Promise<Looked>;
  sift?: () => Promise<{ text: string }>;
  browse?: () => Promise<Page<{ text: string }>>;
  handle?: (event: LessonEvent, delivery: Delivery) => Promise<void>;
  handleAll?: (event: BusEvent, delivery: Delivery) => Promise<void>;
  interceptor?: ServeInterceptor;
}

const BEHAVIOUR = Symbol('behaviour');

@Injectable()
class Operations {
  constructor(@Inject(BEHAVIOUR) private readonly behaviour: Behaviour) {}

  @Serve(look)
  look(input: ParsedOf<typeof look>, context: RequestContext): Promise<Looked> {
    const { name } = this.behaviour;
    return this.behaviour.look?.(input, context) ?? Promise.resolve({ text: input.text, servedBy: name });
  }

  @Serve(change)
  change(input: ParsedOf<typeof change>, context: RequestContext): Promise<Looked> {
    const { name } = this.behaviour;
    return this.behaviour.change?.(input, context) ?? Promise.resolve({ text: input.text, servedBy: name });
  }

  @Serve(sift)
  sift(_input: ParsedOf<typeof sift>, _context: RequestContext): Promise<{ text: string }> {
    return this.behaviour.sift!();
  }

  @Serve(browse)
  browse(_input: ParsedOf<typeof browse>, _context: RequestContext): Promise<Page<{ text: string }>> {
    return this.behaviour.browse!();
  }
}

@Injectable()
class Events {
  constructor(@Inject(BEHAVIOUR) private readonly behaviour: Behaviour) {}

  @On(bookingCompleted)
  handle(event: LessonEvent, delivery: Delivery): Promise<void> {
    return this.behaviour.handle!(event, delivery);
  }
}

@Injectable()
class EveryEvent {
  constructor(@Inject(BEHAVIOUR) private readonly behaviour: Behaviour) {}

  @OnEveryEvent()
  handle(event: BusEvent, delivery: Delivery): Promise<void> {
    return this.behaviour.handleAll!(event, delivery);
  }
}

@Module({})
class SampleModule {}

const moduleOf = (behaviour: Behaviour): DynamicModule => ({
  module: SampleModule,
  providers: [
    Operations,
    ...(behaviour.handle ? [Events] : []),
    ...(behaviour.handleAll ? [EveryEvent] : []),
    { provide: BEHAVIOUR, useValue: behaviour },
    { provide: SERVE_INTERCEPTOR, useValue: behaviour.interceptor ?? null },
  ],
});

/** The event types that the sample service consumes. */
export const ALL_EVENTS: Subscriptions = { people: ['*'] };

/** Starts a NATS server with a consumer for the sample service. */
export const aBus = () => startNats(ALL_EVENTS);

/** Starts a replica of the service `people` with this behaviour. */
export const startReplica = (
  url: string,
  behaviour: Behaviour,
  maxAttempts = 20,
  healthPort = 0,
  tracing: TracingConfig = {},
): Promise<RunningService> =>
  startService('people', moduleOf(behaviour), {
    NATS_URL: url,
    HEALTH_PORT: healthPort,
    HEALTH_HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    EVENT_MAX_ATTEMPTS: maxAttempts,
    ...tracing,
  });

const silent = createLogger('tests', 'silent');

/** A connection with a client, as in a service. */
export async function startClient(
  url: string,
): Promise<{ connection: NatsConnection; client: RpcClient; stop(): Promise<void> }> {
  const connection = await connectNats(url, 'tests', silent);
  const client = new RpcClient(connection);
  return {
    connection,
    client,
    async stop() {
      await client.close();
      await connection.close();
    },
  };
}

export const family: Principal = {
  accountId: newId('acct'),
  kind: 'family',
  env: 'test',
  keyId: newId('key'),
  scopes: ['members:read'],
};

/** A request context as the gateway creates it. */
export const aContext = (
  operation: Operation,
  seed: Partial<RequestContextSeed> & { budgetMs?: number } = {},
): RequestContext =>
  makeRequestContext({
    requestId: newId('req'),
    principal: family,
    deadline: new Deadline(seed.budgetMs ?? BUDGET_MS[operation.kind]),
    ...seed,
  });

/** A promise that a test resolves. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The nth event of an object. */
export const anEvent = (objectId: string, n: number, more: Partial<LessonEvent> = {}): LessonEvent => ({
  id: newId('evt'),
  n,
  type: bookingCompleted.type,
  env: 'test',
  occurredAt: new Date().toISOString(),
  audience: [family.accountId],
  objectId,
  object: { title: `${objectId} ${n}` },
  cause: { requestId: null, idempotencyKey: null, actor: 'system', accountId: 'acct_system' },
  ...more,
});
