import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const ANSWER_WITHIN_MS = 15_000;

/** A new signing secret, in the format of webhook endpoints. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Posts an event to a URL, signed as webhooks are (Standard Webhooks 1.0), and returns the outcome as text. The request
 * is sent once.
 */
export async function forward(url: string, secret: string, event: { id: string; body: string }): Promise<string> {
  const now = new Date();
  const startedAtMs = performance.now();
  const outcome = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(event.id, now, event.body),
    },
    body: event.body,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return String(response.status);
    },
    (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
  );
  return `${outcome} (${Math.round(performance.now() - startedAtMs)} ms)`;
}
