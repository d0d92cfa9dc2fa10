import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { AppError, CONFIG } from '@swim/platform';
import type { Config } from '../config.js';
import { hostOf, isAllowedAddress, isAllowedName, isLoopbackName, type TargetTerms } from './target-addresses.js';

/** A resolver answers within this time, or the name counts as unknown. */
const RESOLVES_WITHIN_MS = 1_500;
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

interface ResolvedAddress {
  address: string;
  family: number;
}

/** Thrown where a target resolves to an address that webhooks are not sent to. */
class ForbiddenTarget extends Error {
  readonly code = 'FORBIDDEN_TARGET';
}

/**
 * Keeps webhooks away from addresses inside the operator's network (server-side request forgery). A URL is checked when it is
 * stored; the addresses of its host are checked again for each connection, since names may resolve to others by then. Names
 * are resolved by DNS alone, without the thread pool, so that a slow name server delays no other target.
 */
@Injectable()
export class TargetGuard {
  private readonly resolver = new Resolver({ timeout: RESOLVES_WITHIN_MS, tries: 1 });

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Throws `https_required` or `forbidden_target`. A name that does not resolve yet is accepted: its addresses are checked when
   * it is connected to.
   */
  async check(env: Environment, text: string): Promise<void> {
    const url = new URL(text);
    if (env === 'live' && url.protocol !== 'https:') throw new AppError('https_required', { field: 'url' });
    const host = hostOf(url);
    await this.addressesOf(env, host).catch((error: unknown) => {
      if (error instanceof ForbiddenTarget) throw new AppError('forbidden_target', { field: 'url', cause: error });
    });
  }

  /**
   * A look-up for `http.request`: fails with `ForbiddenTarget` when any of the addresses is forbidden. Node does not look up
   * hosts that are addresses: `checkAddress` checks those.
   */
  lookupFor(env: Environment): LookupFunction {
    return (hostname, options, callback) => {
      this.addressesOf(env, hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all) (callback as unknown as (error: null, all: ResolvedAddress[]) => void)(null, addresses);
          else callback(null, first!.address, first!.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      );
    };
  }

  /** Throws when the host of a URL is an address that webhooks are not sent to. Names are checked by `lookupFor`. */
  checkAddress(env: Environment, url: URL): void {
    const host = hostOf(url);
    if (isIP(host) !== 0 && !isAllowedAddress(host, this.termsOf(env))) throw new ForbiddenTarget();
  }

  /** The addresses of a host, of which webhooks may be sent to each; throws `ForbiddenTarget` otherwise. */
  async addressesOf(env: Environment, host: string): Promise<ResolvedAddress[]> {
    const terms = this.termsOf(env);
    if (!isIP(host) && !isAllowedName(host, terms)) throw new ForbiddenTarget();
    const found = await this.resolve(host);
    if (!found.every(({ address }) => isAllowedAddress(address, terms))) throw new ForbiddenTarget();
    return found;
  }

  private async resolve(host: string): Promise<ResolvedAddress[]> {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    if (isLoopbackName(host)) return LOOPBACK;
    const [v4, v6] = await Promise.allSettled([this.resolver.resolve4(host), this.resolver.resolve6(host)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    throw Object.assign(new Error('The name of the host does not resolve.'), { code: 'ENOTFOUND' });
  }

  private termsOf(env: Environment): TargetTerms {
    return { allowsPrivate: env === 'test' && this.config.WEBHOOK_ALLOW_PRIVATE };
  }
}
