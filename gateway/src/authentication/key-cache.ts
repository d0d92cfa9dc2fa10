import { hash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { OutputOf, Principal, Reason, verifyKey } from '@swim/contracts';
import { AppError, isServerFault, type PresentedKey, parseApiKey } from '@swim/platform';

/** Asks the owner of the keys whom one speaks for; throws the AppError it refused with. */
export type VerifyKey = (key: PresentedKey) => Promise<OutputOf<typeof verifyKey>>;

/** What is known of a key until `untilMs`. */
export type Verdict =
  | { readonly principal: Principal; readonly allowlist: BlockList | null; readonly untilMs: number }
  | { readonly refusal: Reason; readonly untilMs: number };

const GOOD_FOR_MS = 60_000;
const BAD_FOR_MS = 5_000;
const MOST_KEYS = 20_000;
const TOLD = new Set<Reason>(['expired_key', 'revoked_key']);

function allowlistOf(entries: readonly string[]): BlockList | null {
  if (entries.length === 0) return null;
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    // An entry that is no address allows nobody.
    if (family !== 0)
      list.addSubnet(
        address,
        bits === undefined ? (family === 4 ? 32 : 128) : Number(bits),
        family === 4 ? 'ipv4' : 'ipv6',
      );
  }
  return list;
}

/**
 * Remembers verdicts on keys by the hash of their text: good ones 60 s and never past the key's expiry, bad ones 5 s.
 * However many ask for one key at once, it is looked up once. A look-up that fails is not a verdict.
 */
export class KeyCache {
  private readonly verdicts = new Map<string, Verdict>();
  private readonly asking = new Map<string, Promise<Verdict>>();

  constructor(
    private readonly verify: VerifyKey,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** The verdict on a key: at once when it is known. Throws `malformed_key`, `unavailable`. */
  find(text: string): Verdict | Promise<Verdict> {
    const name = hash('sha256', text, 'base64');
    const known = this.verdicts.get(name);
    if (known && known.untilMs > this.nowMs()) return known;
    return this.asking.get(name) ?? this.ask(name, text);
  }

  private ask(name: string, text: string): Promise<Verdict> {
    const key = parseApiKey(text);
    if (!key) throw new AppError('malformed_key');
    const answer = this.lookUp(key)
      .then((verdict) => this.remember(name, verdict))
      .finally(() => this.asking.delete(name));
    this.asking.set(name, answer);
    return answer;
  }

  private async lookUp(key: PresentedKey): Promise<Verdict> {
    const askedAtMs = this.nowMs();
    try {
      const { principal, expiresAt, ipAllowlist } = await this.verify(key);
      const expiresAtMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
      return {
        principal,
        allowlist: allowlistOf(ipAllowlist),
        untilMs: Math.min(askedAtMs + GOOD_FOR_MS, expiresAtMs),
      };
    } catch (error) {
      // Not being able to ask says nothing about the key.
      if (isServerFault(error)) throw new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
      const { reason } = error as AppError;
      return { refusal: TOLD.has(reason) ? reason : 'unknown_key', untilMs: askedAtMs + BAD_FOR_MS };
    }
  }

  private remember(name: string, verdict: Verdict): Verdict {
    this.verdicts.delete(name);
    // The one remembered longest ago goes; it costs a look-up at worst.
    if (this.verdicts.size >= MOST_KEYS) this.verdicts.delete(this.verdicts.keys().next().value!);
    this.verdicts.set(name, verdict);
    return verdict;
  }
}
