import { afterAll, beforeAll } from '@jest/globals';
import type { DashboardMe, SignInResult } from '@swim/contracts';
import { Browser } from './browser.js';
import { expectStatus } from './customer.js';
import { Mailbox } from './mailbox.js';
import { Stack } from './stack.js';

/** The password of every user. */
export const PASSWORD = 'correct horse battery';
/** The name of the session's cookie. */
export const SESSION = '__Host-swim_session';

/** The name of the cookie by which a browser is known. */
export const DEVICE = '__Host-swim_device';

/** The mails of the stack. */
export let mailbox: Mailbox;
/** The whole product. */
export let stack: Stack;
/** Two gateways: what one does counts at the other. */
export let origins: string[];
beforeAll(async () => {
  mailbox = await Mailbox.open();
  stack = await Stack.start({ ...mailbox.env, SIGN_IN_PER_NETWORK_PER_MINUTE: '100000' });
  origins = [stack.origin, await stack.addGateway()];
});
afterAll(async () => {
  await stack?.stop();
  await mailbox?.close();
});

let made = 0;
/** An address that nobody has used yet. */
export const anAddress = () => `user-${++made}@example.test`;
/** A browser without cookies at one of the gateways. */
export const browser = (at = 0) => new Browser(origins[at]!);
/** The body of a sign-up. */
export const signUpBody = (email: string) => ({
  email,
  name: 'Rita Wave',
  account_name: 'Wave Swim School',
  kind: 'school',
  timezone: 'Europe/Berlin',
  locale: 'de',
  currency: 'EUR',
});

/** A signed-in owner. */
export interface Signed {
  page: Browser;
  email: string;
  me: DashboardMe;
}

/** A new school with its owner, signed in. */
export async function anOwner(): Promise<Signed> {
  const email = anAddress();
  const page = browser();
  expectStatus(202, await page.dashboard('POST', '/sign-up', signUpBody(email)));
  const token = await mailbox.tokenTo(email);
  const { data: me } = expectStatus(
    200,
    await page.dashboard<DashboardMe>('POST', '/confirm', { token, password: PASSWORD }),
  );
  return { page, email, me };
}
/** Signs in with a password. */
export const signIn = (email: string, password = PASSWORD, page = browser()) =>
  page.dashboard<SignInResult>('POST', '/sign-in', { email, password, remember: false });
/** The status that a browser gets for its user. */
export const statusOfMe = async (page: Browser) => (await page.dashboard('GET', '/me')).status;
