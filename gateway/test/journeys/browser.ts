import type { Environment } from '@swim/contracts';
import { until } from '@swim/testing';
import { type Answer, answerOf, BUSY } from './customer.js';

const COOKIE = /^([^=]+)=([^;]*)/;

/** A browser with a page of the dashboard: it keeps cookies, and sends the headers that a page sends. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The attributes with which each cookie was set last. */
  readonly attributes = new Map<string, string>();

  constructor(
    /** Origin of the gateway. */
    private readonly origin: string,
    /** Replace the headers of the page. */
    private readonly headers: Record<string, string | null> = {},
  ) {}

  /** The same cookies in a page that sends other headers; null leaves one out. */
  with(headers: Record<string, string | null>): Browser {
    const other = new Browser(this.origin, { ...this.headers, ...headers });
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  /** Requests one of the dashboard's own routes. */
  dashboard<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Answer<T>> {
    return this.send<T>(method, `/dashboard/api${path}`, body);
  }

  /** Requests a route of the API with the cookie. */
  api<T = Record<string, unknown>>(env: Environment, method: string, path: string, body?: object): Promise<Answer<T>> {
    return this.send<T>(method, `/v1${path}`, body, { 'swim-environment': env === 'live' ? 'live' : 'sandbox' });
  }

  /** Sends a request again that a busy machine has not carried out. */
  private send<T>(
    method: string,
    path: string,
    body: object | undefined,
    more: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const passing = method === 'GET' ? BUSY : ['overloaded'];
    const attempt = async () => {
      const answer = await this.sendOnce<T>(method, path, body, more);
      return answer.status >= 400 && passing.includes(answer.error.details.reason) ? null : answer;
    };
    return until(attempt, `${method} ${path} is answered in time`);
  }

  private async sendOnce<T>(
    method: string,
    path: string,
    body: object | undefined,
    more: Record<string, string>,
  ): Promise<Answer<T>> {
    const all: Record<string, string | null> = {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') || null,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : { origin: this.origin, 'swim-dashboard': '1' }),
      ...more,
      ...this.headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(this.origin + path, { method, headers: sent, ...content });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return answerOf<T>(response.status, response.headers, await response.text());
  }

  private keep(line: string): void {
    const [, name, value] = COOKIE.exec(line)!;
    this.attributes.set(name!, line.slice(line.indexOf(';') + 1).trim());
    if (/Max-Age=0(?:;|$)/.test(line)) this.cookies.delete(name!);
    else this.cookies.set(name!, value!);
  }
}
