import { hash } from 'node:crypto';
import type { Environment, OutputOf, Principal, Reason, verifyKey } from '@swim/contracts';
import { AppError, BUDGET_MS, isServerFault, type PresentedKey, parseApiKey, sharedClock } from '@swim/platform';
import { Allowlist } from './addresses.js';
import type { Freshness, KeyInvalidations } from './key-invalidations.js';

/** Requests the principal of a key from people, within this time; throws the AppError of a rejection. */
export type VerifyKey = (key: PresentedKey, budgetMs: number) => Promise<OutputOf<typeof verifyKey>>;

/** Runs a look-up when it is the turn of its network. */
export type InTurn = (lookUp: () => Promise<Verdict>) => Promise<Verdict>;

/** The outcome of a look-up, valid until `untilMs` of the cache's monotonic clock. */
export type Verdict =
  | { readonly principal: Principal; readonly allowlist: Allowlist | null; readonly untilMs: number }
  | { readonly rejection: Reason; readonly untilMs: number };

/** When a verdict was requested: by the monotonic clock, and among the invalidations. */
interface RequestTime {
  readonly atMs: number;
  readonly moment: number;
}

interface Entry {
  readonly key: PresentedKey;
  readonly requestTime: RequestTime;
  readonly verdict: Verdict;
}

interface PendingLookUp {
  readonly key: PresentedKey;
  readonly requestTime: RequestTime;
  readonly answer: Promise<Verdict>;
}

interface Options {
  verify: VerifyKey;
  /** Reads the id and the digest from a text; by default those of an API key. */
  parse?: (text: string) => PresentedKey | null;
  /** The invalidations received for the keys of each environment. */
  invalidations: Record<Environment, KeyInvalidations>;
  /** Whether a look-up can succeed at all; while it cannot, a cached verdict is used. */
  canVerify: () => boolean;
  /** The clock of ages: of any origin, but it must not jump. */
  nowMs?: () => number;
  /** The time of day, in Unix ms, for expiries. */
  wallMs?: () => number;
}

const GOOD_FOR_MS = 60_000;
const BAD_FOR_MS = 5_000;
/** Maximum age of a verdict while no invalidations arrive: a revoked key is rejected within a second nevertheless. */
const UNSURE_FOR_MS = 500;
/** Time-out of a look-up where a cached verdict can replace its outcome. */
const PATIENCE_MS = 500;
/** Maximum of good verdicts, and of bad ones. */
const MOST_KEYS = 20_000;
const MOST_ROUNDS = 3;
const PASSED_ON = new Set<Reason>(['expired_key', 'revoked_key', 'sandbox_erased']);

const unavailable = (cause?: unknown) => new AppError('unavailable', { retryAfterSeconds: 1, cause });

/**
 * Caches verdicts on keys, or on sessions, which are alike, by the hash of their text: good ones 60 s and never past the key's
 * expiry, bad ones 5 s. Concurrent requests for one key share one look-up. A failed look-up is not cached. Good and bad verdicts
 * are stored apart, so that invented keys never evict a valid one.
 *
 * An invalidation ends the good verdict on its key at once, and discards the answer of a look-up that started before it.
 * While the gateway is cut off from invalidations, it looks each key up again after half a second. It falls back on the
 * cached verdict, while that is valid, only where people is unreachable.
 */
export class KeyCache {
  private readonly good = new Map<string, Entry>();
  private readonly bad = new Map<string, Entry>();
  private readonly pending = new Map<string, PendingLookUp>();
  private readonly nowMs: () => number;
  private readonly wallMs: () => number;

  constructor(private readonly options: Options) {
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.wallMs = options.wallMs ?? (() => sharedClock.nowMs());
  }

  /**
   * The verdict on a key: at once when it is cached. A key that was not valid at its last look-up is looked up `inTurn`.
   * Throws `malformed_key`, `unavailable`, and the errors of `inTurn`.
   */
  find(text: string, inTurn: InTurn = (lookUp) => lookUp()): Verdict | Promise<Verdict> {
    const name = hash('sha256', text, 'base64');
    const known = this.entryOf(name);
    if (known !== undefined && this.counts(known)) return known.verdict;
    const pending = this.pending.get(name);
    // The outcome of a look-up that started before an invalidation may be obsolete.
    if (pending !== undefined && this.freshnessOf(pending) !== 'superseded') return pending.answer;
    const key = known?.key ?? (this.options.parse ?? parseApiKey)(text);
    if (!key) throw new AppError('malformed_key');
    return this.requestVerdict(name, key, this.good.has(name) ? (lookUp) => lookUp() : inTurn);
  }

