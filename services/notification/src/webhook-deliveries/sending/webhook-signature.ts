import { createHmac, type KeyObject } from 'node:crypto';

/** A message as it is signed. */
export interface SignedMessage {
  /** The event's id. */
  id: string;
  /** When it is sent. */
  now: Date;
  body: string;
  /** Each signs. */
  signingKeys: readonly KeyObject[];
}

/** The headers of Standard Webhooks 1.0: id, Unix time, and an HMAC-SHA256 of both and the body by each key. */
export function signatureHeaders({ id, now, body, signingKeys }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = signingKeys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
