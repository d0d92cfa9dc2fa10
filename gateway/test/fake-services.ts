import type { Msg, NatsConnection } from '@nats-io/transport-node';
import {
  HEALTH_CHECKS,
  type Operation,
  type OutputOf,
  type Principal,
  readClock,
  recordRequests,
  recordUsage,
  recordUserActions,
  SCOPES,
  verifyKey,
} from '@swim/contracts';
import { answerHeaders, connectNats, readRequestContext } from '@swim/messaging';
import {
  type Answer,
  AppError,
  answerOf,
  createLogger,
  errorAnswer,
  formatApiKey,
  newId,
  parseApiKey,
  type RequestContext,
  sharedClock,
} from '@swim/platform';

/** A request as it reached a service. */
export interface ReceivedRequest {
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly context: RequestContext;
  /** Milliseconds that the service was given. */
  readonly budgetMs: number;
}

type Handler = (received: ReceivedRequest) => unknown;

/** What a key is registered with. */
export interface KeyFacts {
  principal: Principal;
  expiresAt: string | null;
  ipAllowlist: string[];
  rejection?: 'unknown_key' | 'expired_key' | 'revoked_key';
}

/** Stands in for an answer that a handler has already written, byte for byte. */
export class Written {
  constructor(readonly answer: Answer) {}
}

/** A page of a list that has no more. */
export const onePage = (items: unknown[]) => ({
  items,
  pagination: { has_more: false, next_cursor: null, total: items.length },
});

/** Answers the subjects of services over a real bus; the services themselves are tested elsewhere. */
export class FakeServices {
  readonly received: ReceivedRequest[] = [];
  private readonly keys = new Map<string, KeyFacts>();
  private readonly handlers = new Map<string, Handler>();

  private constructor(readonly connection: NatsConnection) {}

  static async on(natsUrl: string): Promise<FakeServices> {
    const fakeServices = new FakeServices(await connectNats(natsUrl, 'fakes', createLogger('fakes', 'silent')));
    fakeServices.resumeKeyVerification();
    fakeServices.resumeClock();
    for (const check of HEALTH_CHECKS) fakeServices.answer(check, () => ({ failing: [] }));
    fakeServices.answer(recordRequests, () => ({}));
    fakeServices.answer(recordUsage, () => ({}));
    fakeServices.answer(recordUserActions, () => ({}));
    await fakeServices.connection.flush();
    return fakeServices;
  }

  /** Serves an operation from now on; replaces what served it before. */
  answer<O extends Operation>(operation: O, handler: Handler): void {
    const isNew = !this.handlers.has(operation.name);
    this.handlers.set(operation.name, handler);
    if (isNew)
      this.connection.subscribe(operation.subject, {
        queue: operation.service,
        callback: (_, message) => void this.serve(operation, message),
      });
  }

  /** Has keys looked up as at first, after a test let that fail. */
  resumeKeyVerification(): void {
    this.answer(verifyKey, ({ input }) => this.verdictOn(String(input.keyId)));
  }

  /** Answers the clock as at first, after a test let that fail. */
  resumeClock(): void {
    this.answer(readClock, () => ({ now: sharedClock.now().toISOString() }));
  }

  /** A key of the sandbox with all scopes, by default. */
  key({ principal = {}, ...facts }: { principal?: Partial<Principal> } & Partial<Omit<KeyFacts, 'principal'>> = {}): {
    text: string;
    principal: Principal;
  } {
    const keyId = newId('key');
    const whole: Principal = {
      accountId: newId('acct'),
      kind: 'family',
      env: 'test',
      scopes: [...SCOPES],
      ...principal,
      keyId,
    };
    this.keys.set(keyId, { principal: whole, expiresAt: null, ipAllowlist: [], ...facts });
    return { text: formatApiKey(whole.env, keyId), principal: whole };
  }

  /** Changes what is known of a key. */
  change(text: string, facts: Partial<KeyFacts>): void {
    Object.assign(this.keys.get(parseApiKey(text)!.keyId)!, facts);
  }

  /** Requests that reached this operation. */
  requestsOf(operation: Operation): ReceivedRequest[] {
    return this.received.filter((each) => each.operation === operation.name);
  }

  /** What people would answer about a key. */
  verdictOn(keyId: string): OutputOf<typeof verifyKey> {
    const facts = this.keys.get(keyId);
    if (!facts) throw new AppError('unknown_key');
    if (facts.rejection) throw new AppError(facts.rejection);
    return { principal: facts.principal, expiresAt: facts.expiresAt, ipAllowlist: facts.ipAllowlist };
  }

  private async serve(operation: Operation, message: Msg): Promise<void> {
    const context = readRequestContext(message.headers);
    const received = {
      operation: operation.name,
      input: message.json<Record<string, unknown>>(),
      context,
      budgetMs: context.deadline.remainingMs(),
    };
    this.received.push(received);
    const answer = await Promise.resolve()
      .then(() => this.handlers.get(operation.name)!(received))
      .then((value) => (value instanceof Written ? value.answer : answerOf(operation, value)), errorAnswer);
    message.respond(answer.body, { headers: answerHeaders(answer) });
  }
}

/** An answer that never comes. */
export const never = (): Promise<never> => new Promise(() => undefined);
