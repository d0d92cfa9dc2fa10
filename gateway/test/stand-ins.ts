import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { type Operation, type OutputOf, type Principal, SCOPES, verifyKey } from '@swim/contracts';
import { type Answer, answerHeaders, answerOf, type Call, connectNats, readCall, refusalAnswer } from '@swim/messaging';
import { AppError, createLogger, formatApiKey, newId, parseApiKey } from '@swim/platform';

/** A request as it reached a service. */
export interface Heard {
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly call: Call;
  /** Milliseconds that the service was given. */
  readonly budgetMs: number;
}

type Handler = (heard: Heard) => unknown;

/** What a key is registered with. */
export interface KeyFacts {
  principal: Principal;
  expiresAt: string | null;
  ipAllowlist: string[];
  refusal?: 'unknown_key' | 'expired_key' | 'revoked_key';
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
export class StandIns {
  readonly heard: Heard[] = [];
  private readonly keys = new Map<string, KeyFacts>();
  private readonly handlers = new Map<string, Handler>();

  private constructor(readonly connection: NatsConnection) {}

  static async on(natsUrl: string): Promise<StandIns> {
    const standIns = new StandIns(await connectNats(natsUrl, 'stand-ins', createLogger('stand-ins', 'silent')));
    standIns.verifyKeysAgain();
    await standIns.connection.flush();
    return standIns;
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
  verifyKeysAgain(): void {
    this.answer(verifyKey, ({ input }) => this.verdictOn(String(input.keyId)));
  }

  /** A key of the sandbox with all scopes, unless told otherwise. */
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
  heardOf(operation: Operation): Heard[] {
    return this.heard.filter((each) => each.operation === operation.name);
  }

  private verdictOn(keyId: string): OutputOf<typeof verifyKey> {
    const facts = this.keys.get(keyId);
    if (!facts) throw new AppError('unknown_key');
    if (facts.refusal) throw new AppError(facts.refusal);
    return { principal: facts.principal, expiresAt: facts.expiresAt, ipAllowlist: facts.ipAllowlist };
  }

  private async serve(operation: Operation, message: Msg): Promise<void> {
    const call = readCall(message.headers);
    const heard = {
      operation: operation.name,
      input: message.json<Record<string, unknown>>(),
      call,
      budgetMs: call.deadline.remainingMs(),
    };
    this.heard.push(heard);
    const answer = await Promise.resolve()
      .then(() => this.handlers.get(operation.name)!(heard))
      .then((value) => (value instanceof Written ? value.answer : answerOf(operation, value)), refusalAnswer);
    const headers = answerHeaders(answer);
    message.respond(answer.body, headers ? { headers } : {});
  }
}

/** An answer that never comes. */
export const never = (): Promise<never> => new Promise(() => undefined);
