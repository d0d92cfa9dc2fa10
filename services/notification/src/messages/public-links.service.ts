import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Environment, Locale, MessageKind } from '@swim/contracts';
import { CONFIG, currentEnvironment, SignedTokens } from '@swim/platform';
import type { Config } from '../config.js';
import type { Subscription } from './subscriptions.repository.js';

/** Names an address of an account without revealing it. */
export const addressName = (accountId: string, address: string): string =>
  createHash('sha256').update(`${accountId}|${address.toLowerCase()}`).digest('base64url').slice(0, 22);

const DASHBOARD_PAGES = {
  sign_up: 'confirm',
  known_address: 'sign-in',
  password_reset: 'reset-password',
  invitation: 'accept-invitation',
  claim: 'accept-invitation',
  sign_in: 'sign-in-link',
  // Somebody else may have made the change.
  password_changed: 'reset-password',
  second_factor_added: 'reset-password',
  second_factor_removed: 'reset-password',
  passkey_added: 'reset-password',
  wrong_codes: 'reset-password',
} as const;

/** The links in messages, which lead to pages of the gateway. */
@Injectable()
export class PublicLinksService {
  private readonly tokens: SignedTokens;
  private readonly origin: string;

  constructor(@Inject(CONFIG) config: Config) {
    this.tokens = new SignedTokens('unsubscribe', config);
    this.origin = config.PUBLIC_URL.replace(/\/+$/, '');
  }

  /** The page on which messages of a kind to an address are ended. */
  unsubscribeUrl(accountId: string, { kind, email, locale }: Ended): string {
    const token = this.tokens.sign(currentEnvironment(), accountId, kind, addressName(accountId, email));
    return this.urlOf('unsubscribe', token, locale);
  }

  /** The page on which an address is confirmed. */
  confirmationUrl(token: string, locale: Locale): string {
    return this.urlOf('confirm-email', token, locale);
  }

  /**
   * A page of the dashboard. The token is in the fragment, which browsers send to no server: it is in no log and in no
   * Referer.
   */
  dashboardUrl(purpose: keyof typeof DASHBOARD_PAGES, token: string | null): string {
    return `${this.origin}/dashboard/${DASHBOARD_PAGES[purpose]}${token === null ? '' : `#token=${token}`}`;
  }

  /** The subscription of a link; null when the token is not valid. */
  readUnsubscribe(token: string): { env: Environment; subscription: Subscription } | null {
    const [env, accountId, kind, address] = this.tokens.read(token) ?? [];
    if (!env || !accountId || !kind || !address) return null;
    return { env: env as Environment, subscription: { accountId, kind: kind as MessageKind, address } };
  }

  private urlOf(page: string, token: string, locale: Locale): string {
    return `${this.origin}/${page}?token=${token}&lang=${locale}`;
  }
}

interface Ended {
  kind: MessageKind;
  email: string;
  locale: Locale;
}
