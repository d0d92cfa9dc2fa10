import { hash } from 'node:crypto';
import type { Environment, OutputOf, Principal, Reason, verifyKey } from '@swim/contracts';
import { AppError, BUDGET_MS, isServerFault, type PresentedKey, parseApiKey } from '@swim/platform';
import { Allowlist } from './allowlist.js';
import type { KnownNews, Standing } from './known-news.js';

/** Asks the owner of the keys whom one speaks for, within this time; throws the AppError it refused with. */
export type VerifyKey = (key: PresentedKey, budgetMs: number) => Promise<OutputOf<typeof verifyKey>>;

/** What is known of a key until `untilMs`, by the cache's monotonic clock. */
export type Verdict =
  | { readonly principal: Principal; readonly allowlist: Allowlist | null; readonly untilMs: number }
  | { readonly refusal: Reason; readonly untilMs: number };

/** When a verdict was asked for: by the monotonic clock, and among the news. */
interface Asked {
  readonly atMs: number;
  readonly moment: number;
}

interface Entry {
  readonly key: PresentedKey;
  readonly asked: Asked;
  readonly verdict: Verdict;
}

interface Asking {
  readonly key: PresentedKey;
  readonly asked: Asked;
  readonly answer: Promise<Verdict>;
}

interface Options {
  verify: VerifyKey;
  /** What is heard of the keys of each environment. */
  news: Record<Environment, KnownNews>;
  /** Whether asking has any prospect; without one, what is known counts. */
  canAsk: () => boolean;
  /** What ages are counted by: of any origin, but it must not jump. */
  nowMs?: () => number;
  /** The time of day, Unix ms, which expiries are told in. */
  wallMs?: () => number;
}

const GOOD_FOR_MS = 60_000;
const BAD_FOR_MS = 5_000;
/** Who does not hear the news asks this often, so that a revoked key ends within a second even so. */
const UNSURE_FOR_MS = 500;
/** How long an answer is waited for where there is something to fall back on. */
const PATIENCE_MS = 500;
const MOST_KEYS = 20_000;
const MOST_ROUNDS = 3;
const TOLD = new Set<Reason>(['expired_key', 'revoked_key']);

const unavailable = (cause?: unknown) => new AppError('unavailable', { retryAfterSeconds: 1, cause });

/**
 * Remembers verdicts on keys by the hash of their text: good ones 60 s and never past the key's expiry, bad ones 5 s.
 * However many ask for one key at once, it is looked up once. A look-up that fails is not a verdict.
 *
 * A good verdict ends at once when news of its key arrive, and so does the answer to a question that was asked before them.
 * While the gateway is cut off from the news it asks again after half a second, and falls back on what it knew, for as long
 * as that would have counted, only where nobody can be asked.
 */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();
  private readonly asking = new Map<string, Asking>();
  private readonly nowMs: () => number;
  private readonly wallMs: () => number;

  constructor(private readonly options: Options) {
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.wallMs = options.wallMs ?? Date.now;
  }

  /** The verdict on a key: at once when it is known. Throws `malformed_key`, `unavailable`. */
  find(text: string): Verdict | Promise<Verdict> {
    const name = hash('sha256', text, 'base64');
    const known = this.entries.get(name);
    if (known !== undefined && this.counts(known)) return known.verdict;
    const asking = this.asking.get(name);
    // Who asked before the news may be answered what has changed since.
    if (asking !== undefined && this.standingOf(asking) !== 'superseded') return asking.answer;
    const key = known?.key ?? parseApiKey(text);
    if (!key) throw new AppError('malformed_key');
    return this.ask(name, key);
  }

  /** Whether a verdict may be used without asking again. */
  private counts(entry: Entry): boolean {
    const nowMs = this.nowMs();
    if (entry.verdict.untilMs <= nowMs) return false;
    // No news make a refused key good again.
    if ('refusal' in entry.verdict) return true;
    const standing = this.standingOf(entry);
    if (standing !== 'unsure') return standing === 'current';
    return nowMs - entry.asked.atMs < UNSURE_FOR_MS || !this.options.canAsk();
  }

  private standingOf({ key, asked }: { key: PresentedKey; asked: Asked }): Standing {
    return this.options.news[key.env].standingOf(key.keyId, asked.moment);
  }

  private ask(name: string, key: PresentedKey): Promise<Verdict> {
    const asked = this.askedNow(key);
    const answer = this.verdictOn(name, key, asked).finally(() => {
      if (this.asking.get(name)?.answer === answer) this.asking.delete(name);
    });
    this.asking.set(name, { key, asked, answer });
    return answer;
  }

  private askedNow({ env }: PresentedKey): Asked {
    return { atMs: this.nowMs(), moment: this.options.news[env].moment };
  }

  private async verdictOn(name: string, key: PresentedKey, first: Asked): Promise<Verdict> {
    let asked = first;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const verdict = await this.lookUp(name, key, asked);
      if ('refusal' in verdict || this.standingOf({ key, asked }) !== 'superseded')
        return this.remember(name, { key, asked, verdict });
      asked = this.askedNow(key);
    }
    throw unavailable();
  }

  private async lookUp(name: string, key: PresentedKey, { atMs }: Asked): Promise<Verdict> {
    try {
      const budgetMs = this.knownUntilNow(name) ? PATIENCE_MS : BUDGET_MS.read;
      const { principal, expiresAt, ipAllowlist } = await this.options.verify(key, budgetMs);
      if (this.options.news[key.env].isRevoked(key.keyId)) return this.refused('revoked_key', atMs);
      const allowlist = ipAllowlist.length === 0 ? null : new Allowlist(ipAllowlist);
      return { principal, allowlist, untilMs: Math.min(atMs + GOOD_FOR_MS, this.endOf(expiresAt)) };
    } catch (error) {
      // Not being able to ask says nothing about the key.
      if (isServerFault(error)) return this.verdictWithoutAsking(name, key, error);
      const { reason } = error as AppError;
      return this.refused(TOLD.has(reason) ? reason : 'unknown_key', atMs);
    }
  }

  /** When a key expires, by the monotonic clock: asked once, so that no later jump of the time of day moves it. */
  private endOf(expiresAt: string | null): number {
    return expiresAt === null ? Number.POSITIVE_INFINITY : this.nowMs() + Date.parse(expiresAt) - this.wallMs();
  }

  /** What was known, where it would still count and no news speak against it. */
  private verdictWithoutAsking(name: string, { env, keyId }: PresentedKey, cause: unknown): Verdict {
    if (this.entries.has(name) && this.options.news[env].isRevoked(keyId))
      return this.refused('revoked_key', this.nowMs());
    const known = this.knownUntilNow(name);
    if (!known) throw unavailable(cause);
    return known.verdict;
  }

  private knownUntilNow(name: string): Entry | undefined {
    const known = this.entries.get(name);
    return known && known.verdict.untilMs > this.nowMs() && this.standingOf(known) !== 'superseded' ? known : undefined;
  }

  private refused(refusal: Reason, askedAtMs: number): Verdict {
    return { refusal, untilMs: askedAtMs + BAD_FOR_MS };
  }

  private remember(name: string, entry: Entry): Verdict {
    // What was fallen back on is as old as it is.
    if (this.entries.get(name)?.verdict === entry.verdict) return entry.verdict;
    this.entries.delete(name);
    // The one remembered longest ago goes; it costs a look-up at worst.
    if (this.entries.size >= MOST_KEYS) this.entries.delete(this.entries.keys().next().value!);
    this.entries.set(name, entry);
    return entry.verdict;
  }
}
