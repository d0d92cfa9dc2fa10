import { Swim, UnexpectedAnswerError } from '@swim/sdk';

/** The two sides of an account, as the addresses of pages name them. */
export const ENVIRONMENTS = ['live', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Marks a request of the page itself: browsers send it for another origin only after a preflight request, which is rejected. */
export const OWN_HEADER = { 'swim-dashboard': '1' };

function fetchIn(environment: Environment): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    // The browser has its own.
    headers.delete('user-agent');
    headers.set('swim-environment', environment);
    for (const [name, value] of Object.entries(OWN_HEADER)) headers.set(name, value);
    return fetch(input, { ...init, headers, credentials: 'same-origin' });
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
