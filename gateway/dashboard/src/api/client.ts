import { Swim, UnexpectedAnswerError } from '@swim/sdk';

/** The two sides of an account, as the addresses of pages name them. */
export const ENVIRONMENTS = ['live', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Marks a request of the page itself: browsers send it for another origin only after a preflight request, which is rejected. */
export const OWN_HEADER = { 'swim-dashboard': '1' };

let accountId: string | null = null;

/** The account that the page shows: a request of it is rejected once another page has switched the session to another account. */
export function bindTo(shownId: string | null): void {
  accountId = shownId;
}

let pending: Promise<boolean> | null = null;
let ask = async (): Promise<boolean> => false;

/** Sets what asks the user to confirm a request; it resolves to whether that was done. */
export function askForConfirmationBy(asks: () => Promise<boolean>): void {
  ask = asks;
}

/**
 * Sends a request of the page. One that a cookie alone may not make waits until the user has confirmed it, and is sent once more then:
 * the form that sent it knows nothing of that. It has its answer where the user does not.
 */
export async function send(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (accountId !== null) headers.set('swim-account', accountId);
  const own = { ...init, headers, credentials: 'same-origin' } as const;
  const response = await fetch(input, own);
  if (response.status !== 403) return response;
  // Read before the user is asked: the time limit of the request may pass meanwhile.
  const text = await response.text();
  if (text.includes('"confirmation_required"')) {
    pending ??= ask().finally(() => {
      pending = null;
    });
    if (await pending) return fetch(input, { ...own, signal: null });
  }
  // The page shows what the session may no longer speak for.
  if (text.includes('"account_switched"')) location.reload();
  return new Response(text, response);
}

function fetchIn(environment: Environment): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    // The browser has its own.
    headers.delete('user-agent');
    headers.set('swim-environment', environment);
    for (const [name, value] of Object.entries(OWN_HEADER)) headers.set(name, value);
    return send(input, { ...init, headers });
  };
}

const made = new Map<Environment, Swim>();

/** The client of the public API in an environment: the session's cookie authenticates it, with the rights of the user's role. */
export function clientIn(environment: Environment): Swim {
  const known = made.get(environment);
  if (known) return known;
  const options = { apiKey: null, baseUrl: `${location.origin}/v1`, fetch: fetchIn(environment), maxRetries: 1 };
  const client = new Swim(options);
  made.set(environment, client);
  return client;
}

/** An answer of the public API that is no JSON, such as a CSV file. Throws an UnexpectedAnswerError. */
export async function textIn(environment: Environment, path: string, accept: string): Promise<string> {
  const response = await fetchIn(environment)(`/v1${path}`, { headers: { accept } });
  if (!response.ok) throw new UnexpectedAnswerError('The answer is not the file.', response.status);
  return response.text();
}