  private entryOf(name: string): Entry | undefined {
    return this.good.get(name) ?? this.bad.get(name);
  }

  /** Whether a verdict may be used without another look-up. */
  private counts(entry: Entry): boolean {
    const nowMs = this.nowMs();
    if (entry.verdict.untilMs <= nowMs) return false;
    // No invalidation makes a rejected key valid.
    if ('rejection' in entry.verdict) return true;
    const freshness = this.freshnessOf(entry);
    if (freshness !== 'unsure') return freshness === 'current';
    return nowMs - entry.requestTime.atMs < UNSURE_FOR_MS || !this.options.canVerify();
  }

  private freshnessOf({ key, requestTime }: { key: PresentedKey; requestTime: RequestTime }): Freshness {
    return this.options.invalidations[key.env].freshnessOf(key.keyId, requestTime.moment);
  }

  private requestVerdict(name: string, key: PresentedKey, inTurn: InTurn): Promise<Verdict> {
    const requestTime = this.requestTimeNow(key);
    const answer = inTurn(() => this.verdictOn(name, key, requestTime)).finally(() => {
      if (this.pending.get(name)?.answer === answer) this.pending.delete(name);
    });
    this.pending.set(name, { key, requestTime, answer });
    return answer;
  }

  private requestTimeNow({ env }: PresentedKey): RequestTime {
    return { atMs: this.nowMs(), moment: this.options.invalidations[env].moment };
  }

  private async verdictOn(name: string, key: PresentedKey, first: RequestTime): Promise<Verdict> {
    let requestTime = first;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const verdict = await this.lookUp(name, key, requestTime);
      if ('rejection' in verdict || this.freshnessOf({ key, requestTime }) !== 'superseded')
        return this.remember(name, { key, requestTime, verdict });
      requestTime = this.requestTimeNow(key);
    }
    throw unavailable();
  }

  private async lookUp(name: string, key: PresentedKey, { atMs }: RequestTime): Promise<Verdict> {
    try {
      const budgetMs = this.knownUntilNow(name) ? PATIENCE_MS : BUDGET_MS.read;
      const { principal, expiresAt, ipAllowlist } = await this.options.verify(key, budgetMs);
      if (this.options.invalidations[key.env].isRevoked(key.keyId)) return this.rejected('revoked_key', atMs);
      const allowlist = ipAllowlist.length === 0 ? null : new Allowlist(ipAllowlist);
      return { principal, allowlist, untilMs: Math.min(atMs + GOOD_FOR_MS, this.endOf(expiresAt)) };
    } catch (error) {
      // A failed look-up is no verdict on the key.
      if (isServerFault(error)) return this.fallbackVerdict(name, key, error);
      const { reason } = error as AppError;
      return this.rejected(PASSED_ON.has(reason) ? reason : 'unknown_key', atMs);
    }
  }

  /** When a key expires, by the monotonic clock: computed once, so that no later jump of the time of day moves it. */
  private endOf(expiresAt: string | null): number {
    return expiresAt === null ? Number.POSITIVE_INFINITY : this.nowMs() + Date.parse(expiresAt) - this.wallMs();
  }

  /** The cached verdict, while it is valid and no invalidation contradicts it. */
  private fallbackVerdict(name: string, { env, keyId }: PresentedKey, cause: unknown): Verdict {
    if (this.entryOf(name) && this.options.invalidations[env].isRevoked(keyId))
      return this.rejected('revoked_key', this.nowMs());
    const known = this.knownUntilNow(name);
    if (!known) throw unavailable(cause);
    return known.verdict;
  }

  private knownUntilNow(name: string): Entry | undefined {
    const known = this.entryOf(name);
    return known && known.verdict.untilMs > this.nowMs() && this.freshnessOf(known) !== 'superseded'
      ? known
      : undefined;
  }

  private rejected(rejection: Reason, requestedAtMs: number): Verdict {
    return { rejection, untilMs: requestedAtMs + BAD_FOR_MS };
  }

  private remember(name: string, entry: Entry): Verdict {
    // A fallback keeps its age.
    if (this.entryOf(name)?.verdict === entry.verdict) return entry.verdict;
    this.good.delete(name);
    this.bad.delete(name);
    const alike = 'rejection' in entry.verdict ? this.bad : this.good;
    // Evicts the oldest.
    if (alike.size >= MOST_KEYS) alike.delete(alike.keys().next().value!);
    alike.set(name, entry);
    return entry.verdict;
  }
}
